/** Follow versioned resources of the API by long polling. */

import { client } from "../account.mjs";

const WAIT = 25; // seconds that the service may hold an answer back
const PAUSE = 2000; // milliseconds before the next try

/** Poll for later versions until the resource is over; retry lost connections. Pause while the
 * window is hidden, because browsers limit the connections of all windows.
 * @param {string} path @param {Record<string, any>} query
 * @param {() => any} now the latest known version
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

/** Follow the running games of a tournament with their scores, while the window is visible.
 * @param {string} tournament
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

/** Tracks whether the window is visible, until a signal aborts. */
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
