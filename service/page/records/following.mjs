/** What comes later of something that has versions, as the API tells it to whoever waits. */

import { client } from "../account.mjs";

const WAIT = 25; // seconds that the service may hold an answer back
const PAUSE = 2000; // milliseconds before the next try

/** Ask for later versions until it is over; a lost connection heals by itself.
 * @param {string} path @param {Record<string, any>} query @param {() => any} now what is known
 * @param {{ take: (later: any) => void, lost: (isLost: boolean) => void }} hear @param {AbortSignal} signal */
export async function following(path, query, now, { take, lost }, signal) {
  let isLost = false;
  while (!signal.aborted && now().status !== "finished") {
    try {
      const { version } = now();
      const later = await client.get(path, { query: { ...query, after: version, wait: WAIT }, signal });
      if (signal.aborted) return;
      if (isLost) lost(isLost = false);
      if (later.version > now().version) take(later);
    } catch {
      if (signal.aborted) return;
      if (!isLost) lost(isLost = true);
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }
}
