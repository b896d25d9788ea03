/** A dialog for the position that is shown: share it, fork it, or check the game; and the list of keys. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { copy, file, save } from "../files.mjs";
import { Checking } from "./checking.mjs";
import { Forking } from "./forking.mjs";
import { texts } from "../texts/texts.mjs";
import { why } from "../why.mjs";

const { more } = texts;

/** The parts of the dialog, each of which a button opens. @typedef {"share" | "fork" | "check" | "keys"} Part */

/** The dialogs of games on the screen. @type {WeakMap<Table, More>} */
const made = new WeakMap();

/** Open the dialog of a game at one of its parts; return the dialog.
 * @param {Table} table @param {(to: string) => void} go @param {Part} part */
export function openMore(table, go, part) {
  const dialog = made.get(table) ?? new More(table, go);
  made.set(table, dialog);
  dialog.open(part);
  return dialog;
}

class More {
  /** @param {Table} table @param {(to: string) => void} go */
  constructor(table, go) {
    this.table = table;
    /** @type {Part} */ this.part = "share";
    this.copied = false;
    this.problem = "";
    this.dialog = document.createElement("dialog");
    this.dialog.className = "more";
    this.dialog.setAttribute("aria-labelledby", "more-heading");
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close(); // a click outside
    });
    document.querySelector(".screen")?.append(this.dialog); // within reach of its styles
    const draw = () => this.update();
    table.addEventListener("change", draw);
    this.forking = new Forking(
      table,
      (to) => {
        this.dialog.close();
        go(to);
      },
      draw,
    );
    this.checking = new Checking(table, draw, () => !this.dialog.isConnected);
  }

  /** Show a part. @param {Part} part */
  open(part) {
    [this.part, this.copied, this.problem] = [part, false, ""];
    this.dialog.showModal();
    this.update();
    if (part === "fork") void this.forking.load();
  }

  update() {
    if (this.dialog.open) render(this.template(), this.dialog);
  }

  /** The address of the position that is shown. */
  get link() {
    const { table } = this;
    const link = new URL(`/games/${table.id}`, location.href);
    link.searchParams.set("at", String(table.shown ?? table.version));
    if (table.open !== null) link.searchParams.set("seat", String(table.open));
    return link.href;
  }

  async copy() {
    this.copied = await copy(this.link, this.dialog.querySelector("input"));
    this.update();
  }

  /** Fetch a file that needs the account's token, and save it. @param {string} path
   * @param {string} name */
  async save(path, name) {
    try {
      save(await (await file(path)).blob(), name);
      this.problem = "";
    } catch (problem) {
      this.problem = why(problem);
    }
    this.update();
  }

  /** Files of the game to download: links, or, of a private game, buttons. @param {number} version */
  files(version) {
    const { table } = this;
    const isPrivate = table.view.visibility === "private";
    /** Labels, names at the API, endings of the names. */
    const files = [
      [more.card, `card.png?at=${version}`, `-${version}.png`],
      [more.picture, `board.svg?at=${version}`, `-${version}.svg`],
      ...(table.isOpenBook ? [[more.history, "history", ".ndjson"]] : []),
    ];
    return html`${isPrivate ? html`<p class="faint">${more.isPrivate}</p>` : nothing}
      <p class="row">
        ${files.map(([label, path, ending]) => {
          const [from, name] = [`/v1/games/${table.id}/${path}`, table.id + ending];
          return isPrivate
            ? html`<button @click=${() => this.save(from, name)}>${label}</button>`
            : html`<a href=${from} download=${name}>${label}</a>`;
        })}<span class="problem" role="alert">${this.problem}</span>
      </p>`;
  }

  template() {
    const { table, part } = this;
    const version = table.shown ?? table.version;
    const title = {
      share: more.share,
      fork: more.fork,
      check: more.check,
      keys: texts.replay.parts.keys,
    }[part];
    return html`<header>
        <h2 id="more-heading">${title}</h2>
        <button aria-label=${texts.app.close} @click=${() => this.dialog.close()}>✕</button>
      </header>
      ${
        part === "fork"
          ? this.forking.template()
          : part === "check"
            ? this.checking.template()
            : part === "share"
              ? this.share(version)
              : html`<dl class="keys">
                  ${more.keyList.map(
                    ({ keys, deed }) =>
                      html` <div>
                        <dt>${keys.map((key) => html`<kbd>${key}</kbd>`)}</dt>
                        <dd>${deed}</dd>
                      </div>`,
                  )}
                </dl>`
      }`;
  }

  /** @param {number} version */
  share(version) {
    return html`<section>
      <div class="row">
        <input readonly aria-label=${more.link} .value=${this.link} />
        <button @click=${() => this.copy()}>${this.copied ? more.copied : more.copy}</button>
      </div>
      ${this.files(version)}
    </section>`;
  }
}
