/** Automatic playback, as of a show, at a number of entries per second, or as quickly as the game was played.
 *
 * A page that shows a game playing itself needs a table and a map:
 *
 *     const table = await Table.load(id); // of a game that is over
 *     const map = new GameMap(element, table);
 *     table.addEventListener("change", () => map.update());
 *     const stop = perform(table);
 *
 * `table.view` is the view that is shown. In the end call `stop`, and `close` of map and table.
 */

import { pause, REAL, SHOW } from "../tempo.mjs";

/** As tempo.mjs has them; the last means one entry per frame of the browser. */
export const SPEEDS = [SHOW, REAL, 1, 2, 5, 15, Infinity];
const REST = 6000; // milliseconds that the end is shown before a game begins again

/** Play a game by itself, again and again; return a function that stops it. If the browser prefers reduced
 * motion, show only its end.
 * @param {import("../table.mjs").Table} table of a game that is over
 * @param {{ from?: number, speed?: number, rest?: number }} [as] from which version, how quickly (see SPEEDS),
 * and the milliseconds at the end */
export function perform(table, { from = 1, speed = SHOW, rest = REST } = {}) {
  const playback = Object.assign(new Playback(table), { speed, again: { from, rest } });
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) table.show(null);
  else {
    table.show(from);
    playback.play();
  }
  return () => playback.pause();
}

/** The speed that an address asks for, or null. @param {string | null} said */
export const speedOf = (said) => {
  if (said === "show") return SHOW;
  if (said === "real") return REAL;
  const speed = said === "max" ? Infinity : Number(said);
  return speed > 0 ? speed : null;
};

export class Playback {
  /** @param {import("../table.mjs").Table} table */
  constructor(table) {
    this.table = table;
    this.speed = SHOW;
    /** Where to begin again after the end, and after how many milliseconds.
     * @type {{ from: number, rest: number } | null} */
    this.again = null;
    this.frame = 0;
    this.last = 0; // when the last step was made, in milliseconds
  }

  /** Whether a show is watched as it is played: its pace shows the entries then. */
  get isLive() {
    return this.table.isShow && this.table.isLatest && !this.table.isOver;
  }

  /** Whether it goes on by itself now. */
  get isPlaying() {
    return this.isLive ? !this.table.pace.isHeld : this.frame !== 0;
  }

  /** Begin; at the end of the game, from its beginning. */
  play() {
    if (this.frame) return;
    this.last = performance.now();
    this.frame = requestAnimationFrame((now) => this.tick(now));
    if (this.table.isOver && this.table.isLatest) this.table.show(1);
    else this.table.changed();
  }

  /** Stop. */
  pause() {
    cancelAnimationFrame(this.frame);
    if (!this.frame) return;
    this.frame = 0;
    this.table.changed();
  }

  /** Begin or stop. */
  toggle() {
    if (this.isLive) {
      this.table.pace.isHeld = this.isPlaying;
      this.table.changed();
    } else if (this.isPlaying) this.pause();
    else this.play();
  }

  /** Milliseconds until the next entry is shown. */
  get wait() {
    const { table } = this;
    return table.isLatest && this.again ? this.again.rest : pause(table, table.shown ?? table.version, this.speed);
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
    const { table, again } = this;
    const to = (table.shown ?? table.version) + count;
    if (again) return table.show(to > table.version ? again.from : to);
    if (to >= table.version) cancelAnimationFrame(this.frame);
    if (to >= table.version) this.frame = 0;
    if (to !== table.version + count || count < 0) table.show(to);
    else table.changed();
  }
}
