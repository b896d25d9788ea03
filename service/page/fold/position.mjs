/**
 * The position that a fork goes on from: numbers are places in the board's table.
 *
 * @import { State } from "./state.mjs"
 */

import { colorsOf, own } from "./own.mjs";
import { add, change, counted } from "./state.mjs";
import { members } from "./declared.mjs";

/** @typedef {{ step: string, turn: number, final: number[] | null, deck: number[], row: number[],
 *    discards: number[], ticket_deck: number[], hands: number[][], tickets: number[][],
 *    offered: number[][], removed: number[][], trains: number[], points: number[],
 *    routes: number[][], left: (string | null)[], taken?: number[][], stations?: number[][],
 *    flags?: number[][], tunnel?: { route: number, laid: number[], turned: number[], extra: number,
 *    taken: number[] } | null }} Position each list of lists is by seat */

/** @type {(state: State, position: Position) => void} */
export const setPosition = (state, position) => {
  const { board } = state;
  const { turn, step, tunnel, taken = [], stations = [], flags = [] } = position;
  const colors = colorsOf(board);
  const named = (/** @type {number[]} */ cards) => cards.map((card) => colors[card]);
  const cards = (/** @type {number[]} */ counts) => add(state,
    Object.fromEntries(colors.map((color, i) => [color, counts[i]])), {});
  const ids = (/** @type {number[]} */ places, /** @type {{ id: string }[]} */ of) => (
    places.map((place) => of[place].id));
  Object.assign(state, {
    row: named(position.row), deck: position.deck.length, discarded: cards(position.discards),
    ticket_deck: position.ticket_deck.length, final: position.final ?? undefined,
    claims: position.routes.flatMap((routes, seat) => (
      ids(routes, board.routes).map((route) => ({ route, seat })))),
    ...(tunnel && { before: counted(named(tunnel.taken)), tunnel: {
      seat: turn, route: board.routes[tunnel.route].id, laid: cards(tunnel.laid),
      turned: named(tunnel.turned), extra: tunnel.extra } }),
  });
  const held = (/** @type {"view" | "seat_view"} */ which) => members(state, which)
    .filter(([name, { in_position }]) => in_position !== false && Object.hasOwn(position, name))
    .map(([name]) => /** @type {[string, any]} */ ([name, own(/** @type {any} */ (position), name)]));
  state.declared = { ...state.declared, ...Object.fromEntries(held("view")),
    ...(state.declared.stations && { stations: stations.flatMap((built, seat) => (
      ids(built, board.locations).map((location) => ({ location, seat })))) }) };
  state.seats.forEach(({ told }, seat) => change(state, seat, {
    score: position.points[seat], trains: position.trains[seat],
    cards: position.hands[seat].reduce((sum, count) => sum + count, 0),
    tickets: position.tickets[seat].length, taken: counted(named(taken[seat] ?? [])),
    ...(told.stations !== undefined && { stations: told.stations - (stations[seat] ?? []).length }),
    ...(told.flag && { flag: named(flags[seat] ?? []) }),
    ...Object.fromEntries(held("seat_view").map(([name, each]) => [name, each[seat]])),
    ...(position.left[seat] && { left: position.left[seat] }),
  }, {
    hand: cards(position.hands[seat]), tickets: ids(position.tickets[seat], board.tickets),
    offered: position.offered[seat].length ? ids(position.offered[seat], board.tickets) : undefined,
    removed: ids(position.removed[seat], board.tickets),
  }));
  state.isSetUp = step !== "setup";
  state.deciding = state.isSetUp ? [{ seat: turn, decision: step }]
    : state.seats.flatMap(({ told: { seat, left }, offered }) => (
      offered && !left ? [{ seat, decision: "keep_tickets" }] : []));
};
