/** The end of a game as a story: the winners' networks as they grow, and three facts. */

import { nameOn } from "../seats.mjs";
import { routeName } from "../play/routes.mjs";
import { tickets } from "./steps.mjs";
import { texts } from "../texts/texts.mjs";

/** @typedef {import("../map/map.mjs").Lights} Lights */

/** The networks of the winners, to be drawn outwards from their longest routes. @param {any} board @param {any} view
 * @returns {Lights} */
export const networks = (board, view) => ({ traced: view.seats.filter((/** @type {any} */ { result }) => result?.rank === 1)
  .map((/** @type {any} */ { seat }) => ({ seat, routes: grown(board.routes.filter((/** @type {any} */ { id }) => (
    view.claims.some((/** @type {any} */ claim) => claim.seat === seat && claim.route === id)))) })) });

/** The ids of routes in an order in which a network grows. @param {any[]} routes */
function grown(routes) {
  const left = routes.toSorted((one, other) => other.length - one.length);
  const reached = new Set();
  return routes.map(() => {
    const [{ id, a, b }] = left.splice(Math.max(0, left.findIndex((one) => reached.has(one.a) || reached.has(one.b))), 1);
    reached.add(a).add(b);
    return id;
  });
}

/** The longest path, the boldest ticket that was connected, and the largest route: each with what it is called, whose it
 * is, and its highlights. @param {any} board @param {any} view
 * @returns {{ title: string, words: string, lights: () => Lights }[]} */
export function facts(board, view) {
  const { scoring } = texts;
  const most = (/** @type {any[]} */ all, /** @type {(one: any) => number} */ by) => all.toSorted((one, other) => by(other) - by(one)).slice(0, 1);
  const lengths = new Map(board.routes.map((/** @type {any} */ { id, length }) => [id, length]));
  return [
    ...most(view.seats.filter((/** @type {any} */ { result }) => result?.longest_path_length), ({ result }) => result.longest_path_length)
      .map(({ seat, result: { longest_path_length: length } }) => ({ title: scoring.parts.longest_path, words: `${nameOn(view, seat)}: ${length}`,
        lights: () => ({}) })),
    ...most(tickets(board, view).filter(({ lights }) => lights.traced?.length), ({ points }) => Math.max(...points))
      .map(({ words, lights }) => ({ title: scoring.boldest, words, lights: () => lights })),
    ...most(view.claims ?? [], ({ route }) => lengths.get(route)).map(({ route, seat }) => ({ title: scoring.largest,
      words: `${nameOn(view, seat)}: ${routeName(board, route)}, ${lengths.get(route)}`, lights: () => ({ traced: [{ seat, routes: [route] }] }) })),
  ];
}
