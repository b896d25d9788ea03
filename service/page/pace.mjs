/** When the moves of others are shown: one after the other, since bots play faster than anybody can
 * follow. */

import { now } from "./account.mjs";
import { settings } from "./settings.mjs";

/** By setting: milliseconds from a move to the next one of somebody else, and how far the page may be behind for it. */
const PACES = { slow: [1500, 15_000], normal: [700, 6000], once: [0, 0] };
const QUICK = 60; // seconds: with less for a decision, nothing is held back

export class Pace {
  #shown = -Infinity; // when the last move was shown
  #isHurried = false; // after a click or a key, what waits is shown at once
  #still = matchMedia("(prefers-reduced-motion: reduce)");
  #closing = new AbortController();
  /** Ends the wait for the next move, if there is one. @type {(() => void) | null} */
  #go = null;

  constructor() {
    const hurry = () => {
      this.#isHurried = this.#go !== null;
      this.#go?.();
    };
    for (const name of ["click", "keydown"]) {
      document.addEventListener(name, hurry, { signal: this.#closing.signal });
    }
  }

  /** A move of one's own was shown. */
  moved() {
    this.#isHurried = false;
    this.#shown = performance.now();
  }

  /** Wait until an entry may be shown. @param {import("./table.mjs").Entry} entry
   * @param {boolean} isAtOnce true for the viewer's own moves, and for what is shown already
   * @param {any} clock of the game */
  async wait({ at }, isAtOnce, clock) {
    const [between, lag] = PACES[settings().pace] ?? PACES.normal;
    const left = this.#shown + between - performance.now();
    const isQuick = clock && (clock.per_decision ?? 0) < QUICK;
    const isLate = now() - Date.parse(at) > lag;
    if (left <= 0) this.#isHurried = false;
    const isWaiting = left > 0 && !isAtOnce && !isQuick && !isLate && !this.#isHurried;
    if (isWaiting && !this.#still.matches && !document.hidden) {
      await new Promise((done) => {
        this.#go = () => done(null);
        setTimeout(done, left);
      });
      this.#go = null;
    }
    this.#shown = performance.now();
  }

  /** Stop: remove the listeners and end the wait. */
  close() {
    this.#closing.abort();
    this.#go?.();
  }
}
