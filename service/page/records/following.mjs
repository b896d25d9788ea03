/** What comes later of something that has versions, as the API tells it to whoever waits. */

import { client } from "../account.mjs";

/** @typedef {import("fogg-api").components["schemas"]} API */

const WAIT = 25; // seconds that the service may hold an answer back
const PAUSE = 2000; // milliseconds before the next try

/** Ask for later versions until it is over; a lost connection heals by itself. Nothing is asked while
 * nobody looks at the window: a browser has few connections for all of them.
 * @param {string} path @param {Record<string, any>} query @param {() => any} now what is known
 * @param {{ take: (later: any) => void, lost: (isLost: boolean) => void }} hear @param {AbortSignal} signal */
export async function following(path, query, now, { take, lost }, signal) {
  let isLost = false;
  while (!signal.aborted && now().status !== "finished") {
    const { version } = now();
    const looking = new Looking(signal);
    try {
      await looking.begins;
      const later = await client.get(path, { query: { ...query, after: version, wait: WAIT }, signal: looking.signal });
      if (isLost) lost(isLost = false);
      if (later.version > now().version) take(later);
    } catch {
      if (document.hidden || signal.aborted) continue;
      if (!isLost) lost(isLost = true);
      await new Promise((done) => setTimeout(done, PAUSE));
    } finally {
      looking.end();
    }
  }
}

/** The games of a tournament that are under way, with the scores as they change, for as long as
 * somebody looks. @param {string} tournament
 * @param {(message: API["LiveMessage"]) => void} take @param {AbortSignal} signal */
export async function live(tournament, take, signal) {
  let after;
  while (!signal.aborted) {
    const looking = new Looking(signal);
    try {
      await looking.begins;
      for await (const { id, data } of client.stream("/v1/live", {
        query: { tournament }, after, signal: looking.signal })) {
        after = id;
        take(data);
      }
    } catch {
      await new Promise((done) => setTimeout(done, PAUSE));
    } finally {
      looking.end();
    }
  }
}

/** While somebody looks at the window: from when it is shown until it is hidden, or a signal aborts. */
class Looking {
  #ended = new AbortController();

  /** @param {AbortSignal} signal */
  constructor(signal) {
    this.signal = AbortSignal.any([signal, this.#ended.signal]);
    this.begins = document.hidden ? new Promise((shown) => {
      this.signal.addEventListener("abort", shown);
      this.#hear(shown);
    }) : Promise.resolve(this.#hear(() => this.end()));
  }

  /** @param {(event: Event) => void} does */
  #hear(does) {
    document.addEventListener("visibilitychange", does, { signal: this.signal, once: true });
  }

  end() {
    this.#ended.abort();
  }
}
