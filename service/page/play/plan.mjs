/** The trains and cards that the cheapest way of a ticket still needs, in a corner of the map. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { bundle, word } from "./cards.mjs";
import { GREY } from "../marks.mjs";
import { needs, read } from "./tickets.mjs";
import { texts } from "../texts/texts.mjs";
import { own } from "../own.mjs";

export class Plan {
  /** @param {HTMLElement} map the section of the map
   * @param {HTMLElement} tray where cards of the plan's colours are marked */
  constructor(map, tray) {
    this.root = document.createElement("div");
    this.root.className = "plan";
    this.root.setAttribute("role", "status");
    map.append(this.root);
    this.tray = tray;
  }

  /** Show the plan of a ticket; of none, nothing. @param {import("../table.mjs").Table} table @param {string | null} id */
  draw(table, id) {
    const { board, view } = table;
    const ticket = id && view.you?.hand && read(table, view, id);
    const routes = ticket && ticket.state === "open" ? ticket.way?.routes ?? [] : [];
    const [lacking, grey] = missing(board, view.you?.hand ?? {}, routes);
    this.#mark(new Set(board.routes.filter((/** @type {any} */ one) => routes.includes(one.id))
      .map((/** @type {any} */ { color }) => color)), lacking);
    if (!ticket) return render(nothing, this.root);
    render(html`<strong>${ticket.names[0]} – ${ticket.names[1]}</strong> <span>${needs(ticket, word(board, "train"))}</span>
      ${Object.keys(lacking).length ? html`<span>${texts.choices.lacksCards} ${bundle(board, lacking)}</span>` : nothing}
      ${grey ? html`<span>${texts.choices.forGrey(grey)}</span>` : nothing}`, this.root);
  }

  /** Mark the cards in hand that the plan takes, and those in the row that it lacks.
   * @param {Set<string>} taken colours @param {Record<string, number>} lacking */
  #mark(taken, lacking) {
    for (const card of this.tray.querySelectorAll("[data-card], [data-color]")) {
      const { card: held, color } = /** @type {HTMLElement} */ (card).dataset;
      card.toggleAttribute("data-planned", held ? taken.has(held) : Boolean(color && Object.hasOwn(lacking, color)));
    }
  }

  close() {
    this.root.remove();
  }
}

/** The cards of each colour that routes take and a hand lacks, and how many cards the grey ones take.
 * @param {any} board @param {Record<string, number>} hand @param {string[]} routes
 * @returns {[Record<string, number>, number]} */
function missing(board, hand, routes) {
  /** @type {Map<string, number>} */
  const taken = new Map();
  for (const { color, length } of board.routes.filter((/** @type {any} */ { id }) => routes.includes(id))) {
    taken.set(color, (taken.get(color) ?? 0) + length);
  }
  const grey = taken.get(GREY) ?? 0;
  taken.delete(GREY);
  return [Object.fromEntries([...taken].map(([color, count]) => [color, count - (own(hand, color) ?? 0)])
    .filter(([, count]) => Number(count) > 0)), grey];
}
