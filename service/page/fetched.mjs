/** Requests for a game, and an open book as one seat saw it. */

import { client } from "./account.mjs";
import { linesOf } from "./files.mjs";

export const GROUPED = { legal_actions: "grouped" };

/** @param {string} id @param {number} after a version @param {number} [limit]
 * @returns {Promise<Entry[]>} at most so many, a thousand by default */
const entriesAfter = async (id, after, limit) =>
  (await client.get(`/v1/games/${id}/events`, { query: { after, limit } })).items;

/** Fetch the present view of a game, and all entries up to it. @param {string} id
 * @returns {Promise<{ now: View, entries: Entry[] }>} */
export const present = async (id) => {
  const [now, entries] = await Promise.all([
    client.get(`/v1/games/${id}`, { query: GROUPED }),
    entriesAfter(id, 0),
  ]);
  while (entries.length < now.version) {
    const more = await entriesAfter(id, entries.length);
    if (!more.length) break; // the service has lost them
    entries.push(...more);
  }
  return { now, entries: entries.slice(0, now.version) };
};

/** Fetch the view at each version of a game. @param {string} id @param {string} [path] where they are
 * @returns {Promise<View[]>} */
export const allViews = async (id, path = `/v1/games/${id}/views`) =>
  (await linesOf(path)).map((line) => JSON.parse(line));

/** Fetch the board of a game and its layout. The first entry names both, so they load in parallel
 * with the other entries. @param {string} id */
export const boardOf = async (id) => {
  const [
    {
      events: [created],
    },
  ] = /** @type {any[]} */ (await entriesAfter(id, 0, 1));
  const at = `/v1/boards/${created.board}`;
  const query = { digest: created.board_digest };
  return Promise.all([client.get(at, { query }), client.get(`${at}/layout`, { query })]);
};

/** An open book at a version, as one seat saw it. @param {View} view @param {number} seat
 * @param {boolean} isLast whether the other hands are shown, too @returns {View} */
export const seenBy = (view, seat, isLast) => {
  const { player, revealed } = view.seats[seat] ?? {};
  const seats = isLast ? view.seats : view.seats.map(({ revealed: _, ...told }) => told);
  return { ...view, seats, you: player && { seat, ...revealed } };
};
