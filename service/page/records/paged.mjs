/** A paginated list of the API, and the button that loads more. */

import { client } from "../account.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { texts } from "../texts/texts.mjs";
import { doing } from "../why.mjs";

/** @template Row */
export class Paged {
  /** @param {string} path @param {Record<string, any>} query @param {() => void} draw called when more is there */
  constructor(path, query, draw) {
    this.path = path;
    this.query = query;
    this.draw = draw;
    /** @type {Row[]} */ this.items = [];
    /** Where the next page begins; null at the end. @type {string | null} */
    this.next = null;
    this.isBusy = false;
    this.problem = "";
  }

  /** Fetch the first page, or the next. */
  async more() {
    const query = this.next ? { ...this.query, after: this.next } : this.query;
    const page = await client.get(this.path, { query });
    this.items.push(...page.items);
    this.next = page.next;
    return this;
  }

  /** Fetch the next page after a click. */
  async press() {
    await doing(this, this.draw, () => this.more());
  }

  /** The button, while there is more. */
  button() {
    if (!this.next) return nothing;
    return html`${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      <p>
        <button class="more" aria-disabled=${this.isBusy} @click=${() => this.press()}>
          ${this.isBusy ? texts.app.loading : texts.players.more}
        </button>
      </p>`;
  }
}
