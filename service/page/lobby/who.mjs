/** The account's chip in the bar. A click opens the dialog to manage the account. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { account, changes } from "../account.mjs";
import { texts } from "../texts/texts.mjs";
import { withPart } from "../waiting.mjs";

const words = texts.app;

/** Show the chip; return a function that shows it again.
 * @param {HTMLElement} root @param {() => void} reopen shows the screen again after the account has changed */
export function who(root, reopen) {
  /** @type {import("./dialog.mjs").AccountDialog | null} */ let dialog = null;
  let wasForgotten = false;
  const update = () => {
    const me = account();
    render(
      html`<button class="chip" aria-haspopup="dialog" @click=${open}>
          <span class="hidden-text">${words.account}: </span
          >${me ? html`<bdi>${me.name}</bdi>` : words.guest}
        </button>
        ${
          wasForgotten
            ? html`<p class="forgotten" role="alert">
                ${words.forgotten}
                <button @click=${() => forgotten(false)}>${words.dismiss}</button>
              </p>`
            : nothing
        }`,
      root,
    );
  };
  const open = () =>
    withPart(
      ({ AccountDialog }) => {
        dialog ??= new AccountDialog(reopen);
        dialog.open();
      },
      () => import("./dialog.mjs"),
    );
  const forgotten = (/** @type {boolean} */ was) => {
    wasForgotten = was;
    update();
  };
  changes.addEventListener("gone", (event) => forgotten(/** @type {CustomEvent} */ (event).detail));
  update();
  return update;
}
