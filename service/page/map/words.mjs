/** Routes and locations in words. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { cardColor, cardSymbol, GREY, seatBadge } from "../marks.mjs";
import { declared } from "../declared.mjs";
import { nameOn } from "../seats.mjs";
import { placeNames } from "./places.mjs";
import { texts } from "../texts/texts.mjs";
import { own } from "../own.mjs";

/** The texts that rules declare for the marks of a route, a location or a ticket. If `isShort`, a mark
 * without further values gives only the text before the colon. @param {any} board
 * @param {"routes" | "locations" | "tickets"} which @param {any} record @param {boolean} [isShort] @returns {string[]} */
export const marksOf = (board, which, record, isShort = false) =>
  Object.keys(board.declared[which] ?? {})
    .filter((name) => own(record, name))
    .flatMap((name) => {
      const said = declared(board, which, name, record) ?? [];
      return isShort && own(record, name) === true ? String(said).split(":", 1) : said;
    });

/** The facts of a route, without its ends. @param {any} board @param {any} route
 * @returns {string[]} */
export function facts(board, route) {
  const color = route.color === GREY ? texts.map.grey : cardColor(board, route.color).name;
  return [
    texts.map.takes(route.length, color),
    ...marksOf(board, "routes", route),
    ...(route.twin ? [texts.map.double] : []),
  ];
}

/** The owner of a route, in words. @param {any} view @param {string} id */
export function ownership(view, id) {
  const claimed = view.claims?.find((/** @type {any} */ claim) => claim.route === id);
  return claimed ? texts.map.owned(nameOn(view, claimed.seat)) : texts.map.free;
}

/** The hint for the pointed track or location. @param {Table} table @param {Where} where
 * @param {(route: any) => any} info further content for a route */
export function described({ board, view }, where, info) {
  const names = placeNames(board);
  if ("location" in where) {
    const place = board.locations.find((/** @type {any} */ { id }) => id === where.location);
    const built = view.stations?.find(
      (/** @type {any} */ { location }) => location === where.location,
    );
    return html`<strong>${names.get(where.location)}</strong>
      ${marksOf(board, "locations", place).map((said) => html`<span>${said}</span>`)}
      ${
        built
          ? html`<span class="fact"
              >${seatBadge(built.seat)}
              <bdi>${texts.map.station(nameOn(view, built.seat))}</bdi></span
            >`
          : nothing
      }`;
  }
  const route = board.routes.find((/** @type {any} */ one) => one.id === where.route);
  const owner = view.claims?.find((/** @type {any} */ claim) => claim.route === route.id);
  const [first, ...others] = facts(board, route);
  return html`<strong>${names.get(route.a)} – ${names.get(route.b)}</strong>
    <span class="fact"
      >${swatch(board, route.color)}${first} ·
      ${texts.map.worth(own(board.points, route.length) ?? 0)}</span
    >
    ${others.map((fact) => html`<span>${fact}</span>`)}
    ${owner ? html`<span class="fact">${seatBadge(owner.seat)}<bdi>${ownership(view, route.id)}</bdi></span>` : nothing}
    ${info(route)}`;
}

/** A card's colour and symbol, small. @param {any} board @param {string} color */
export const swatch = (board, color) =>
  html`<svg viewBox="-11 -11 22 22" width="20" height="20" aria-hidden="true">
    <rect
      class="swatch"
      x="-11"
      y="-11"
      width="22"
      height="22"
      rx="4"
      fill=${cardColor(board, color).paint}
    ></rect>
    <g transform="scale(.8)">${color === GREY ? nothing : cardSymbol(board, color)}</g>
  </svg>`;
