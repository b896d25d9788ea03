/** The steps in which a result adds up. */

import { nameOn } from "../seats.mjs";
import { placeNames } from "../map/places.mjs";
import { sentenceOf } from "../sentences.mjs";
import { nearest } from "../play/shortest.mjs";
import { texts } from "../texts/texts.mjs";
import { own } from "../own.mjs";

/**
 * A step: the part it adds to, the points for each seat, its text, and its highlights.
 * @typedef {{ part: string, points: number[], words: string, lights: Lights }} Step
 */

/** The parts of a result, as the board declares them; without those that nobody has scored.
 * @param {any} board @param {any} view @returns {string[]} */
export const partsOf = (board, view) =>
  board.declared.parts.filter((/** @type {string} */ part) =>
    view.seats.some((/** @type {any} */ { result }) => own(result, part)),
  );

/** The name of a part; its name in the result if the page has no words for it.
 * @param {string} part */
export const nameOfPart = (part) => own(texts.scoring.parts, part) ?? sentenceOf(part);

/** @param {any} board @param {any} view @returns {Step[]} */
export function stepsOf(board, view) {
  return partsOf(board, view).flatMap((part) =>
    part === "tickets"
      ? tickets(board, view)
      : part === "longest_path"
        ? longest(view)
        : [whole(view, part)],
  );
}

/** @param {any} view @param {number} seat @param {number} points */
const alone = (view, seat, points) =>
  view.seats.map((/** @type {any} */ one) => (one.seat === seat ? points : 0));

/** A part at once. @param {any} view @param {string} part @returns {Step} */
function whole(view, part) {
  const points = view.seats.map((/** @type {any} */ { result }) => own(result, part) ?? 0);
  const of = view.seats
    .filter((/** @type {any} */ { result }) => own(result, part))
    .map((/** @type {any} */ { seat, result }) => `${nameOn(view, seat)} ${own(result, part)}`);
  const words = part === "routes" ? texts.scoring.routes : texts.scoring.part(nameOfPart(part), of);
  return { part, points, words, lights: {} };
}

/** Each ticket of each seat, drawn on the map. @param {any} board @param {any} view @returns {Step[]} */
function tickets(board, view) {
  const names = placeNames(board);
  return view.seats.flatMap((/** @type {any} */ { seat, left, result, revealed, completed }) => {
    if (left || !revealed)
      return result?.tickets
        ? [{ ...whole(view, "tickets"), points: alone(view, seat, result.tickets) }]
        : [];
    return revealed.tickets.map((/** @type {string} */ id) => {
      const ticket = board.tickets.find((/** @type {any} */ one) => one.id === id);
      const isDone = completed.includes(id);
      const { a, b, points: worth, way } = nearest(board, view, seat, ticket);
      const isOwn = isDone && way?.routes.length === 0; // else a station lends a route
      const points = isDone ? worth : -(ticket.ways?.[0].points ?? ticket.points);
      const kind = isDone ? "done" : "missed";
      return {
        part: "tickets",
        points: alone(view, seat, points),
        words: texts.scoring.ticket(
          nameOn(view, seat),
          `${names.get(a)} – ${names.get(b)}`,
          points,
          isDone,
          !isOwn,
        ),
        lights: {
          locations: new Map([
            [a, kind],
            [b, kind],
          ]),
          traced: way && isOwn ? [{ seat, routes: way.all }] : [],
        },
      };
    });
  });
}

/** The longest paths. @param {any} view @returns {Step[]} */
function longest(view) {
  return view.seats
    .filter((/** @type {any} */ { result }) => result?.longest_path)
    .map((/** @type {any} */ { seat, result }) => ({
      part: "longest_path",
      points: alone(view, seat, result.longest_path),
      words: texts.scoring.trail(
        nameOn(view, seat),
        result.longest_path_length,
        result.longest_path,
      ),
      lights: {},
    }));
}
