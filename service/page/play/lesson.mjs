/** The first lesson: five steps in a newcomer's first game, each of which goes on when its thing is done there. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { set } from "../settings.mjs";
import { texts } from "../texts/texts.mjs";
import { word } from "./cards.mjs";

const GAP = 8; // pixels to the edges of the map
const FOOT = 60; // to its lower edge, where its buttons are
const END = 5; // so many times worse is it to cover the end of a ticket than another place
const POINTS = 4; // the last step

/** @typedef {import("../fold.js").Entry} Entry */

export class Lesson {
  /** @param {import("../table.mjs").Table} table @param {import("../map/map.mjs").GameMap} map */
  constructor(table, map) {
    this.table = table;
    this.map = map;
    this.root = document.createElement("div");
    this.root.className = "lesson";
    this.root.role = "region";
    this.root.ariaLabel = texts.lesson.title;
    map.root.append(this.root);
    this.step = -1;
    this.hasAsked = this.isOver = false;
    this._closing = new AbortController();
    const { signal } = this._closing;
    const ask = (/** @type {Event} */ { type }) => { // a route was chosen, on the map or in the list of the tray
      this.hasAsked ||= this.step === 2 && (type === "choose" || map.root.classList.contains("asks"));
      this.update();
    };
    map.addEventListener("choose", ask, { signal });
    document.addEventListener("click", ask, { signal });
    addEventListener("resize", () => this.#place(), { signal });
    this.update();
  }

  /** Show the step that is due; nothing while others play. */
  update() {
    const { table: { view, seat, isLatest, entries, board, actions }, root } = this;
    const mine = entries.flatMap(({ events }) => /** @type {any[]} */ (events)).filter((event) => event.seat === seat);
    const has = (/** @type {string} */ type) => mine.find((event) => event.type === type);
    const claim = has("route_claimed");
    const due = view.deciding.find((one) => one.seat === seat)?.decision;
    const next = [has("tickets_kept"), has("card_drawn") && due !== "second_card", this.hasAsked || claim, claim].findIndex((isDone) => !isDone);
    const step = next < 0 ? POINTS : next;
    const isShown = !this.isOver && isLatest && view.status === "playing" && (due !== undefined || step === POINTS);
    this.map.root.closest(".game")?.setAttribute("data-lesson", isShown ? String(step) : "");
    root.hidden = !isShown;
    const said = texts.lesson.steps[step];
    render(isShown ? html`<p role="status"><strong>${texts.lesson.step(step + 1, POINTS + 1)}</strong>
        ${said(word(board, "ticket"), word(board, "train"), claim?.points ?? actions.filter(({ type }) => type === "claim_route").length)}</p>
      <button class=${step === POINTS ? "main" : ""} @click=${() => this.#finish()}>${
        step === POINTS ? texts.lesson.end : texts.lesson.skip}</button>` : nothing, root);
    if (isShown && step !== this.step) this.#place();
    this.step = isShown ? step : -1;
  }

  /** Place it where it covers fewest places, above all no ends of the viewer's tickets. */
  #place() {
    const { map, root, table: { board, view } } = this;
    const held = [...view.you?.tickets ?? [], ...view.you?.offered ?? []];
    const ends = new Set(board.tickets.flatMap((/** @type {any} */ { id, a, b }) => (held.includes(id) ? [a, b] : [])));
    const avoided = board.locations.flatMap((/** @type {any} */ { id }) => (
      map.boxesOf({ location: id }).map((box) => ({ box, worth: ends.has(id) ? END : 1 }))));
    const [right, bottom] = [map.root.clientWidth - root.offsetWidth - GAP, map.root.clientHeight - root.offsetHeight - FOOT];
    const isWide = right > root.offsetWidth; // else another line is above
    const [best] = [GAP, right / 2, right].flatMap((left) => [bottom, ...isWide && left > GAP ? [GAP] : []].map((top) => ({ left, top, covers: avoided
      .filter((/** @type {any} */ { box }) => box.left < left + root.offsetWidth && box.right > left && box.top < top + root.offsetHeight && box.bottom > top)
      .reduce((/** @type {number} */ sum, /** @type {any} */ { worth }) => sum + worth, 0) }))).toSorted((one, other) => one.covers - other.covers);
    root.style.setProperty("left", `${best.left}px`);
    root.style.setProperty("top", `${best.top}px`);
  }

  /** It is done, or not wanted: never show it again. */
  #finish() {
    this.isOver = true;
    set({ taught: true });
    this.update();
    /** @type {HTMLElement | null} */ (document.querySelector(".prompt"))?.focus({ preventScroll: true });
  }

  /** Stop: release listeners. */
  close() {
    this._closing.abort();
    this.root.remove();
  }
}
