/** The cards in hand, those that lie face up, and the decks. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { back, control, face, sorted, word } from "./cards.mjs";
import { cardColor } from "../marks.mjs";
import { deckIsOpen, may, takeable } from "./legal.mjs";
import { texts } from "../texts/texts.mjs";
import { own } from "../own.mjs";

/** @param {any} board @param {Record<string, number>} cards */
export function hand(board, cards) {
  const colors = sorted(board, cards);
  const all = colors.reduce((sum, color) => sum + (own(cards, color) ?? 0), 0);
  return html`<section class="hand">
    <h2>${texts.play.hand} <span class="faint">${all}</span></h2>
    <ul>
      ${colors.map(
        (color) =>
          html`<li data-card=${color}>
            ${face(board, color)}
            <span class="count">${own(cards, color)}</span>
            <span class="hidden-text">${cardColor(board, color).name}</span>
          </li>`,
      )}
    </ul>
    ${colors.length ? nothing : html`<p class="faint">${texts.play.noCards}</p>`}
  </section>`;
}

/**
 * The sources to draw from: the row, the deck and the tickets.
 * @param {any} board @param {any} view @param {import("./legal.mjs").Group[]} actions
 * @param {string | null} closed why the viewer cannot draw; null if they can
 * @param {(action: any) => void} play
 * @param {(why: string) => void} say why what was clicked cannot be drawn
 * @param {() => void} askForTickets
 */
export function draws(board, view, actions, closed, play, say, askForTickets) {
  const taken = takeable(actions);
  const {
    deciding: [one],
    row = [],
    deck = 0,
    discards = 0,
    ticket_deck: tickets = 0,
  } = view;
  const isSecond = one?.decision === "second_card";
  const why = (/** @type {boolean} */ isOpen, /** @type {string} */ reason) =>
    isOpen ? null : (closed ?? reason);
  return html`<section class="draws">
    <h2>${texts.play.row}</h2>
    <ul>
      ${row.map(
        (/** @type {string} */ color, /** @type {number} */ place) =>
          html`<li data-place=${place} data-color=${color}>
            ${control({
              label: texts.play.take(cardColor(board, color).name),
              kind: "drawn",
              say,
              content: face(board, color),
              why: why(taken.has(color), isSecond ? texts.play.notSecond : texts.play.notNow),
              act: () => play({ type: "draw_card", from: "row", card: color }),
            })}
          </li>`,
      )}
      <li data-deck>
        ${control({
          label: texts.play.draw(deck),
          kind: "drawn",
          say,
          why: why(deckIsOpen(actions), deck + discards ? texts.play.notNow : texts.play.noDeck),
          act: () => play({ type: "draw_card", from: "deck" }),
          content: html`${back("cards")}<span class="count" aria-hidden="true">${deck}</span>`,
        })}
      </li>
      <li data-tickets>
        ${control({
          label: texts.play.drawTickets(word(board, "ticket"), tickets),
          kind: "drawn",
          say,
          why: why(
            may(actions, "draw_tickets"),
            tickets ? (isSecond ? texts.play.midTurn : texts.play.notNow) : texts.play.noTickets,
          ),
          act: askForTickets,
          content: html`${back("tickets")}<span class="count" aria-hidden="true">${tickets}</span>`,
        })}
      </li>
    </ul>
  </section>`;
}
