/** Cards as they are drawn here: by colour and symbol, so that no colour need be seen. */

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { cardColor, cardSymbol } from "../marks.mjs";
import { texts } from "../texts/texts.mjs";
import { colorsOf, own } from "../own.mjs";

const STRIPES = ["red", "yellow", "green", "blue"]; // of a wild card

/** The board's word for an object, else the default word. @param {any} board
 * @param {string} thing */
export const word = (board, thing) => {
  const said = own(board.vocabulary, thing) ?? own(texts.play.words, thing) ?? thing;
  return own(texts.map.nouns, said) ?? said;
};

/** The colours of some cards in the board's order, wilds last, then `any`. @param {any} board
 * @param {Record<string, number>} cards */
export const sorted = (board, cards) =>
  [...colorsOf(board).filter((color) => color !== "wild"), "wild", "any"].filter((color) =>
    own(cards, color),
  );

/** Cards in words: "2 red, 1 wild". @param {any} board @param {Record<string, number>} cards */
export const inWords = (board, cards) =>
  sorted(board, cards)
    .map((color) => `${own(cards, color)} ${cardColor(board, color).name}`)
    .join(", ");

/** The face of a card, without a text alternative: callers must add one. @param {any} board
 * @param {string} color */
export function face(board, color) {
  return html`<svg class="face" viewBox="0 0 40 56" aria-hidden="true">
    <rect x="1" y="1" width="38" height="54" rx="5" fill=${cardColor(board, color).paint}></rect>
    ${color === "wild" ? stripes(board) : nothing}
    <g transform="translate(20 28) scale(1.25)">${cardSymbol(board, color)}</g>
  </svg>`;
}

/** The stripes that distinguish a wild card from a white one, as in the API's pictures.
 * @param {any} board */
const stripes = (board) => svg`${STRIPES.filter((color) => Object.hasOwn(board.cards, color)).map(
  (color, at, { length }) => svg`
  <rect x=${4 + (32 / length) * at} y="4" width=${32 / length} height="48" fill=${cardColor(board, color).paint}></rect>`,
)}
  <circle cx="20" cy="28" r="14" fill=${cardColor(board, "wild").paint}></circle>`;

/** The back of a face-down card or ticket. @param {"cards" | "tickets"} kind */
export const back = (kind) =>
  html`<svg class="face back ${kind}" viewBox="0 0 40 56" aria-hidden="true">
    <rect x="1" y="1" width="38" height="54" rx="5"></rect>
    <rect x="5" y="5" width="30" height="46" rx="3"></rect>
    <text x="20" y="24" text-anchor="middle" font-size="8.5">${texts.play.backs[kind]}</text>
  </svg>`;

/** Small cards with their counts, used to show a payment.
 * @param {any} board @param {Record<string, number>} cards */
export const bundle = (board, cards) =>
  html`<span class="bundle"
    >${sorted(board, cards).map(
      (color) =>
        html` <span class="pair"
          >${face(board, color)}<span class="count" aria-hidden="true"
            >${own(cards, color)}</span
          ></span
        >`,
    )} <span class="hidden-text">${inWords(board, cards)}</span></span
  >`;

/** A button that stays visible and focusable while it is disabled, and then says the reason.
 * @param {{ label: string, why: string | null, act: () => void, say: (why: string) => void, content: unknown,
 *   kind?: string }} is */
export const control = ({ label, why, act, say, content, kind = "" }) =>
  html` <button
    type="button"
    class=${kind}
    title=${why ?? label}
    aria-disabled=${why ? "true" : nothing}
    @click=${() => (why ? say(why) : act())}
  >
    ${content} <span class="hidden-text">${label}. ${why}</span>
  </button>`;
