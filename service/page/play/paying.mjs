/** The ways to pay, if there is a choice, and the extra cost of a tunnel. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { bundle, face, inWords, sorted } from "./cards.mjs";
import { cardColor } from "../marks.mjs";
import { texts } from "../texts/texts.mjs";
import { own } from "../own.mjs";

/** @typedef {{ board: any, busy: boolean, hand: Record<string, number>, play: (action: any) => void }} Till */

/**
 * A button for each way to pay, the first the best guess.
 * @param {Till & { ways: any[], verb: string }} is
 */
const payments = ({ board, ways, verb, busy, play }) =>
  html`${ways.map(
    (way, index) =>
      html` <button
        type="button"
        class=${index ? "way" : "way main"}
        aria-disabled=${busy ? "true" : nothing}
        aria-label="${verb}: ${inWords(board, way.cards)}"
        @click=${() => play(way)}
      >
        ${bundle(board, way.cards)}
      </button>`,
  )}`;

/** @param {Record<string, number>} cards */
const total = (cards) => Object.values(cards).reduce((sum, count) => sum + count, 0);

/** A form to choose the cards of a way that takes any. @param {Till & { way: any, verb: string }} is */
function choosing({ board, way, hand, verb, busy, play }) {
  const chosen = (/** @type {HTMLFormElement} */ form) =>
    Object.fromEntries(
      [...new FormData(form)]
        .map(([color, count]) => /** @type {[string, number]} */ ([color, Number(count)]))
        .filter(([, count]) => count),
    );
  return html`<form
    class="any"
    aria-label=${texts.choices.whichCards}
    @input=${(/** @type {any} */ { currentTarget: form }) => {
      form.querySelector("button").disabled = total(chosen(form)) !== total(way.cards);
    }}
    @submit=${(/** @type {any} */ event) => {
      event.preventDefault();
      if (!busy) play({ ...way, cards: chosen(event.currentTarget) });
    }}
  >
    ${sorted(board, hand).map(
      (color) =>
        html`<label
          >${face(board, color)}<span class="hidden-text">${cardColor(board, color).name}</span>
          <input
            type="number"
            name=${color}
            min=${own(way.cards, color) ?? 0}
            max=${own(hand, color)}
            value=${own(way.cards, color) ?? 0}
        /></label>`,
    )} <button disabled>${verb}</button>
  </form>`;
}

/**
 * The choice of cards to pay for a route or a station.
 * @param {Till & { ways: any[], keep: boolean, verb: string, setKeep: (keep: boolean) => void, cancel: () => void }} is
 */
export function paying({ ways, keep, setKeep, cancel, ...till }) {
  const asks = ways.some((way) => way.keep_for_flag);
  const left = ways.filter(
    (way) =>
      (way.keep_for_flag ?? false) === keep ||
      !ways.some((other) => other.keep_for_flag === keep && same(way.cards, other.cards)),
  );
  return html`${
      asks
        ? html`<label class="keep"
            ><input
              type="checkbox"
              .checked=${keep}
              @change=${(/** @type {any} */ event) => setKeep(event.target.checked)}
            />
            ${texts.choices.keepForFlag}</label
          >`
        : nothing
    }
    ${payments({ ...till, ways: left })}${left.filter((way) => own(way.cards, "any")).map((way) => choosing({ ...till, way }))}
    <button type="button" class="cancel" @click=${cancel}>${texts.app.cancel}</button>`;
}

/** @param {Record<string, number>} one @param {Record<string, number>} other */
const same = (one, other) =>
  Object.keys({ ...one, ...other }).every((color) => own(one, color) === own(other, color));

/**
 * The extra cost of a tunnel: the cards laid and turned, and the reason.
 * @param {{ board: any, tunnel: any, title: string }} is
 */
export function tunnel({ board, tunnel: { laid, turned, extra }, title }) {
  const counted = turned.map(
    (/** @type {string} */ color) => color === "wild" || Object.hasOwn(laid, color),
  );
  const isSure = counted.filter(Boolean).length === extra;
  return html`<div class="tunnel choice" role="group" aria-label=${title}>
    <h2>${title}</h2>
    <dl>
      <dt>${texts.choices.laid}</dt>
      <dd>${bundle(board, laid)}</dd>
      <dt>${texts.choices.turned}</dt>
      <dd>
        ${turned.map(
          (/** @type {string} */ color, /** @type {number} */ index) =>
            html` <span class=${isSure && counted[index] ? "turned counts" : "turned"}
              >${face(board, color)}
              <span class="hidden-text">${cardColor(board, color).name}</span></span
            >`,
        )}
      </dd>
    </dl>
    <p>${texts.choices.asksMore(extra)}</p>
  </div>`;
}

/** The answers to a tunnel that costs more. @param {Till & { ways: any[], withdraw: () => void }} is */
export const tunnelWays = ({ withdraw, ...till }) =>
  html`${payments({ ...till, verb: texts.choices.pay })}
    <button type="button" class="cancel" @click=${withdraw}>${texts.choices.withdraw}</button>`;
