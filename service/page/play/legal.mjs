/** The legal actions, read from the API's groups. This module contains no rules. */

import { own } from "../own.mjs";

/** @typedef {API["ActionGroup"]} Group */
/** @typedef {Record<string, any> & { type: string }} Action one to be posted */

/** Whether an action of a type may be played. @param {Group[]} groups @param {string} type */
export const may = (groups, type) => groups.some((group) => group.type === type);

/** The colours that may be taken from the row. @param {Group[]} groups */
export const takeable = (groups) => new Set(groups.flatMap((group) => group.card ?? []));

/** Whether a card may be drawn unseen. @param {Group[]} groups */
export const deckIsOpen = (groups) => groups.some((group) => group.from?.includes("deck"));

/** The routes that may be claimed. @param {Group[]} groups */
export const claimable = (groups) => new Set(groups.flatMap((group) => group.route ?? []));

/** The locations where a station may be built. @param {Group[]} groups */
export const buildable = (groups) => new Set(groups.flatMap((group) => group.location ?? []));

/** The choices of tickets that may be kept. @param {Group[]} groups */
export const keepable = (groups) => groups.flatMap((group) => group.tickets ?? []);

/** All actions of some groups at a route or a location: each with one set of cards.
 * @param {Group[]} groups @param {{ route?: string, location?: string }} where @returns {Action[]} */
export function waysAt(groups, where) {
  return groups
    .filter(
      ({ route, location }) =>
        (where.route !== undefined && route?.includes(where.route)) ||
        (where.location !== undefined && location?.includes(where.location)),
    )
    .flatMap((group) => ways(group).map((way) => ({ type: group.type, ...where, ...way })));
}

/** The ways to pay of one group, `keep_for_flag` with each where it is asked.
 * @param {Group} group @returns {Record<string, any>[]} */
export function ways({ cards = [], keep_for_flag: keep }) {
  return cards.flatMap((one) =>
    keep ? keep.map((value) => ({ cards: one, keep_for_flag: value })) : [{ cards: one }],
  );
}

/** The actions without controls of their own on this page, for which rules declare words. Each is
 * in the form in which it is posted. @param {any} board @param {Group[]} groups
 * @returns {Action[]} */
export const declaredActions = ({ declared }, groups) =>
  groups
    .filter(({ type }) => declared.actions[type])
    .flatMap(({ type, ...members }) =>
      Object.entries(members).reduce(
        (made, [name, values]) =>
          made.flatMap((one) =>
            /** @type {any[]} */ (values).map((value) => ({ ...one, [name]: value })),
          ),
        [/** @type {Action} */ ({ type })],
      ),
    );

/** Ways to pay, the best guess first: the fewest wilds, then the fewest cards, then those of which most are left.
 * @template {Record<string, any>} T @param {T[]} given @param {Record<string, number>} hand */
export function inOrder(given, hand) {
  const rank = (/** @type {Record<string, number>} */ cards) => {
    const all = Object.entries(cards);
    const left = all.map(([name, count]) =>
      name === "wild" ? Infinity : (own(hand, name) ?? 0) - count,
    );
    return [cards.wild ?? 0, all.reduce((sum, [, count]) => sum + count, 0), -Math.min(...left)];
  };
  return given.toSorted((one, other) => {
    const [[wilds, count, left], [wilds2, count2, left2]] = [rank(one.cards), rank(other.cards)];
    return wilds - wilds2 || count - count2 || left - left2;
  });
}

/** Whether two sets of names are the same. @param {Iterable<string>} one @param {Iterable<string>} other */
export const same = (one, other) => [...one].sort().join() === [...other].sort().join();
