/** Follow tournaments by long polling, and games by a stream. */

import { client } from "../account.mjs";
import { trouble } from "../waiting.mjs";

const WAIT = 25; // seconds that the service may hold an answer back
const PAUSE = 2000; // milliseconds before the next try
const STEP = 700; // milliseconds between two requests for games, once each has been fetched

/** Follow a tournament until it is over, and its games with their scores, unless those are hidden.
 * Poll for later versions; say so if the connection is lost, and try again. Pause while the window is hidden, because
 * browsers limit the connections of all windows.
 * @param {() => Tournament} now what is known of it @param {number} rounds how many of its rounds are wanted
 * @param {(later: Tournament) => void} take @param {Parameters<typeof live>[1]} hear
 * @param {AbortController} closing of its screen */
export async function following(now, rounds, take, hear, closing) {
  const { signal } = closing;
  const { id, settings } = now();
  const isOver = () => now().status === "finished";
  const over = new AbortController();
  const isLost = (/** @type {boolean} */ is) => trouble(closing, is ? "away" : null);
  signal.addEventListener("abort", () => isLost(false));
  if (!isOver() && settings.deals !== "duplicate") void live({ tournament: id }, hear, AbortSignal.any([signal, over.signal]));
  while (!signal.aborted && !isOver()) {
    const looking = new Looking(signal);
    try {
      await looking.begins;
      const query = { rounds, after: now().version, wait: WAIT };
      const later = await client.get(`/v1/tournaments/${id}`, { query, signal: looking.signal });
      isLost(false);
      if (later.version > now().version) take(later);
    } catch {
      if (document.hidden || signal.aborted) continue;
      isLost(true);
      await new Promise((done) => setTimeout(done, PAUSE));
    } finally {
      looking.end();
    }
  }
  over.abort();
}

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
      for await (const { id, data } of client.stream("/v1/live", { query, after, signal: looking.signal })) {
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

/** Fetch games that are shown as small boards, one after the other, that first which was fetched longest ago.
 * @param {Map<string, any>} views by game; `at` is when it was fetched @param {Map<string, any>} layouts by board
 * @param {() => string[]} stale the games to fetch @param {() => void} draw @param {AbortSignal} signal */
export async function watching(views, layouts, stale, draw, signal) {
  const age = (/** @type {string} */ id) => Date.now() - (views.get(id)?.at ?? 0);
  while (!signal.aborted) {
    const [id] = document.hidden ? [] : stale().sort((one, other) => age(other) - age(one));
    const isFirst = id && !views.has(id);
    if (id) {
      const view = await client.get(`/v1/games/${id}`, { query: { legal_actions: "false" }, signal }).catch(() => views.get(id));
      const { board } = view ?? {};
      if (board && !layouts.has(board)) await client.get(`/v1/boards/${board}/layout`, { signal }).then((layout) => layouts.set(board, layout), () => {});
      views.set(id, { ...view, at: Date.now() });
      draw();
    }
    if (!isFirst) await new Promise((done) => setTimeout(done, STEP));
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
