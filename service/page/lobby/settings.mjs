/** The settings of this browser, in the dialog to manage the account. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { play } from "../sound.mjs";
import { set, settings } from "../settings.mjs";
import { texts } from "../texts/texts.mjs";

const words = texts.lobby.settings;

/** The settings, as a template. @param {() => void} draw shows them again */
export function choices(draw) {
  const { pace, notifies, chimes } = settings();
  const box = (/** @type {string} */ text, /** @type {boolean} */ isOn, /** @type {(wants: boolean) => unknown} */ change) =>
    html`<label class="row"><input type="checkbox" .checked=${isOn}
      @change=${async (/** @type {any} */ event) => { await change(event.target.checked); draw(); }}> ${text}</label>`;
  const isRefused = notifies && Notification.permission === "denied";
  return html`<section class="settings"><h3>${texts.app.settings}</h3>
    <label class="row">${words.pace} <select @change=${(/** @type {any} */ event) => set({ pace: event.target.value })}>
      ${Object.entries(words.paces).map(([value, text]) => html`
        <option value=${value} ?selected=${value === pace}>${text}</option>`)}</select></label>
    ${"Notification" in window ? box(words.notifies, notifies, async (wants) => {
      set({ notifies: wants });
      if (wants) await Notification.requestPermission();
    }) : nothing}
    ${isRefused ? html`<p class="problem" role="status">${words.refused}</p>` : nothing}
    ${box(words.chimes, chimes, (wants) => {
      set({ chimes: wants });
      if (wants) play("chime"); // to hear how it sounds
    })}</section>`;
}
