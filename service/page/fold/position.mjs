/**
 * The position that a fork goes on from: numbers are places in the board's table.
 *
 * @import { State } from "./state.mjs"
 */

import { add, change, counted } from "./state.mjs";

/** @type {(state: State, position: Record<string, any>) => void} */
export const setPosition = (state, position) => {
  const { board } = state;
  const colors = Object.keys(board.cards);
  const named = (/** @type {number[]} */ cards = []) => cards.map((card) => colors[card]);
  const cards = (/** @type {number[]} */ counts) => add(state,
    Object.fromEntries(colors.map((color, i) => [color, counts[i]])), {});
  const ids = (/** @type {number[]} */ tickets) => tickets.map((i) => board.tickets[i].id);
  const sum = (/** @type {number[]} */ counts) => counts.reduce((all, n) => all + n, 0);
  const { turn, step, final, tunnel } = position;
  Object.assign(state, {
    row: named(position.row), deck: position.deck.length, discarded: cards(position.discards),
    ticket_deck: position.ticket_deck.length, final: final ?? undefined,
    claims: position.routes.flatMap((/** @type {number[]} */ routes, /** @type {number} */ seat) => (
      routes.map((i) => ({ route: board.routes[i].id, seat })))),
    ...(state.stations && { stations: (position.stations ?? []).flatMap(
      (/** @type {number[]} */ built, /** @type {number} */ seat) => (
        built.map((i) => ({ location: board.locations[i].id, seat })))) }),
    ...(tunnel && { before: counted(named(tunnel.taken)), tunnel: { seat: turn,
      route: board.routes[tunnel.route].id, laid: cards(tunnel.laid), turned: named(tunnel.turned),
      extra: tunnel.extra } }),
  });
  state.seats.forEach(({ told }, seat) => change(state, seat, {
    score: position.points[seat], trains: position.trains[seat], cards: sum(position.hands[seat]),
    tickets: position.tickets[seat].length,
    taken: add(state, counted(named(position.taken?.[seat])), {}),
    ...(told.stations !== undefined && {
      stations: told.stations - (position.stations?.[seat].length ?? 0) }),
    ...(told.flag && { flag: named(position.flags?.[seat]) }),
    ...(position.left[seat] && { left: position.left[seat] }),
  }, {
    hand: cards(position.hands[seat]), tickets: ids(position.tickets[seat]),
    offered: position.offered[seat].length ? ids(position.offered[seat]) : undefined,
    removed: ids(position.removed[seat]),
  }));
  state.isSetUp = step !== "setup";
  state.deciding = state.isSetUp ? [{ seat: turn, decision: step }]
    : state.seats.flatMap(({ told, offered }) => (
      offered && !told.left ? [{ seat: told.seat, decision: "keep_tickets" }] : []));
};
