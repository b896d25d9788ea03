/** When the moves of others are shown: one after the other, since bots play faster than anybody can
 * follow. */

import { now } from "./account.mjs";
import { settings } from "./settings.mjs";
import { pause, SHOW } from "./tempo.mjs";

/** By setting: the pause before another player's move and the delay that the page allows, both in milliseconds,
 * and the factor for the pauses of a show, which is a game of bots that is watched live. */
const PACES = { slow: [1500, 15_000, 2], normal: [700, 6000, 1], once: [0, 0, 0] };
const QUICK = 60; // seconds: with less for a decision, nothing is held back
const LATE = 400; // milliseconds by which a busy browser is late, which a show makes up for

export class Pace {
  /** The messages that the table has not taken yet. @type {import("./client.js").Message[]} */
  #buffer = [];
  #shown = -Infinity; // when the last move was shown
  #isHurried = false; // after a click or a key, what waits is shown at once
  #skipped = 0; // the version up to which a show is skipped
  #still = matchMedia("(prefers-reduced-motion: reduce)");
  #closing = new AbortController();
  /** Ends the wait for the next move, if there is one. */
  #wake = () => {};
  speed = SHOW; // of a show
  isHeld = false; // whether a show stands still

  constructor() {
    const hurry = () => {
      this.#isHurried = this.#buffer.length > 0;
      this.#wake();
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

  /** The entries that wait. @returns {Table["entries"]} */
  get waiting() {
    return this.#buffer.flatMap(({ data }) => (data.events ? [data] : []));
  }

  /** Whether the next message is skipped, so that nobody has to draw this one. */
  get isSkipping() {
    return this.#buffer[0]?.data.version <= this.#skipped;
  }

  /** Show at once all that waits. */
  skip() {
    this.#skipped = this.waiting.at(-1)?.version ?? 0;
    this.#wake();
  }

  /** Yield the messages of a game's stream, each when its table may show it, without entries that were rolled back
   * before that. @param {AsyncIterable<import("./client.js").Message>} stream
   * @param {Table} table @param {AbortSignal} signal */
  async *direct(stream, table, signal) {
    this.#buffer = [];
    let isOpen = true;
    const read = async () => {
      for await (const message of stream) {
        if (signal.aborted) return;
        if (message.event === "lost")
          this.#buffer = this.#buffer.filter(({ data }) => data.version <= message.data.version);
        this.#buffer.push(message);
        this.#wake();
      }
    };
    const reading = read().finally(() => {
      isOpen = false;
      this.#wake();
    });
    reading.catch(() => {}); // is thrown when the buffer is empty
    table.addEventListener("change", () => this.#wake(), { signal });
    while (isOpen || this.#buffer.length) {
      const [message] = this.#buffer;
      const left = message ? this.#left(message.data, table) : Infinity;
      if (left > 0) await this.#sleep(left);
      if (signal.aborted) return;
      if (left > 0) continue;
      this.#buffer.shift();
      if (message.data.events)
        this.#shown = performance.now() + (table.isShow ? Math.max(left, -LATE) : 0);
      yield message;
    }
    await reading;
  }

  /** Milliseconds until a message may be shown. @param {any} data @param {Table} table */
  #left({ version, events, at }, table) {
    if (!events || version <= table.version || events[0]?.seat === table.seat) return 0;
    const [between, lag, times] = PACES[settings().pace] ?? PACES.normal;
    if (table.isShow) {
      if (version <= this.#skipped) return 0;
      if (this.isHeld || !table.isLatest) return Infinity;
      return (
        this.#shown +
        times * pause(table, table.version, this.speed, this.waiting) -
        performance.now()
      );
    }
    const left = this.#shown + between - performance.now();
    if (left <= 0) this.#isHurried = false;
    const { clock } = table.now;
    const isQuick = clock && (clock.per_decision ?? 0) < QUICK;
    const isLate = now() - Date.parse(at) > lag;
    return isQuick || isLate || this.#isHurried || this.#still.matches || document.hidden
      ? 0
      : left;
  }

  /** Wait for so many milliseconds, or until something changes. @param {number} left */
  async #sleep(left) {
    let timer = 0;
    await new Promise((done) => {
      this.#wake = () => done(null);
      if (left < Infinity) timer = window.setTimeout(done, left);
    });
    clearTimeout(timer);
  }

  close() {
    this.#closing.abort();
  }
}
