/** Automatic playback: as a show, at a number of entries per second, or as quickly as the game was played. */

import { pause, REAL, SHOW } from "../tempo.mjs";

/** As tempo.mjs has them; the last means one entry per frame of the browser. */
export const SPEEDS = [SHOW, REAL, 1, 2, 5, 15, Infinity];

/** The speed that an address asks for, or null. @param {string | null} said */
export const speedOf = (said) => {
  if (said === "show") return SHOW;
  if (said === "real") return REAL;
  const speed = said === "max" ? Infinity : Number(said);
  return speed > 0 ? speed : null;
};

export class Playback {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.speed = SHOW;
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

  pause() {
    cancelAnimationFrame(this.frame);
    if (!this.frame) return;
    this.frame = 0;
    this.table.changed();
  }

  toggle() {
    if (this.isLive) {
      this.table.pace.isHeld = this.isPlaying;
      this.table.changed();
    } else if (this.isPlaying) this.pause();
    else this.play();
  }

  /** Milliseconds until the next entry is shown. */
  get wait() {
    return pause(this.table, this.table.shown ?? this.table.version, this.speed);
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
