/** The account's chip in the bar. A click opens the dialog to manage the account. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { account, changes } from "../account.mjs";
import { texts } from "../texts/texts.mjs";
import { withPart } from "../waiting.mjs";

const words = texts.app;

export class Who {
  /** @param {HTMLElement} root
   * @param {() => void} reopen shows the screen again after the account has changed */
  constructor(root, reopen) {
    this.root = root;
    this.reopen = reopen;
    /** @type {import("./dialog.mjs").AccountDialog | null} */ this.dialog = null;
    this.wasForgotten = false;
    changes.addEventListener("gone", (event) => this.forgotten(/** @type {CustomEvent} */ (event).detail));
    this.update();
  }

  update() {
    const me = account();
    render(html`<button class="chip" aria-haspopup="dialog" @click=${() => this.open()}>
      <span class="hidden-text">${words.account}: </span>${me ? html`<bdi>${me.name}</bdi>` : words.guest}</button>
      ${this.wasForgotten ? html`<p class="forgotten" role="alert">${words.forgotten}
        <button @click=${() => this.forgotten(false)}>${words.dismiss}</button></p>` : nothing}`, this.root);
  }

  open() {
    return withPart(({ AccountDialog }) => {
      this.dialog ??= new AccountDialog(this.reopen);
      this.dialog.open();
    }, () => import("./dialog.mjs"));
  }

  /** @param {boolean} wasForgotten */
  forgotten(wasForgotten) {
    this.wasForgotten = wasForgotten;
    this.update();
  }
}
