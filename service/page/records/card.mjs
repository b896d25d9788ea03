/** A colour of cards: its symbol and its name. */

import { cardColor, cardSymbol, GREY } from "../marks.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @param {any} board @param {string} color */
export function card(board, color) {
  const { name, paint } = cardColor(board, color);
  return html`<span class="of-card"
    >${
      color === GREY
        ? nothing
        : html`<svg
            class="swatch"
            viewBox="-12 -12 24 24"
            width="20"
            height="20"
            aria-hidden="true"
          >
            <rect x="-11" y="-11" width="22" height="22" rx="5" fill=${paint}></rect>
            <g transform="scale(.8)">${cardSymbol(board, color)}</g>
          </svg> `
    }${name}</span
  >`;
}
