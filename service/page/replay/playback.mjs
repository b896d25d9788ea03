/** Automatic playback, at a number of entries per second or as quickly as the game was played. */

const REAL = 0; // as a speed: in real time
export const PAUSE = 10; // seconds: in real time, no entry waits for longer

/** Entries per second, or REAL; the last means one entry per frame of the browser. */
export const SPEEDS = [REAL, 1, 2, 5, 15, Infinity];

/** The speed that an address asks for, or null. @param {string | null} said */
export const speedOf = (said) => {
  if (said === "real") return REAL;
  const speed = said === "max" ? Infinity : Number(said);
  return speed > 0 ? speed : null;
};

export class Playback {
  /** @param {import("../table.mjs").Table} table */
  constructor(table) {
    this.table = table;
    this.speed = 2;
    this.frame = 0;
    this.last = 0; // when the last step was made, in milliseconds
  }

  /** Whether it goes on by itself now. */
  get isPlaying() {
    return this.frame !== 0;
  }

  /** Begin; at the end of the game, from its beginning. */
  play() {
    if (this.isPlaying) return;
    this.last = performance.now();
    this.frame = requestAnimationFrame((now) => this.tick(now));
    if (this.table.isOver && this.table.isLatest) this.table.show(1);
    else this.table.changed();
  }

  /** Stop. */
  pause() {
    cancelAnimationFrame(this.frame);
    if (!this.isPlaying) return;
    this.frame = 0;
    this.table.changed();
  }

  /** Begin or stop. */
  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  /** Milliseconds until the next entry is shown. */
  get wait() {
    if (this.speed !== REAL) return 1000 / this.speed;
    const { entries, shown, version } = this.table;
    const [here, next] = entries.slice((shown ?? version) - 1).map(({ at }) => Date.parse(at));
    return Math.min(PAUSE * 1000, Math.max(0, (next ?? here) - here));
  }

  /** Step if it is time to. @param {number} now */
  tick(now) {
    this.frame = requestAnimationFrame((later) => this.tick(later));
    const wait = this.wait;
    if (now - this.last < wait) return;
    this.last = Math.max(this.last + wait, now - wait); // keep the pace, but skip missed steps
    this.step(1);
  }

  /** Go so many entries on or back. @param {number} count */
  step(count) {
    const { table } = this;
    const to = (table.shown ?? table.version) + count;
    if (to >= table.version) cancelAnimationFrame(this.frame);
    if (to >= table.version) this.frame = 0;
    if (to !== table.version + count || count < 0) table.show(to);
    else table.changed();
  }
}
