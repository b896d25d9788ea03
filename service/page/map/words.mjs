/** Routes and locations in words. */

import { cardColor, GREY } from "../marks.mjs";
import { texts } from "../texts/texts.mjs";

/** What there is to know of a route, beside its ends. @param {any} board @param {any} route
 * @returns {string[]} */
export function facts(board, route) {
  const color = route.color === GREY ? texts.map.grey : cardColor(board, route.color).name;
  return [texts.map.takes(route.length, color), route.tunnel && texts.map.tunnel,
    route.ferry && texts.map.ferry(route.ferry, cardColor(board, "wild").name),
    route.twin && texts.map.double].filter(Boolean);
}

/** Whose a route is, in words. @param {any} view @param {string} id */
export function ownership(view, id) {
  const found = view.claims?.find((/** @type {any} */ claim) => claim.route === id);
  return found ? texts.map.owned(view.seats[found.seat].player?.name ?? `${found.seat}`) : texts.map.free;
}
