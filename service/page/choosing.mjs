/** A choice with its label. */

import { html } from "./vendor/lit-html/lit-html.js";

/** @param {unknown} label @param {string | undefined} chosen @param {Iterable<string[]>} choices values, and what they
 * are called @param {(value: string) => void} choose */
export const select = (label, chosen, choices, choose) => html`<label>${label}
  <select @change=${(/** @type {any} */ { target }) => choose(target.value)}>${[...choices].map(([value, said]) =>
    html`<option value=${value} .selected=${value === chosen}>${said}</option>`)}</select></label>`;
