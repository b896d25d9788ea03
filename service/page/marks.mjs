/** How cards and seats are marked, so that no colour need be seen. */
import { html, svg } from "./vendor/lit-html/lit-html.js";

/** @type {Record<string, string>} */
const PAINTS = { red: "#e0685c", orange: "#f2a154", yellow: "#f3d35c", green: "#77b56a", blue: "#6a9fdb",
  purple: "#b083c9", violet: "#b083c9", pink: "#eea4c4", white: "#ffffff", black: "#55534f", grey: "#c4beb2" };

/** @param {any} _board @param {string} color */
export const cardColor = (_board, color) => ({ paint: PAINTS[color] ?? "#a8c6b8", symbol: "", name: color });
/** @param {any} _board @param {string} color */
export const cardSymbol = (_board, color) => svg`<text text-anchor="middle" font-size="10" y="4">${color.slice(0, 2)}</text>`;
/** @param {number} seat */
export const seatBadge = (seat) => html`<svg class="badge" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
  <circle cx="10" cy="10" r="9" fill="#00808f"></circle>
  <text x="10" y="14" text-anchor="middle" fill="#fff" font-size="12">${seat + 1}</text></svg>`;
