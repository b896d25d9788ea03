/** What the cheapest way of a ticket still takes, in a corner of the map: trains, and cards that are not in hand. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { bundle, word } from "./cards.mjs";
import { GREY } from "../marks.mjs";
import { needs, read } from "./tickets.mjs";
import { texts } from "../texts/texts.mjs";

export class Plan {
  /** @param {HTMLElement} map the section of the map */
  constructor(map) {
    this.root = document.createElement("div");
    this.root.className = "plan";
    this.root.setAttribute("role", "status");
    map.append(this.root);
  }

  /** Show the plan of a ticket; of none, nothing. @param {import("../table.mjs").Table} table @param {string | null} id */
  draw(table, id) {
    const { board, view } = table;
    const ticket = id && view.you?.hand && read(table, view, id);
    if (!ticket) return render(nothing, this.root);
    const isOpen = ticket.state === "open";
    const [lacking, grey] = isOpen ? missing(board, /** @type {any} */ (view.you).hand, ticket.way?.routes ?? []) : [{}, 0];
    render(html`<strong>${ticket.names[0]} – ${ticket.names[1]}</strong> <span>${needs(ticket, word(board, "train"))}</span>
      ${Object.keys(lacking).length ? html`<span>${texts.choices.lacksCards} ${bundle(board, lacking)}</span>` : nothing}
      ${grey ? html`<span>${texts.choices.forGrey(grey)}</span>` : nothing}`, this.root);
  }

  close() {
    this.root.remove();
  }
}

/** The cards of each colour that routes take and a hand lacks, and how many cards the grey ones take.
 * @param {any} board @param {Record<string, number>} hand @param {string[]} routes
 * @returns {[Record<string, number>, number]} */
function missing(board, hand, routes) {
  /** @type {Record<string, number>} */
  const taken = {};
  for (const { color, length } of board.routes.filter((/** @type {any} */ { id }) => routes.includes(id))) {
    taken[color] = (taken[color] ?? 0) + length;
  }
  const { [GREY]: grey = 0, ...colored } = taken;
  return [Object.fromEntries(Object.entries(colored).map(([color, count]) => [color, count - (hand[color] ?? 0)])
    .filter(([, count]) => Number(count) > 0)), grey];
}
