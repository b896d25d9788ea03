/** The trains and cards that the cheapest way of a ticket still needs. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { bundle, word } from "./cards.mjs";
import { GREY } from "../marks.mjs";
import { needs, read } from "./tickets.mjs";
import { texts } from "../texts/texts.mjs";
import { own } from "../own.mjs";

/** The plan of a ticket, as a template; the cards in hand that it takes are marked, and those in the row that it lacks.
 * @param {Tray} tray @param {string | null} id of the ticket, if there is one */
export function plan({ table, body }, id) {
  const { board, view } = table;
  const ticket = id && view.you?.hand && read(table, view, id);
  const routes = ticket && ticket.state === "open" ? (ticket.way?.routes ?? []) : [];
  const [lacking, grey] = missing(board, view.you?.hand ?? {}, routes);
  const taken = new Set(
    board.routes
      .filter((/** @type {any} */ one) => routes.includes(one.id))
      .map((/** @type {any} */ { color }) => color),
  );
  for (const card of body.querySelectorAll("[data-card], [data-color]")) {
    const { card: held, color } = /** @type {HTMLElement} */ (card).dataset;
    card.toggleAttribute(
      "data-planned",
      held ? taken.has(held) : Boolean(color && Object.hasOwn(lacking, color)),
    );
  }
  return ticket
    ? html`<p class="plan" role="status">
        <strong>${ticket.names[0]} – ${ticket.names[1]}</strong>
        <span>${needs(ticket, word(board, "train"))}</span>
        ${Object.keys(lacking).length ? html`<span>${texts.choices.lacksCards} ${bundle(board, lacking)}</span>` : nothing}
        ${grey ? html`<span>${texts.choices.forGrey(grey)}</span>` : nothing}
      </p>`
    : nothing;
}

/** The cards of each colour that routes take and a hand lacks, and how many cards the grey ones take.
 * @param {any} board @param {Record<string, number>} hand @param {string[]} routes
 * @returns {[Record<string, number>, number]} */
function missing(board, hand, routes) {
  /** @type {Map<string, number>} */ const taken = new Map();
  for (const { color, length } of board.routes.filter((/** @type {any} */ { id }) =>
    routes.includes(id),
  )) {
    taken.set(color, (taken.get(color) ?? 0) + length);
  }
  const grey = taken.get(GREY) ?? 0;
  taken.delete(GREY);
  return [
    Object.fromEntries(
      [...taken]
        .map(([color, count]) => [color, count - (own(hand, color) ?? 0)])
        .filter(([, count]) => Number(count) > 0),
    ),
    grey,
  ];
}
