/**
 * A state of a fold, and the small changes that make up events. Callers change a copy of the state,
 * and replace its parts.
 *
 * @import { Board, Cards } from "../fold.js"
 */

import { colorsOf, own } from "./own.mjs";

/** @typedef {{ told: Record<string, any>, hand?: Cards, tickets?: string[], offered?: string[],
 *    removed?: string[], isOver?: boolean }} Seat the public members of a seat, and its hidden
 *    members as far as the entries contain them */
/** @typedef {Record<string, any> & { board: Board, seats: Seat[] }} State */

/** @type {(state: State, seat: number, told: Record<string, any>, held?: Partial<Seat>) => void} */
export const change = (state, seat, told, held) => {
  const was = state.seats[seat];
  state.seats = state.seats.with(seat, { ...was, ...held, told: { ...was.told, ...told } });
};

/** @type {(state: State, cards: Cards, more: Cards, times?: number) => Cards} */
export const add = ({ board }, cards, more, times = 1) => {
  /** @type {[string, number][]} */ const sums = [];
  for (const color of colorsOf(board)) {
    const count = (own(cards, color) ?? 0) + times * (own(more, color) ?? 0);
    if (count) sums.push([color, count]);
  }
  return Object.fromEntries(sums);
};

/** @type {(cards: Cards) => number} */
export const total = (cards) => Object.values(cards).reduce((sum, count) => sum + count, 0);

/** @type {(colors: string[]) => Cards} */
export const counted = (colors) => {
  /** @type {Map<string, number>} */ const counts = new Map();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  return Object.fromEntries(counts);
};

/** Return the length of a list, or the count that replaces a hidden list.
 * @type {(event: any, name: string) => number} */
export const count = (event, name) => own(event, name)?.length ?? own(event, `${name}_count`) ?? 0;

/** @type {(state: State, seat: number, gain: number, cards?: Cards) => void} */
export const get = (state, seat, gain, cards) => {
  const { told, hand } = state.seats[seat];
  change(state, seat, { cards: told.cards + gain },
    { hand: hand && cards && add(state, hand, cards) });
};

/** Remove cards from a hand, first those that are publicly known.
 * @type {(state: State, seat: number, cards: Cards) => void} */
export const lay = (state, seat, cards) => {
  const { told, hand } = state.seats[seat];
  /** @type {[string, number][]} */ const taken = Object.entries(told.taken);
  const known = Object.fromEntries(taken.map(([color, n]) => [color, Math.min(n, own(cards, color) ?? 0)]));
  change(state, seat, { cards: told.cards - total(cards), taken: add(state, told.taken, known, -1) },
    { hand: hand && add(state, hand, cards, -1) });
};

/** Return the cards laid for a tunnel to the hand; a claim is paid from them.
 * @type {(state: State, seat: number) => void} */
export const takeBack = (state, seat) => {
  if (!state.tunnel) return;
  get(state, seat, total(state.tunnel.laid), state.tunnel.laid);
  change(state, seat, { taken: state.before ?? state.seats[seat].told.taken });
  state.tunnel = { ...state.tunnel, laid: {} };
};

/** @type {(state: State, cards: Cards) => void} */
export const discard = (state, cards) => { state.discarded = add(state, state.discarded, cards); };

/** Lists of what seats own are in the order of the seats.
 * @type {<T extends { seat: number }>(list: T[], item: T) => T[]} */
export const insert = (list, item) => [...list.filter((other) => other.seat <= item.seat), item,
  ...list.filter((other) => other.seat > item.seat)];
