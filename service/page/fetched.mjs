/** Requests for a game, and a view without what its end reveals. */

import { client } from "./account.mjs";

export const MOST = 1000; // entries in an answer
export const GROUPED = { legal_actions: "grouped" };

/** @param {string} id @param {number} after a version @param {number} [limit]
 * @returns {Promise<import("./fold.js").Entry[]>} at most so many */
export const entriesAfter = async (id, after, limit = MOST) =>
  (await client.get(`/v1/games/${id}/events`, { query: { after, limit } })).items;

/** Fetch the board of a game and its layout. The first entry names both, so they load in parallel
 * with the other entries. @param {string} id */
export const boardOf = async (id) => {
  const [{ events: [created] }] = /** @type {any[]} */ (await entriesAfter(id, 0, 1));
  const at = `/v1/boards/${created.board}`;
  const query = { digest: created.board_digest };
  return Promise.all([client.get(at, { query }), client.get(`${at}/layout`, { query })]);
};

/** @type {WeakMap<any[], any[]>} */
const TOLD = new WeakMap();

/** Seats as the players saw each other while the game ran; memoized by identity.
 * @param {any[]} seats */
export const told = (seats) => {
  const made = TOLD.get(seats) ?? seats.map(({ revealed: _, ...seat }) => seat);
  TOLD.set(seats, made);
  return made;
};
