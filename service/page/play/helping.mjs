/** The routes that help the viewer's tickets. */

import { onShortest } from "./shortest.mjs";
import { read } from "./tickets.mjs";

/** The routes to claim on a shortest way of each open ticket, as long as the viewer's trains suffice; with the names
 * of these tickets. Empty but on the viewer's turn. @param {Table} table
 * @returns {Map<string, string[]>} */
export function helping(table) {
  const { board, view, seat, isLatest } = table;
  /** @type {Map<string, string[]>} */ const found = new Map();
  const isDue = isLatest && view.deciding.some((one) => one.seat === seat && one.decision === "turn");
  for (const id of isDue && view.you?.tickets || []) {
    const { a, b, names, state } = read(table, view, id);
    if (state !== "open") continue;
    for (const route of onShortest(board, view, seat, a, b)) {
      found.set(route, [...found.get(route) ?? [], `${names[0]} – ${names[1]}`]);
    }
  }
  return found;
}

/** How routes are lit: those that help strongly, dashed if they cannot be claimed now, others faintly.
 * @param {Set<string>} claimable @param {Map<string, string[]>} helps @returns {Map<string, string>} */
export const litBy = (claimable, helps) => new Map([
  ...[...claimable].filter((id) => !helps.has(id)).map((id) => /** @type {const} */ ([id, "can"])),
  ...[...helps.keys()].map((id) => /** @type {const} */ ([id, claimable.has(id) ? "helps" : "would"]))]);
