/** The parts of the map as content of an SVG: the ground once, claims and lights as they come. */

import { nothing, svg } from "../vendor/lit-html/lit-html.js";
import { badgeAt, cardColor, cardSymbol, GREY, seatPattern } from "../marks.mjs";
import { own } from "../own.mjs";

const HALO = 24; // radius of a district's colour around its locations
const TINTS = ["#7d5a86", "#2f7f79", "#a3663a", "#53658f", "#74782f", "#8f4b56"];
const GLOW = 7; // width of the highlight around a route's wagons
const FAINT = 3; // of one among many
const EDGE = 2.5; // of the dark line around one that stands out

/** @typedef {{ x: number, y: number }} Point
 * @typedef {Point & { angle: number, length: number, width: number }} Space */

/** @param {Space} space */
const turned = ({ x, y, angle }) => `translate(${x} ${y}) rotate(${angle})`;

/** @param {Space} space @param {number} [round] */
const box = (
  space,
  round = 3,
) => svg`<rect x=${-space.length / 2} y=${-space.width / 2} width=${space.length}
  height=${space.width} rx=${round}></rect>`;

/** Where the tracks are drawn thicker, those of a double route grow away from each other.
 * @param {SVGElement} drawn @param {Space[]} spaces @param {Space[]} twin of the other track */
export const aside = (drawn, [space], [other]) => {
  if (!space || !other) return;
  const angle = (space.angle * Math.PI) / 180;
  const away = Math.sign(
    (other.x - space.x) * Math.sin(angle) - (other.y - space.y) * Math.cos(angle),
  );
  drawn.style.setProperty("--aside", `${(away * space.width) / 2}px`);
};

/** Index records by id. @param {{ id: string }[]} things @returns {Map<string, any>} */
export const byId = (things) => new Map(things.map((thing) => [thing.id, thing]));

/** The lowest layer: land, districts and rails. @param {any} board @param {any} layout */
export function ground(board, layout) {
  const { areas, lines, coast } = layout.land;
  const places = byId(board.locations);
  return svg`
    <path class="shore" d=${areas + lines} stroke-width=${2 * coast + 16}></path>
    <path class="land" d=${areas + lines} stroke-width=${2 * coast}></path>
    <path class="fill" d=${areas}></path>
    ${layout.locations.map((/** @type {any} */ { id, x, y }) =>
      places.get(id).district
        ? svg`
      <circle class="halo" cx=${x} cy=${y} r=${HALO} fill=${tint(places.get(id).district)}></circle>`
        : nothing,
    )}`;
}

/** All routes as unclaimed. @param {any} board @param {any} layout */
export function tracks(board, layout) {
  const spaces = byId(layout.routes);
  const at = byId(layout.locations);
  return svg`<path class="rails" d=${board.routes
    .map((/** @type {any} */ route) => rails(route, spaces.get(route.id).spaces, at))
    .join("")}></path>
    ${board.routes.map((/** @type {any} */ route) => free(board, route, spaces.get(route.id).spaces))}`;
}

/** @param {any} route @param {Space[]} spaces @param {Map<string, Point>} at */
const rails = ({ a, b }, spaces, at) => path([at.get(a), ...spaces, at.get(b)]);

/** @param {(Point | undefined)[]} points */
const path = (points) => `M${points.map((point) => `${point?.x} ${point?.y}`).join("L")}`;

/** @param {number} district */
const tint = (district) => TINTS[(district - 1) % TINTS.length];

/** The signs that rules declare for a route, each on the declared number of its spaces.
 * @param {any} board @param {any} route @param {Space[]} spaces */
const signs = (board, route, spaces) =>
  Object.entries(board.declared.routes)
    .filter(([name, { sign }]) => sign && own(route, name))
    .map(([name, { sign }]) => {
      const shown =
        typeof own(route, name) === "number" ? spaces.slice(0, own(route, name)) : spaces;
      return svg`${shown.map(
        ({ x, y, width }) => svg`<text class="route-sign" x=${x} y=${y}
      font-size=${width + 2}>${sign}</text>`,
      )}`;
    });

/** How many of a route's first spaces show a sign instead of the card's symbol: none if all of them
 * have one, as the symbol has to be seen, too. @param {any} board @param {any} route */
const signed = (board, route) => {
  const counts = Object.keys(board.declared.routes)
    .filter((name) => own(board.declared.routes, name).sign)
    .map((name) => Number(own(route, name)) || 0);
  const most = Math.max(0, ...counts);
  return most < route.length ? most : 0;
};

/** An unclaimed route; a star marks each space that needs a wild card. @param {any} board
 * @param {any} route @param {Space[]} spaces */
function free(board, route, spaces) {
  const wilds = route.ferry ?? 0;
  const plain = signed(board, route);
  const symbol = (/** @type {Space} */ { angle, width }, /** @type {string} */ color) =>
    svg`<g class=${color === route.color ? "symbol faint-symbol" : "symbol on-ferry"}
      transform="rotate(${-angle}) scale(${width / (color === route.color ? 26 : 23)})">${cardSymbol(board, color)}</g>`;
  return svg`<g data-route=${route.id} fill="color-mix(in srgb, ${cardColor(board, route.color).paint} var(--free), var(--land))" ?data-tunnel=${route.tunnel}>
    ${spaces.map(
      (space, i) => svg`<g transform=${turned(space)}>${box(space)}
      ${i < wilds ? symbol(space, "wild") : route.color === GREY || i < plain ? nothing : symbol(space, route.color)}</g>`,
    )}
    ${signs(board, route, spaces)}</g>`;
}

/** The locations, and above everything their names. @param {any} board @param {any} layout */
export function spots(board, layout) {
  const places = byId(board.locations);
  return layout.locations.map((/** @type {any} */ { id, x, y }) => {
    const { district } = places.get(id);
    return svg`<g data-location=${id}>
      <circle class=${district ? "spot in-district" : "spot"} cx=${x} cy=${y} r=${layout.spot - (district ? 0 : 1)}
        fill=${district ? tint(district) : nothing}></circle>
      ${district ? svg`<text class="district" x=${x} y=${y + 4.2}>${district}</text>` : nothing}</g>`;
  });
}

/** @param {any} layout */
export const names = (layout) =>
  layout.locations.map(
    (/** @type {any} */ { id, x, name }) => svg`
  <text data-name=${id} class=${name.x < x - 20 ? "left" : name.x > x + 20 ? "right" : ""}>${name.lines.map(
    (/** @type {string} */ line, /** @type {number} */ i) =>
      svg`<tspan x=${name.x} y=${name.y + i * name.leading}>${line}</tspan>`,
  )}</text>`,
  );

/** A claimed route: wagons, an engine, the seat's number. @param {any} route @param {Space[]} spaces
 * @param {Map<string, Point>} at where locations are @param {number} seat */
export function claim(route, spaces, at, seat) {
  const middle = spaces[(spaces.length - 1) >> 1];
  return svg`<path class="rails" d=${rails(route, spaces, at)}></path>
    ${spaces.map(
      (space, i) => svg`<g transform=${turned(space)}><g class="wagon" fill=${seatPattern(seat)}>
      ${box(space, i === spaces.length - 1 ? 6 : 2.5)}
      ${i === spaces.length - 1 ? svg`<circle class="funnel" cx=${space.length / 2 - 7} r="3"></circle>` : nothing}
    </g></g>`,
    )}
    <g class="wagon">${badgeAt(middle.x, middle.y, 8, seat)}</g>`;
}

/** A station next to its location. @param {Point} at @param {number} seat */
export const station = ({ x, y }, seat) => svg`<g transform="translate(${x} ${y})"><g class="wagon">
  <path d="M-12 9V-4L0-13 12-4V9z" fill=${seatPattern(seat)}></path>${badgeAt(0, 0, 7, seat)}</g></g>`;

/** The highlight of a route. @param {Space[]} spaces @param {string} kind */
export const lit = (spaces, kind) =>
  svg`${kind === "helps" ? svg`<path class="edge" d=${line(spaces)} stroke-width=${spaces[0].width + 2 * (GLOW + EDGE)}></path>` : nothing}
    <path class="lit ${kind}" d=${line(spaces)} stroke-width=${spaces[0].width + 2 * (kind === "can" ? FAINT : GLOW)}></path>`;

/** The highlight of a location. @param {Point} at @param {string} kind */
export const litSpot = ({ x, y }, kind) =>
  svg`<circle class="lit ${kind}" cx=${x} cy=${y} r="17"></circle>`;

/** A part of a trail. @param {Space[]} spaces @param {number} place which one it is */
export const traced = (spaces, place) =>
  svg`<path class="traced" d=${line(spaces)} data-place=${place}></path>`;

/** A line along the spaces of a route, from end to end of them. @param {Space[]} spaces */
export function line(spaces) {
  const end = (/** @type {Space} */ { x, y, angle, length }, /** @type {number} */ way) => {
    const turn = (angle * Math.PI) / 180;
    const at = (/** @type {number} */ from, /** @type {number} */ by) =>
      Math.round((from + (way * by * length) / 2) * 10) / 10;
    return { x: at(x, Math.cos(turn)), y: at(y, Math.sin(turn)) };
  };
  return path([end(spaces[0], -1), ...spaces, end(/** @type {Space} */ (spaces.at(-1)), 1)]);
}

/** The bounding box of the drawing; it is smaller than the layout. @param {any} layout */
export function extent({ land, locations, routes, font }) {
  const shore = land.coast + 20;
  const names = locations.flatMap((/** @type {any} */ { name }) => {
    const half =
      Math.max(...name.lines.map((/** @type {string} */ text) => text.length)) * font * 0.36 + 4;
    return [
      { x: name.x - half, y: name.y - font },
      { x: name.x + half, y: name.y + name.leading * name.lines.length },
    ];
  });
  const solid = [...locations, ...routes.flatMap((/** @type {any} */ route) => route.spaces)];
  const xs = [
    ...solid.flatMap(({ x }) => [x - shore, x + shore]),
    ...names.map((/** @type {Point} */ { x }) => x),
  ];
  const ys = [
    ...solid.flatMap(({ y }) => [y - shore, y + shore]),
    ...names.map((/** @type {Point} */ { y }) => y),
  ];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}
