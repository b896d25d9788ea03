/** Follow tournaments by long polling. */

import { client } from "../account.mjs";
import { live, Looking } from "../live.mjs";
import { trouble } from "../waiting.mjs";

const WAIT = 25; // seconds that the service may hold an answer back
const PAUSE = 2000; // milliseconds before the next try

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
  if (!isOver() && settings.deals !== "duplicate")
    void live({ tournament: id }, hear, AbortSignal.any([signal, over.signal]));
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
