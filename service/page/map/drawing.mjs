/** The parts of the map as content of an SVG: the ground once, claims and lights as they come. */

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { badgeAt, cardColor, cardSymbol, seatPaint, seatPattern } from "../marks.mjs";

const HALO = 24; // how far a district's colour goes around its locations
const TINTS = ["#7d5a86", "#2f7f79", "#a3663a", "#53658f", "#74782f", "#8f4b56"];

/** @typedef {{ x: number, y: number, angle: number, length: number, width: number }} Space */

/** @param {Space} space */
const turned = ({ x, y, angle }) => `translate(${x} ${y}) rotate(${angle})`;

/** @param {Space} space */
const box = (space) => svg`<rect x=${-space.length / 2} y=${-space.width / 2} width=${space.length}
  height=${space.width} rx="3"></rect>`;

/** Land, districts, free routes, locations: what never changes. @param {any} board @param {any} layout */
export function ground(board, layout) {
  const { areas, lines, coast } = layout.land;
  const routes = new Map(board.routes.map((/** @type {any} */ route) => [route.id, route]));
  const places = new Map(board.locations.map((/** @type {any} */ place) => [place.id, place]));
  return svg`
    <path class="shore" d=${areas + lines} stroke-width=${2 * coast + 16}></path>
    <path class="land" d=${areas + lines} stroke-width=${2 * coast}></path>
    <path class="fill" d=${areas}></path>
    ${halos(layout, places)}
    <path class="rails" d=${rails(board, layout)}></path>
    ${layout.routes.map((/** @type {any} */ { id, spaces }) => free(board, routes.get(id), spaces))}
    ${layout.locations.map((/** @type {any} */ at) => spot(layout, at, places.get(at.id).district))}`;
}

/** @param {any} layout @param {Map<string, any>} places */
function halos(layout, places) {
  return layout.locations.filter((/** @type {any} */ { id }) => places.get(id).district)
    .map((/** @type {any} */ { id, x, y }) => svg`<circle class="halo" cx=${x} cy=${y} r=${HALO}
      fill=${tint(places.get(id).district)}></circle>`);
}

/** @param {number} district */
const tint = (district) => TINTS[(district - 1) % TINTS.length];

/** @param {any} board @param {any} layout */
function rails(board, layout) {
  const at = new Map(layout.locations.map((/** @type {any} */ place) => [place.id, place]));
  const spaces = new Map(layout.routes.map((/** @type {any} */ route) => [route.id, route.spaces]));
  return board.routes.map((/** @type {any} */ { id, a, b }) =>
    `M${[at.get(a), ...spaces.get(id), at.get(b)].map(({ x, y }) => `${x} ${y}`).join("L")}`).join("");
}

/** A route nobody has. @param {any} board @param {any} route @param {Space[]} spaces */
function free(board, route, spaces) {
  const { paint } = cardColor(board, route.color);
  const wilds = route.ferry ?? 0;
  return svg`<g class="free" data-free=${route.id} fill=${paint} ?data-tunnel=${route.tunnel}>
    ${spaces.map((space, i) => svg`<g transform=${turned(space)}>${box(space)}
      ${i < wilds ? svg`<g transform="rotate(${-space.angle}) scale(.55)">${cardSymbol(board, "wild")}</g>`
        : route.color === "grey" ? nothing
          : svg`<g class="faint-symbol" transform="rotate(${-space.angle}) scale(.5)">${cardSymbol(board, route.color)}</g>`}
    </g>`)}</g>`;
}

/** @param {any} layout @param {any} at @param {number | undefined} district */
function spot(layout, { x, y, name }, district) {
  return svg`<circle class=${district ? "spot in-district" : "spot"} cx=${x} cy=${y} r=${layout.spot - (district ? 0 : 1)}
      fill=${district ? tint(district) : nothing}></circle>
    ${district ? svg`<text class="district" x=${x} y=${y + 4.2} font-size="12">${district}</text>` : nothing}
    <text class="name" font-size=${layout.font}>${name.lines.map((/** @type {string} */ line, /** @type {number} */ i) =>
    svg`<tspan x=${name.x} y=${name.y + i * name.leading}>${line}</tspan>`)}</text>`;
}

/** A claimed route: wagons, an engine, the seat's number. @param {Space[]} spaces
 * @param {number} seat @param {boolean} isNew whether it is to be seen coming */
export const claim = (spaces, seat, isNew) => svg`<g class=${isNew ? "claim new" : "claim"} data-seat=${seat}>
  ${spaces.map((space, i) => svg`<g transform=${turned(space)}><g class="wagon">
    <g fill=${seatPaint(seat)}>${box(space)}</g>
    <g fill=${seatPattern(seat)}>${box(space)}</g>
    ${i === spaces.length - 1 ? svg`<circle class="funnel" cx=${space.length / 2 - 7} r="3"></circle>` : nothing}
  </g></g>`)}
  ${badgeAt(spaces[(spaces.length - 1) >> 1].x, spaces[(spaces.length - 1) >> 1].y, 7.5, seat)}</g>`;

/** A station beside its location. @param {{ x: number, y: number }} at @param {number} seat */
export const station = ({ x, y }, seat) => svg`<g class="station" transform="translate(${x} ${y})">
  <path d="M-11 6V-4L0-13 11-4V6z" fill=${seatPaint(seat)}></path>
  <path d="M-11 6V-4L0-13 11-4V6z" fill=${seatPattern(seat)}></path>${badgeAt(0, -1, 6, seat)}</g>`;

/** What lights up along a route. @param {Space[]} spaces @param {string} kind */
export const lit = (spaces, kind) => svg`<path class="lit ${kind}" d=${line(spaces)}></path>`;

/** What lights up at a location. @param {{ x: number, y: number }} at @param {string} kind */
export const litSpot = ({ x, y }, kind) => svg`<circle class="lit ${kind}" cx=${x} cy=${y} r="16"></circle>`;

/** A part of a trail. @param {Space[]} spaces */
export const traced = (spaces) => svg`<path class="traced" d=${line(spaces)}></path>`;

/** Where a route is pointed at and clicked. @param {any} route @param {Space[]} spaces */
export const target = (route, spaces) => svg`<path class="target" data-route=${route.id} d=${line(spaces)}></path>`;

/** A line along the spaces of a route, from end to end of them. @param {Space[]} spaces */
function line(spaces) {
  const along = (/** @type {Space} */ { x, y, angle, length }, /** @type {number} */ way) => {
    const turn = angle * Math.PI / 180;
    return `${(x + way * Math.cos(turn) * length / 2).toFixed(1)} ${(y + way * Math.sin(turn) * length / 2).toFixed(1)}`;
  };
  const middles = spaces.map(({ x, y }) => `${x} ${y}`);
  return `M${[along(spaces[0], -1), ...middles, along(/** @type {Space} */ (spaces.at(-1)), 1)].join("L")}`;
}

/** A whole map in little, for lists: land, lines, claims. @param {any} layout @param {any} [view] */
export function little(layout, view) {
  const spaces = new Map(layout.routes.map((/** @type {any} */ route) => [route.id, route.spaces]));
  const { areas, lines, coast } = layout.land;
  return html`<svg class="little" viewBox="0 0 ${layout.width} ${layout.height}" aria-hidden="true">
    <path class="land" d=${areas + lines} stroke-width=${2 * coast}></path><path class="fill" d=${areas}></path>
    <path class="tracks" d=${[...spaces.values()].map(line).join("")}></path>
    ${view?.claims?.map((/** @type {any} */ { route, seat }) => svg`<path class="claimed"
      d=${line(spaces.get(route))} stroke=${seatPaint(seat)}></path>`)}</svg>`;
}
