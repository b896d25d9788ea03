/** When the moves of others are shown: one after the other, since bots play faster than anybody can
 * follow. */

import { now } from "./account.mjs";
import { settings } from "./settings.mjs";
import { pause, SHOW } from "./tempo.mjs";

/** By setting: milliseconds from a move to the next one of somebody else, how far the page may be behind for it,
 * and how many times as long a game of bots lasts. */
const PACES = { slow: [1500, 15_000, 2], normal: [700, 6000, 1], once: [0, 0, 0] };
const QUICK = 60; // seconds: with less for a decision, nothing is held back
const FEW = 3; // entries: with fewer in the buffer, a game of bots is as good as live

/** @typedef {import("./client.js").Message} Message */

export class Pace {
  /** What the stream has sent and the table has not shown. @type {Message[]} */
  #buffer = [];
  #shown = -Infinity; // when the last move was shown
  #isHurried = false; // after a click or a key, what waits is shown at once
  #end = 0; // the version up to which all is shown at once
  #still = matchMedia("(prefers-reduced-motion: reduce)");
  #closing = new AbortController();
  /** Ends the wait, if there is one. */
  #wake = () => {};
  /** The speed of a game of bots: see tempo.mjs. */
  speed = SHOW;
  /** Whether a game of bots stands still. */
  isHeld = false;

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

  /** How many entries of a game of bots are still to be shown, 0 for a few. */
  get ahead() {
    const count = this.#entries.length;
    return count < FEW ? 0 : count;
  }

  /** Whether the next message is shown at once, too, so that nobody has to draw this one. */
  get isSkipping() {
    return (this.#buffer[0]?.data.version ?? Infinity) <= this.#end;
  }

  /** Show all that is in the buffer. */
  skip() {
    this.#end = this.#entries.at(-1)?.version ?? 0;
    this.isHeld = false;
    this.#wake();
  }

  get #entries() {
    return this.#buffer.map(({ data }) => data).filter(({ events }) => events);
  }

  /** Yield the messages of a game's stream, each when its table may show it. What the service rolls back before
   * that is left out. @param {AsyncIterable<Message>} stream @param {import("./table.mjs").Table} table
   * @param {AbortSignal} signal ends it, whatever is in the buffer */
  async *direct(stream, table, signal) {
    this.#buffer = [];
    this.#end = 0;
    signal.addEventListener("abort", () => this.#wake());
    table.addEventListener("change", () => this.#wake(), { signal });
    let [isWhole, failure] = [false, /** @type {unknown} */ (null)];
    void this.#read(stream, signal).catch((error) => { failure = error; }).then(() => {
      isWhole = true;
      this.#wake();
    });
    while (!signal.aborted) {
      const [message] = this.#buffer;
      const left = message ? this.#left(message.data, table) : isWhole ? 0 : Infinity;
      if (left > 0) await this.#sleep(left);
      else if (message) {
        this.#buffer.shift();
        if (message.data.events) this.#shown = performance.now();
        yield message;
      } else if (failure) throw failure;
      else return;
    }
  }

  /** @param {AsyncIterable<Message>} stream @param {AbortSignal} signal */
  async #read(stream, signal) {
    for await (const message of stream) {
      if (signal.aborted) return;
      if (message.event === "lost") this.#buffer = this.#buffer.filter(({ data }) => data.version <= message.data.version);
      this.#buffer.push(message);
      this.#wake();
    }
  }

  /** Milliseconds until a message may be shown. @param {any} data @param {import("./table.mjs").Table} table */
  #left({ version, events, at }, table) {
    const [between, lag, times] = PACES[settings().pace] ?? PACES.normal;
    if (!events || version <= table.version || events[0]?.seat === table.seat) return 0;
    if (table.isShow) {
      if (version <= this.#end) return 0;
      if (this.isHeld || !table.isLatest) return Infinity;
      const known = [...table.entries, ...this.#entries];
      return this.#shown + times * pause(table, table.version, this.speed, known) - performance.now();
    }
    const left = this.#shown + between - performance.now();
    if (left <= 0) this.#isHurried = false;
    const isQuick = table.now.clock && (table.now.clock.per_decision ?? 0) < QUICK;
    const isLate = now() - Date.parse(at) > lag;
    return isQuick || isLate || this.#isHurried || this.#still.matches || document.hidden ? 0 : left;
  }

  /** Wait until the time is over, or until something changes. @param {number} left milliseconds */
  async #sleep(left) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */ let timer;
    await new Promise((done) => {
      this.#wake = () => done(null);
      if (left < Infinity) timer = setTimeout(done, left);
    });
    clearTimeout(timer);
  }

  /** Stop: remove the listeners. */
  close() {
    this.#closing.abort();
    this.#wake();
  }
}
