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
  /** @type {keyof typeof words.forgotten | null} */ let reason = null; // why the account was forgotten
  const update = () => {
    const me = account();
    render(
      html`<button class="chip" aria-haspopup="dialog" @click=${open}>
          <span class="hidden-text">${words.account}: </span
          >${me ? html`<bdi>${me.name}</bdi>` : words.guest}
        </button>
        ${
          reason
            ? html`<p class="forgotten" role="alert">
                ${words.forgotten[reason]}
                <button @click=${() => forgotten(null)}>${words.dismiss}</button>
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
  const forgotten = (/** @type {typeof reason} */ why) => {
    reason = why;
    update();
  };
  changes.addEventListener("gone", async (event) =>
    forgotten(await /** @type {CustomEvent} */ (event).detail),
  );
  update();
  return update;
}
