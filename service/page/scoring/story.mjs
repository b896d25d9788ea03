/** What is told when all points are counted: three facts of the game, and the winners' networks as they grow. */

import { nameOn } from "../seats.mjs";
import { routeName } from "../play/routes.mjs";
import { texts } from "../texts/texts.mjs";
import { tickets } from "./steps.mjs";

/** @param {any} view */
const winners = (view) => view.seats.filter((/** @type {any} */ { result }) => result?.rank === 1);

/** The winner, in words. @param {any} view */
export const won = (view) => texts.scoring.won(winners(view).map((/** @type {any} */ { seat }) => nameOn(view, seat)),
  winners(view)[0]?.result?.total ?? 0);

/** Return steps that count nothing: the longest path, the boldest ticket that is connected, the largest route, the
 * winners. @param {any} board @param {any} view @returns {import("./steps.mjs").Step[]} */
export function story(board, view) {
  const { scoring } = texts;
  const most = (/** @type {any[]} */ all, /** @type {(one: any) => number} */ by) => all.toSorted((one, other) => by(other) - by(one)).slice(0, 1);
  const told = (/** @type {string} */ words, /** @type {import("../map/map.mjs").Lights} */ lights) => ({
    part: "", points: view.seats.map(() => 0), words, lights });
  const lengths = new Map(board.routes.map((/** @type {any} */ { id, length }) => [id, length]));
  return [
    ...most(view.seats.filter((/** @type {any} */ { result }) => result?.longest_path_length), ({ result }) => result.longest_path_length)
      .map(({ seat, result: { longest_path_length: length } }) => told(scoring.path(nameOn(view, seat), length), {})),
    ...most(tickets(board, view).filter(({ lights }) => lights.traced?.length), ({ points }) => Math.max(...points))
      .map(({ words, lights }) => told(scoring.boldest(words), lights)),
    ...most(view.claims ?? [], ({ route }) => lengths.get(route)).map(({ route, seat }) => told(
      scoring.largest(nameOn(view, seat), routeName(board, route), lengths.get(route)), { traced: [{ seat, routes: [route] }] })),
    told(won(view), { traced: winners(view).map((/** @type {any} */ { seat }) => ({ seat, routes: grown(board, view, seat) })) }),
  ];
}

/** The ids of a seat's routes in an order in which its network grows from the longest. @param {any} board @param {any} view
 * @param {number} seat @returns {string[]} */
function grown(board, view, seat) {
  const mine = new Set(view.claims.filter((/** @type {any} */ claim) => claim.seat === seat).map((/** @type {any} */ { route }) => route));
  const left = board.routes.filter((/** @type {any} */ { id }) => mine.has(id)).toSorted((/** @type {any} */ one, /** @type {any} */ other) => other.length - one.length);
  const reached = new Set();
  return left.map(() => {
    const [{ id, a, b }] = left.splice(Math.max(0, left.findIndex((/** @type {any} */ one) => reached.has(one.a) || reached.has(one.b))), 1);
    reached.add(a).add(b);
    return id;
  });
}
