/** The end of the count: facts of the game, and the winners' networks as they grew. */

import { nameOn } from "../seats.mjs";
import { routeName } from "../play/routes.mjs";
import { texts } from "../texts/texts.mjs";

/** @typedef {import("./steps.mjs").Step} Step */

/** @param {any} view @returns {any[]} */
const winners = (view) => view.seats.filter((/** @type {any} */ { result }) => result?.rank === 1);

/** The winners, in words. @param {any} view */
export const won = (view) =>
  texts.scoring.won(
    winners(view).map(({ seat }) => nameOn(view, seat)),
    winners(view)[0]?.result?.total ?? 0,
  );

/** Return steps that count nothing: the longest path, the boldest ticket that is connected, the largest route, the
 * winners. @param {any} board @param {any} view @param {Step[]} counted the steps before these @returns {Step[]} */
export function story(board, view, counted) {
  const told = (/** @type {string} */ words, /** @type {Lights} */ lights = {}) => ({
    part: "",
    points: view.seats.map(() => 0),
    words,
    lights,
  });
  const most = (/** @type {any[]} */ all, /** @type {(one: any) => number} */ by) =>
    all
      .filter(by)
      .toSorted((one, other) => by(other) - by(one))
      .slice(0, 1);
  const lengths = new Map(board.routes.map((/** @type {any} */ { id, length }) => [id, length]));
  return [
    ...most(view.seats, ({ result }) => result?.longest_path_length).map(({ seat, result }) =>
      told(texts.scoring.path(nameOn(view, seat), result.longest_path_length)),
    ),
    ...most(
      counted.filter(({ part }) => part === "tickets"),
      ({ points, lights }) => (lights.traced?.length ? Math.max(...points) : 0),
    ).map(({ words, lights }) => told(texts.scoring.boldest(words), lights)),
    ...most(view.claims ?? [], ({ route }) => lengths.get(route)).map(({ route, seat }) =>
      told(texts.scoring.largest(nameOn(view, seat), routeName(board, route), lengths.get(route)), {
        traced: [{ seat, routes: [route] }],
      }),
    ),
    told(won(view), {
      traced: winners(view).map(({ seat }) => ({
        seat,
        routes: (view.claims ?? [])
          .filter((/** @type {any} */ claim) => claim.seat === seat)
          .map((/** @type {any} */ { route }) => route),
      })),
    }),
  ];
}
