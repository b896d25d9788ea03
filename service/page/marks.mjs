/** How cards and seats look, wherever they are shown. Colours alone never tell them apart: a card
 * has a symbol, a seat a number and a pattern. */

import { html, render, svg } from "./vendor/lit-html/lit-html.js";
import { texts } from "./texts/texts.mjs";
import { colorsOf, own } from "./own.mjs";

const WILD = "wild";
export const GREY = "grey";

/** Symbols on top of colours, as SVG paths within -10..10. */
const SYMBOLS = {
  star: "M0-9 2.6-2.8 9.3-2.3 4.1 2 5.8 8.5 0 4.9-5.8 8.5-4.1 2-9.3-2.3-2.6-2.8z",
  diamond: "M0-9 7 0 0 9-7 0z",
  square: "M-6.5-6.5h13v13h-13z",
  triangle: "M0-8.5 8 6.5H-8z",
  drop: "M0 8.5-8-6.5H8z",
  ring: "M0-8a8 8 0 1 0 .1 0zM0-3.6a3.6 3.6 0 1 1-.1 0z",
  cross: "M-3-8h6v5h5v6h-5v5h-6v-5h-5v-6h5z",
  wave: "M-9-4q4.5-6 9 0t9 0v6q-4.5 6-9 0t-9 0z",
  moon: "M3-8.5a8.5 8.5 0 1 0 5 11a7 7 0 0 1-5-11z",
  heart: "M0 8C-13-1-6-10 0-4.5 6-10 13-1 0 8z",
  bars: "M-8-7h4v14h-4zM-2-7h4v14h-4zM4-7h4v14h-4z",
  hexagon: "M-4.5-7.8h9L9 0 4.5 7.8h-9L-9 0z",
};

/** @typedef {keyof typeof SYMBOLS} SymbolName
 * @typedef {{ paint: string, ink: string, symbol: SymbolName, name: string }} CardLook */

/** @type {Record<string, [string, SymbolName]>} */
const KNOWN = {
  red: ["#d35b46", "diamond"],
  orange: ["#e29746", "square"],
  yellow: ["#f1d360", "hexagon"],
  green: ["#66ae68", "triangle"],
  blue: ["#88b4f5", "wave"],
  purple: ["#a27bbd", "moon"],
  violet: ["#a27bbd", "moon"],
  pink: ["#f0acd4", "heart"],
  white: ["#ffffff", "ring"],
  black: ["#55534f", "cross"],
  [GREY]: ["#c4beb2", "bars"],
  [WILD]: ["#fffdf7", "star"],
};
const OTHERS = /** @type {SymbolName[]} */ (["drop", "bars", "heart", "moon", "ring", "cross"]);
const OTHER = "#a8c6b8"; // any colour that a board invents

/** How cards of a colour look, and what they are called.
 * @param {any} board @param {string} color @returns {CardLook} */
export function cardColor(board, color) {
  const at = colorsOf(board)
    .filter((each) => !Object.hasOwn(KNOWN, each))
    .indexOf(color);
  const [paint, symbol] = own(KNOWN, color === "any" ? GREY : color) ?? [
    OTHER,
    OTHERS[Math.max(0, at) % OTHERS.length],
  ];
  const said = color === WILD ? (board.vocabulary?.wild ?? color) : color;
  const name = own(texts.map.colors, said) ?? own(texts.map.nouns, said) ?? said;
  return { paint, ink: color === "black" ? "#fff" : "#2b2a28", symbol, name };
}

/** A colour's symbol, around 0 and within 10 to either side: the content of an SVG.
 * @param {any} board @param {string} color */
export function cardSymbol(board, color) {
  const { ink, symbol } = cardColor(board, color);
  return svg`<path class="symbol" d=${SYMBOLS[symbol]} fill=${ink} fill-rule="evenodd"></path>`;
}

export const SEATS = 8; // that have distinct looks

/** A seat's colour, which the theme sets. @param {number} seat */
export const seatPaint = (seat) => `var(--seat-${seat % SEATS})`;

/** A seat's colour with its pattern, as a fill. @param {number} seat */
export const seatPattern = (seat) => `url(#seat-${seat % SEATS})`;

/** How the line of a seat is dashed. @param {number} seat */
export const seatDash = (seat) =>
  ["", "8 4", "2 4", "12 4 2 4", "5 2", "1 3", "14 6", "6 3 1 3"][seat % SEATS];

/** A seat's badge: its number from 1, in its colour. @param {number} seat */
export const seatBadge = (seat) =>
  html`<svg class="badge" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
    ${badgeAt(12, 12, 10, seat)}
  </svg>`;

/** The same as content of an SVG. @param {number} x @param {number} y @param {number} radius
 * @param {number} seat */
export const badgeAt = (
  x,
  y,
  radius,
  seat,
) => svg`<g transform="translate(${x} ${y}) scale(${radius / 10})">
  <circle class="badge-face" r="10" stroke=${seatPaint(seat)} stroke-width="4"></circle>
  <text class="badge-number" y="4.6" text-anchor="middle" font-size="13">${seat + 1}</text></g>`;

/** The light part of each seat's pattern, on a tile of 8 by 8. */
const TILES = [
  "",
  "M-1 9 9-1M-3 3 3-3M5 11 11 5",
  "M2 2h4v4h-4z",
  "M1.5-1v10M5.5-1v10",
  "M-1 4h10",
  "M-1-1 9 9M-3 5 3 11M5-3 11 3",
  "M0-2 4 2 8-2M0 6 4 10 8 6",
  "M4-1v10M-1 4h10",
];

/** Add the SVG patterns to the page, once; fills refer to them by id. */
function drawPatterns() {
  const host = document.createElement("div");
  host.className = "hidden-text";
  host.ariaHidden = "true";
  render(
    html`<svg width="8" height="8" aria-hidden="true">
      ${TILES.map(
        (tile, seat) => svg`
    <pattern id="seat-${seat}" width="8" height="8" x="-4" y="-4" patternUnits="userSpaceOnUse">
      <rect width="8" height="8" fill=${seatPaint(seat)}></rect>
      <path class="seat-tile" d=${tile}></path>
    </pattern>`,
      )}
    </svg>`,
    host,
  );
  document.body.append(host);
}

drawPatterns();
