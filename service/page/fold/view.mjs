/**
 * A state as the API shows it, and the other way round.
 *
 * @import { Board, View } from "../fold.js"
 * @import { Seat, State } from "./state.mjs"
 */

import { own } from "./own.mjs";
import { add, total } from "./state.mjs";

/** Memoize a function of a part of a state. @template {object} T, R
 * @param {(part: T) => R} make @returns {(part: T) => R} */
const once = (make) => {
  /** @type {WeakMap<T, R>} */ const made = new WeakMap();
  return (part) => {
    if (!made.has(part)) made.set(part, make(part));
    return /** @type {R} */ (made.get(part));
  };
};

/** Remove the members that do not apply. @template {object} T @param {T} members @returns {T} */
const there = (members) => /** @type {T} */ (
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)));

const told = once((/** @type {Seat[]} */ seats) => seats.map((seat) => seat.told));
const revealed = once((/** @type {Seat[]} */ seats) => seats.map((seat) => shown(seat)));
const shown = once((/** @type {Seat} */ { told, hand, tickets = [], offered, removed, isOver }) => (
  !hand ? told : { ...told, revealed: isOver ? { hand, tickets: [...tickets, ...removed ?? []] }
    : there({ hand, tickets, offered }) }));
const held = once((/** @type {Seat} */ { told: { seat }, hand, tickets, offered }) => (
  there({ seat, hand, tickets, offered })));

/** @type {(state: State, viewer: number | null) => View} */
export const viewOf = (state, viewer) => {
  const seat = viewer === null ? undefined : state.seats[viewer];
  const isKnown = seat?.told.player && (seat.hand || !state.row);
  return /** @type {View} */ (there({
    id: state.id, board: state.board_id, status: state.status, version: state.version,
    rules_version: state.rules_version, creator: state.creator,
    seats: (state.seed && state.row ? revealed : told)(state.seats),
    deciding: state.deciding, commitment: state.commitment, seed_known: state.seed_known,
    row: state.row, deck: state.deck, discards: state.discarded && total(state.discarded),
    discarded: state.discarded, ticket_deck: state.ticket_deck, claims: state.claims,
    ...state.declared, tunnel: state.tunnel, final_turns: state.final?.length,
    clock: state.clock, visibility: state.visibility, spectators: state.spectators,
    fork: state.fork, tournament: state.tournament, pool: state.pool, ending: state.ending,
    seed: state.status === "finished" ? state.seed : undefined,
    you: seat && isKnown ? held(seat) : undefined,
    created: state.created, updated: state.updated, started: state.started,
  }));
};

/** The members of a view that the board declares. @param {any} view @param {Board} board */
const pick = (view, board) => Object.fromEntries(
  Object.keys(/** @type {any} */ (board).declared?.view ?? {}).map((name) => [name, own(view, name)]));

/** Build a state from a view: its public members, and the viewer's hand.
 * @type {(view: any, board: Board) => State} */
export const stateOf = ({ seats, you, final_turns, ...view }, board) => {
  const deciding = view.deciding.map((/** @type {any} */ { seat, decision }) => ({ seat, decision }));
  /** @type {number} */ const turn = deciding[0]?.seat ?? 0;
  const inTurn = [...seats.slice(turn), ...seats.slice(0, turn)].filter(({ left }) => !left);
  return {
    ...view, deciding, board, board_id: view.board, declared: pick(view, board), isSetUp: deciding.length < 2,
    before: view.tunnel && add(/** @type {any} */ ({ board }), seats[turn].taken, view.tunnel.laid),
    final: final_turns && inTurn.slice(0, final_turns).map(({ seat }) => seat),
    seats: seats.map((/** @type {any} */ { bank: _, ...told }) => (
      { told, ...(told.seat === you?.seat && there(you)) })),
  };
};
