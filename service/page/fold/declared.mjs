/**
 * Changes that rules declare for their events. The board has them (`declared`); domain/changes.py lists
 * the kinds of change.
 *
 * @import { State } from "./state.mjs"
 */

import { own } from "./own.mjs";
import { change, discard, insert, lay } from "./state.mjs";

/** @typedef {{ plus?: number | string, becomes?: any, appends?: string, counts?: string,
 *    lists?: string[] }} Change of a member of a view */
/** @typedef {Record<string, { starts?: any, changes?: Record<string, Change>, in_position?: boolean }>} Members */

/** The members of a view, or of its seats, for which the board declares how events change them.
 * @param {State} state @param {"view" | "seat_view"} which @returns {[string, Members[string]][]} */
export const members = ({ board }, which) => (
  Object.entries(/** @type {any} */ (board).declared?.[which] ?? {}).filter(([, { changes }]) => changes));

/** The values of declared members when a game begins. @param {State} state @param {"view" | "seat_view"} which */
export const starts = (state, which) => (
  Object.fromEntries(members(state, which).map(([name, { starts: value }]) => [name, value])));

/** Make the changes that are declared for an event. @param {State} state @param {any} event */
export const follow = (state, event) => {
  const { pays, discards, decision } = own(/** @type {any} */ (state.board).declared?.events, event.type) ?? {};
  if (pays) lay(state, event.seat, event.cards);
  if (pays || discards) discard(state, event.cards);
  if (decision) state.deciding = [{ seat: event.seat, decision }];
  for (const [name, { changes }] of members(state, "view")) {
    const one = own(changes, event.type);
    if (one) state.declared = { ...state.declared, [name]: changed(own(state.declared, name), one, event) };
  }
  for (const [name, { changes }] of members(state, "seat_view")) {
    const one = own(changes, event.type);
    if (one) change(state, event.seat, { [name]: changed(own(state.seats[event.seat].told, name), one, event) });
  }
};

/** @param {any} was @param {Change} is @param {any} event */
const changed = (was, { plus, becomes, appends, counts, lists }, event) => {
  if (plus !== undefined) return was + (typeof plus === "string" ? own(event, plus) ?? 0 : plus);
  if (becomes !== undefined) return becomes;
  if (lists) return insert(was, /** @type {any} */ (Object.fromEntries(lists.map((name) => [name, own(event, name)]))));
  const given = own(event, /** @type {string} */ (appends ?? counts));
  if (given === undefined) return was;
  return appends ? [...was, given] : { ...was, [given]: (own(was, given) ?? 0) + 1 };
};
