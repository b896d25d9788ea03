/** Follow games by their stream, while the window is visible. */

import { client } from "./account.mjs";

const PAUSE = 2000; // milliseconds before the next try

/** Follow the public games under way with their scores, all or those of a tournament, while the window is visible.
 * @param {{ tournament?: string }} query
 * @param {(games: Map<string, Game>, message: API["LiveMessage"]) => void} take gets them by id @param {AbortSignal} signal */
export async function live(query, take, signal) {
  /** @type {Map<string, Game>} */ let games = new Map();
  let after;
  while (!signal.aborted) {
    const looking = new Looking(signal);
    try {
      await looking.begins;
      for await (const { id, data } of client.stream("/v1/live", {
        query,
        after,
        signal: looking.signal,
      })) {
        after = id;
        if (data.games) games = new Map(data.games.map((/** @type {Game} */ one) => [one.id, one]));
        if (data.game) games.set(data.game.id, data.game);
        take(games, data);
      }
    } catch {
      await new Promise((done) => setTimeout(done, PAUSE));
    } finally {
      looking.end();
    }
  }
}

/** Tracks whether the window is visible, until a signal aborts. */
export class Looking {
  #ended = new AbortController();

  /** @param {AbortSignal} signal */
  constructor(signal) {
    this.signal = AbortSignal.any([signal, this.#ended.signal]);
    this.begins = document.hidden
      ? new Promise((shown) => {
          this.signal.addEventListener("abort", shown);
          this.#hear(shown);
        })
      : Promise.resolve(this.#hear(() => this.end()));
  }

  /** @param {(event: Event) => void} does */
  #hear(does) {
    document.addEventListener("visibilitychange", does, { signal: this.signal, once: true });
  }

  end() {
    this.#ended.abort();
  }
}
