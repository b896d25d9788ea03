/** The settings of this browser, in the dialog to manage the account. */

import { html } from "../vendor/lit-html/lit-html.js";
import { set, settings } from "../settings.mjs";
import { texts } from "../texts/texts.mjs";

const words = texts.lobby.settings;

/** The settings, as a template. */
export function choices() {
  const { pace } = settings();
  return html`<section class="settings"><h3>${words.title}</h3>
    <label>${words.pace} <select @change=${(/** @type {any} */ event) => set({ pace: event.target.value })}>
      ${Object.entries(words.paces).map(([value, text]) => html`
        <option value=${value} ?selected=${value === pace}>${text}</option>`)}</select></label></section>`;
}
