/** The ways to pay, if there is a choice, and the extra cost of a tunnel. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { bundle, face, inWords } from "./cards.mjs";
import { cardColor } from "../marks.mjs";
import { texts } from "../texts/texts.mjs";
import { own } from "../own.mjs";

/** @typedef {{ board: any, busy: boolean, play: (action: any) => void }} Till */

/**
 * A button for each way to pay, the first the best guess.
 * @param {Till & { ways: any[], verb: string }} is
 */
const payments = ({ board, ways, verb, busy, play }) => html`${ways.map((way, index) => html`
  <button type="button" class=${index ? "way" : "way main"} aria-disabled=${busy ? "true" : nothing}
    aria-label="${verb}: ${inWords(board, way.cards)}" @click=${() => play(way)}>${bundle(board, way.cards)}</button>`)}`;

/**
 * The choice of cards to pay for a route or a station.
 * @param {Till & { title: string, notes: string[], ways: any[], keep: boolean, verb: string,
 *   setKeep: (keep: boolean) => void, cancel: () => void }} is
 */
export function paying({ title, notes, ways, keep, setKeep, cancel, ...till }) {
  const asks = ways.some((way) => way.keep_for_flag);
  const left = ways.filter((way) => (way.keep_for_flag ?? false) === keep
    || !ways.some((other) => other.keep_for_flag === keep && same(way.cards, other.cards)));
  return html`<div class="paying choice" role="group" aria-label=${title}>
    <p><strong>${title}</strong>: ${texts.choices.whichCards} <span class="faint">${notes.join(" ")}</span></p>
    ${asks ? html`<label class="keep"><input type="checkbox" .checked=${keep}
      @change=${(/** @type {any} */ event) => setKeep(event.target.checked)}> ${texts.choices.keepForFlag}</label>` : nothing}
    <div class="ways">${payments({ ...till, ways: left })}
      <button type="button" class="cancel" @click=${cancel}>${texts.choices.cancel}</button></div></div>`;
}

/** @param {Record<string, number>} one @param {Record<string, number>} other */
const same = (one, other) => Object.keys({ ...one, ...other }).every((color) => own(one, color) === own(other, color));

/**
 * A tunnel that costs more: the cards laid, the cards turned, and the possible actions.
 * @param {Till & { tunnel: any, title: string, ways: any[], withdraw: (() => void) | null }} is
 */
export function tunnel({ tunnel: { laid, turned, extra }, title, ways, withdraw, ...till }) {
  const { board } = till;
  const counted = turned.map((/** @type {string} */ color) => color === "wild" || Object.hasOwn(laid, color));
  const isSure = counted.filter(Boolean).length === extra;
  return html`<div class="tunnel choice" role="group" aria-label=${title}><p><strong>${title}</strong></p>
    <dl><dt>${texts.choices.laid}</dt><dd>${bundle(board, laid)}</dd>
    <dt>${texts.choices.turned}</dt><dd>${turned.map((/** @type {string} */ color, /** @type {number} */ index) => html`
      <span class=${isSure && counted[index] ? "turned counts" : "turned"}>${face(board, color)}
      <span class="hidden-text">${cardColor(board, color).name}</span></span>`)}</dd></dl>
    <p>${texts.choices.asksMore(extra)} ${withdraw && !ways.length ? texts.choices.cannotPay : nothing}</p>
    ${withdraw ? html`<div class="ways">${payments({ ...till, ways, verb: texts.choices.pay })}
      <button type="button" class="cancel" @click=${withdraw}>${texts.choices.withdraw}</button></div>` : nothing}</div>`;
}
