/** The game log: one line for each entry, written once. Steps through the game only move the mark,
 * so 500 lines cost nothing. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { seatBadge } from "../marks.mjs";
import { isolated, marked } from "../declared.mjs";
import { words } from "./words.mjs";
import { nameOn } from "../seats.mjs";
import { since } from "./lately.mjs";
import { texts } from "../texts/texts.mjs";

/** @typedef {import("./words.mjs").Sentence} Sentence */

export class Log {
  /** @param {HTMLElement} root @param {Table} table */
  constructor(root, table) {
    this.root = root;
    this.table = table;
    render(
      html`<h2 class="hidden-text">${texts.game.log}</h2>
        <ol class="entries"></ol>
        <p class="hidden-text" aria-live="polite"></p>`,
      root,
    );
    this.list = /** @type {HTMLElement} */ (root.querySelector("ol"));
    this.live = /** @type {HTMLElement} */ (root.querySelector("[aria-live]"));
    this.first = table.entries[0];
    this.viewer = table.open;
    this.written = 0;
    this.told = table.version; // entries from before the page was opened are not announced
    /** @type {Element | null} */ this.mark = null;
    /** @type {Element | null} */ this.divided = null;
    this.frame = 0;
    this.list.addEventListener("click", (event) => this.choose(event));
  }

  update() {
    const { entries: all, isCounting, isWhole } = this.table;
    if (!isWhole) return; // names are those at the entry's version
    const entries = isCounting ? all.slice(0, -1) : all; // the last one tells the result
    if (
      entries[0] !== this.first ||
      entries.length < this.written ||
      this.table.open !== this.viewer
    )
      this.startAnew();
    for (; this.written < entries.length; this.written++) this.write(entries[this.written]);
    const fresh = entries.slice(this.told);
    if (fresh.length && fresh.length < 20) {
      render(
        fresh.flatMap((entry) => this.sentences(entry)).map(({ text }) => html`${marked(text)} `),
        this.live,
      );
    }
    this.told = Math.max(this.told, entries.length);
    this.divide(entries);
    this.show();
  }

  /** Set apart what has happened since the viewer's latest move. @param {any[]} entries */
  divide(entries) {
    const { seat, isOver, view } = this.table;
    const item =
      seat === null || isOver
        ? null
        : (this.list.children[since(entries, seat, view.seats.length)] ?? null);
    if (item === this.divided) return;
    this.divided?.removeAttribute("data-since");
    item?.setAttribute("data-since", texts.log.since);
    this.divided = item;
  }

  /** Rewrite all lines when the entries changed. Those of a finished game reveal everything. */
  startAnew() {
    this.first = this.table.entries[0];
    this.viewer = this.table.open;
    this.written = 0;
    this.list.replaceChildren();
  }

  /** @param {any} entry @returns {Sentence[]} */
  sentences(entry) {
    const view = this.table.at(Math.min(entry.version, this.table.version));
    const name = (/** @type {number} */ seat) => isolated(nameOn(view, seat));
    return words(entry, { board: this.table.board, name, viewer: this.table.open });
  }

  /** Add the line of one entry. @param {any} entry */
  write(entry) {
    const sentences = this.sentences(entry);
    const [first = { seat: null, text: texts.log.quiet }, ...rest] = sentences;
    const isTurn = entry.events.some((/** @type {any} */ event) => event.type === "turn_began");
    const item = document.createElement("li");
    item.dataset.version = String(entry.version);
    item.classList.toggle("ends-turn", isTurn);
    render(
      html`<button>
        <span class="badge">${first.seat === null ? nothing : seatBadge(first.seat)}</span>
        <span class="said"
          >${marked(first.text)}${rest.map(({ text }) => html`<span class="more">${marked(text)}</span>`)}
          ${entry.note ? html`<q class="note"><bdi>${entry.note}</bdi></q>` : nothing}</span
        >
        <span class="number">${entry.version}</span>
      </button>`,
      item,
    );
    this.list.append(item);
  }

  /** Mark the version that is shown, and scroll to it. */
  show() {
    const version = this.table.shown ?? this.table.version;
    const item = this.list.children[version - 1] ?? null;
    if (item === this.mark) return;
    this.mark?.firstElementChild?.removeAttribute("aria-current");
    this.mark = item;
    item?.firstElementChild?.setAttribute("aria-current", "step");
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.scroll());
  }

  /** Scroll the log to the marked line; do not scroll the page. */
  scroll() {
    if (!this.mark) return;
    const [line, box] = [this.mark.getBoundingClientRect(), this.root.getBoundingClientRect()];
    if (line.top < box.top || line.bottom > box.bottom) {
      this.root.scrollTop += line.top - box.top - (box.height - line.height) / 2;
    }
  }

  /** Go to the version of the line that was chosen. @param {Event} event */
  choose(event) {
    const item = event.target instanceof Element ? event.target.closest("li") : null;
    if (item) this.table.show(Number(item.dataset.version));
  }

  close() {
    cancelAnimationFrame(this.frame);
  }
}
