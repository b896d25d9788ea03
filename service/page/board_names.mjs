/** The names of the service's boards. */

import { client } from "./account.mjs";

/** The names of boards by id. @returns {Promise<Map<string, string>>} */
export async function boardNames() {
  const { items } = await client.get("/v1/boards");
  return new Map(items.map((/** @type {any} */ board) => [board.id, board.name]));
}
