/** What comes later of something that has versions, as the API tells it to whoever waits. */

import { client } from "../account.mjs";

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
    try {
      const later = await client.get(path, {
        query: { ...query, after: version, wait: WAIT }, signal: await looking(signal) });
      if (isLost) lost(isLost = false);
      if (later.version > now().version) take(later);
    } catch {
      if (document.hidden || signal.aborted) continue;
      if (!isLost) lost(isLost = true);
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }
}

/** A signal that aborts with another, or when the window is hidden; there once it is shown.
 * @param {AbortSignal} signal @returns {Promise<AbortSignal>} */
async function looking(signal) {
  if (document.hidden) {
    await new Promise((shown) => {
      const once = { once: true, signal };
      signal.addEventListener("abort", shown, { once: true });
      document.addEventListener("visibilitychange", shown, once);
    });
  }
  const hidden = new AbortController();
  document.addEventListener("visibilitychange", () => hidden.abort(), { once: true, signal });
  return AbortSignal.any([signal, hidden.signal]);
}
