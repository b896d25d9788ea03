/** Another game after one that is over: with the seats moved on by one, and a new deal or the same. */

import { client } from "../account.mjs";

/** @typedef {import("../table.mjs").Table} Table */

/** Ask for the rematch; return its id. It begins when all players of the game have asked for it.
 * @param {Table} table @returns {Promise<string>} */
export const rematch = async ({ id }) => (await client.post(`/v1/games/${id}/rematch`)).id;

/** Whether the same deal can be made again: all that it follows from is known. @param {Table} table */
export const mayDealAgain = ({ view, entries }) => Boolean(view.seed) && !view.fork
  && !entries.some(({ events }) => events.some((/** @type {any} */ { entropy }) => entropy));

/** Make a game of the same deal and invite the people to it; return its id. Each player gets the cards and
 * tickets that the one before them had. @param {Table} table @returns {Promise<string>} */
export async function dealAgain({ view, entries, seat: mine }) {
  const players = view.seats.map((_, seat) => view.seats.at(seat - 1)?.player);
  const begun = entries.flatMap(({ events }) => events).find(({ type }) => type === "game_started");
  const isBuiltIn = (/** @type {any} */ player) => (player?.bot ?? "external") !== "external";
  const me = view.seats[mine ?? 0].player?.id;
  const { on_timeout: onTimeout, ...clock } = /** @type {any} */ (view.clock ?? {});
  const { id } = await client.post("/v1/games", { body: {
    board: view.board,
    seats: players.map((player) => (player?.id === me ? { player: "me" }
      : isBuiltIn(player) ? { bot: player?.bot } : { open: true })),
    options: { seed: view.seed, first_seat: /** @type {any} */ (begun).first_seat,
      visibility: view.visibility === "private" ? "private" : "unlisted",
      ...view.clock && { clock, on_timeout: onTimeout } } } });
  for (const player of players) {
    if (player && player.id !== me && !isBuiltIn(player)) {
      await client.post(`/v1/games/${id}/invitations`, { body: { player: player.id } });
    }
  }
  return id;
}
