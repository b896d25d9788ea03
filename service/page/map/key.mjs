/** The legend of the map: the meaning of each sign that this board and this game use. */

import { cardColor, GREY, seatBadge, seatDash, seatPaint, SEATS } from "../marks.mjs";
import { claim, lit, litSpot, spots, station, traced, tracks } from "./drawing.mjs";
import { html, nothing, render, svg } from "../vendor/lit-html/lit-html.js";
import { marksOf, swatch } from "./words.mjs";
import { nameOn } from "../seats.mjs";
import { texts } from "../texts/texts.mjs";
import { word } from "../play/cards.mjs";
import { colorsOf, own } from "../own.mjs";

const SPACES = 2; // shown of each track
const HIGH = 40; // of a picture, in the map's units
const PADDED = 18; // space at the ends of a track
const words = texts.key;

/** Show the key in a dialog. @param {HTMLElement} root of the map
 * @param {{ board: any, layout: any, view: any, seat?: number | null }} table */
export function openKey(root, table) {
  const dialog = document.createElement("dialog");
  dialog.className = "account card key";
  dialog.setAttribute("aria-labelledby", "key-heading");
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close(); // a click outside
  });
  const { board, view } = table;
  render(
    html`<form method="dialog" class="row">
        <h2 id="key-heading">${texts.map.key}</h2>
        <button aria-label=${texts.app.close}>✕</button>
      </form>
      ${group(words.cards, cards(board))}${group(words.routes, routes(table))}
      ${group(words.places, places(table))}${group(
        texts.app.seats,
        seats(table),
        view.seats.length ? words.seatsOfGame : words.seatsOfBoard,
      )}
      ${view.seats.length ? group(words.lights, lights(table)) : nothing}`,
    dialog,
  );
  root.append(dialog);
  dialog.showModal();
}

/** A sign and its meaning. @typedef {[unknown, unknown]} Sign */

/** @param {string} title @param {Sign[]} signs @param {string} [note] */
const group = (title, signs, note) =>
  html`<section>
    <h3>${title}</h3>
    ${note ? html`<p>${note}</p>` : nothing}
    <ul>
      ${signs.map(([sign, meaning]) => html`<li>${sign}<span>${meaning}</span></li>`)}
    </ul>
  </section>`;

/** @param {any} board @returns {Sign[]} */
const cards = (board) =>
  colorsOf(board).map((color) => {
    const { name } = cardColor(board, color);
    return [swatch(board, color), color === "wild" ? words.wild(name) : name];
  });

/** A picture of tracks, one above the other. @param {any} table @param {any[]} shown routes
 * @param {{ under?: (spaces: any[]) => unknown, over?: (spaces: any[], ends: Map<string, any>) => unknown }} [more] */
function picture({ board, layout }, shown, { under = () => nothing, over = () => nothing } = {}) {
  const { length, width } = layout.routes[0].spaces[0];
  const wide = SPACES * (length + 3);
  const rows = shown.map((_, row) =>
    Array.from({ length: SPACES }, (_, i) => ({
      x: (i + 0.5) * (length + 3),
      y: (row - (shown.length - 1) / 2) * (width + 3),
      angle: 0,
      length,
      width,
    })),
  );
  const ends = new Map(
    shown.flatMap(({ a, b }, row) => [
      [a, { x: -PADDED, y: rows[row][0].y }],
      [b, { x: wide + PADDED, y: rows[row][0].y }],
    ]),
  );
  return html`<svg
    viewBox="${-PADDED} ${-HIGH / 2} ${wide + 2 * PADDED} ${HIGH}"
    aria-hidden="true"
  >
    ${under(rows[0])}
    ${tracks(
      { ...board, routes: shown },
      {
        routes: shown.map(({ id }, row) => ({ id, spaces: rows[row] })),
        locations: [...ends].map(([id, at]) => ({ id, ...at })),
      },
    )}${over(rows[0], ends)}
  </svg>`;
}

/** A picture of something at a location. @param {any} table @param {unknown} over @param {number} [district]
 * @param {unknown} [under] */
const place = ({ layout }, over, district, under) =>
  html`<svg viewBox="-24 ${-HIGH / 2} 48 ${HIGH}" aria-hidden="true">
    ${under ?? nothing}${spots({ locations: [{ id: "", district }] }, { spot: layout.spot, locations: [{ id: "", x: 0, y: 0 }] })}
    ${over}
  </svg>`;

/** The signs of unclaimed tracks. @param {any} table @returns {Sign[]} */
function routes(table) {
  const { board } = table;
  const { routes: declared } = board.declared;
  const wild = cardColor(board, "wild").name;
  const isPlain = (/** @type {any} */ route) =>
    !Object.keys(declared).some((name) => own(route, name));
  const first = (/** @type {(route: any) => unknown} */ is) => board.routes.find(is);
  const grey = first((route) => route.color === GREY && isPlain(route));
  const marked = Object.keys(declared).flatMap((name) => {
    const route = first((one) => own(one, name));
    if (!route) return [];
    const shown = typeof own(route, name) === "number" ? { ...route, [name]: 1 } : route;
    return [
      /** @type {Sign} */ ([
        picture(table, [shown]),
        own(words.marks, name)?.(wild) ?? marksOf(board, "routes", shown).join(", "),
      ]),
    ];
  });
  const double = first((route) => route.twin && isPlain(route)) ?? first((route) => route.twin);
  const twin = double && first(({ id }) => id === double.twin);
  const colored = first((route) => route.color !== GREY && isPlain(route));
  return [
    ...(colored
      ? [
          /** @type {Sign} */ ([
            picture(table, [colored]),
            words.colored(cardColor(board, colored.color).name, wild),
          ]),
        ]
      : []),
    ...(grey ? [/** @type {Sign} */ ([picture(table, [grey]), words.grey])] : []),
    ...marked,
    ...(double
      ? [
          /** @type {Sign} */ ([
            picture(table, [double, twin]),
            words.double(board.doubles_closed_for),
          ]),
        ]
      : []),
  ];
}

/** @param {any} table @returns {Sign[]} */
function places(table) {
  const { board } = table;
  const { district } = board.locations.find((/** @type {any} */ one) => one.district) ?? {};
  const location = word(board, "location");
  return [
    district
      ? [
          place(table, nothing, district),
          words.district(location, word(board, "district"), district),
        ]
      : [place(table, nothing), words.location(location)],
  ];
}

/** The signs of seats: those of the game, or the maximum number of the board. @param {any} table
 * @returns {Sign[]} */
function seats(table) {
  const { board, view } = table;
  const route = board.routes[0];
  const wagons = (/** @type {number} */ seat) =>
    picture(table, [route], {
      over: (spaces, ends) => claim(route, spaces, ends, seat),
    });
  const all = view.seats.length
    ? view.seats
    : Array.from({ length: Math.min(SEATS, board.players.most) }, (_, seat) => ({ seat }));
  const built = board.stations
    ? [
        /** @type {Sign} */ ([
          place(table, station({ x: 0, y: 2 }, 0)),
          words.station(word(board, "station")),
        ]),
      ]
    : [];
  const flags = board.declared.seat_view.flag
    ? [/** @type {Sign} */ ([swatch(board, colorsOf(board)[0]), words.flag(word(board, "flag"))])]
    : [];
  return [
    ...all.map((/** @type {any} */ { seat, player }) => [
      html`${seatBadge(seat)}${wagons(seat)}
      ${
        view.seats.length
          ? html`<svg class="plotted" viewBox="0 0 48 8" aria-hidden="true">
              <path
                d="M0 4h48"
                fill="none"
                stroke-width="3"
                stroke=${seatPaint(seat)}
                stroke-dasharray=${seatDash(seat) || nothing}
              ></path>
            </svg>`
          : nothing
      }`,
      html`<bdi>${player ? nameOn({ seats: all }, seat) : words.seat(seat)}</bdi>`,
    ]),
    ...built,
    ...flags,
  ];
}

/** The signs of highlights in a game. @param {any} table @returns {Sign[]} */
function lights(table) {
  const { board, seat } = table;
  const route =
    board.routes.find((/** @type {any} */ one) => one.color === GREY) ?? board.routes[0];
  const track = (/** @type {string} */ kind) =>
    picture(table, [route], { under: (spaces) => svg`${lit(spaces, kind)}` });
  const spot = (/** @type {string} */ kind) =>
    place(table, nothing, undefined, svg`${litSpot({ x: 0, y: 0 }, kind)}`);
  const ticket = word(board, "ticket");
  return [
    ...(typeof seat === "number"
      ? [
          /** @type {Sign} */ ([track("helps"), words.helps(ticket)]),
          /** @type {Sign} */ ([track("would"), words.would(ticket)]),
          /** @type {Sign} */ ([track("can"), words.can]),
          /** @type {Sign} */ ([track("chosen"), words.chosen]),
          /** @type {Sign} */ ([picture(table, [route]), words.cannot]),
          /** @type {Sign} */ ([track("wanted"), words.wanted(ticket)]),
          /** @type {Sign} */ ([track("done"), words.done(ticket)]),
        ]
      : []),
    [spot("wanted"), words.ends(ticket)],
    [spot("missed"), words.missed(ticket)],
    [picture(table, [route], { over: (spaces) => svg`${traced(spaces, 0)}` }), words.traced],
  ];
}
