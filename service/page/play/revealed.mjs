/** The cards and tickets of a seat, once the game is an open book. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { bundle } from "./cards.mjs";
import { placeNames } from "../map/places.mjs";
import { texts } from "../texts/texts.mjs";

/** Pointing at a ticket lights its two locations.
 * @param {any} board @param {{ hand: Record<string, number>, tickets: string[] }} held
 * @param {GameMap} map */
export function revealed(board, { hand, tickets }, map) {
  const names = placeNames(board);
  const held = board.tickets.filter((/** @type {any} */ { id }) => tickets.includes(id));
  const light = (/** @type {string[]} */ ...places) => () =>
    map.light({ locations: new Map(places.map((id) => [id, "wanted"])) });
  return html`<div class="holds"><p class="revealed">${bundle(board, hand)}</p>
    ${held.length ? html`<details class="held"><summary>${texts.play.count(held.length, texts.play.words.ticket)}</summary>
      <ul>${held.map((/** @type {any} */ { a, b, points }) => html`<li><button @pointerenter=${light(a, b)}
        @pointerleave=${light()} @focus=${light(a, b)} @blur=${light()}>${names.get(a)} – ${names.get(b)}
        <strong>${points}</strong></button></li>`)}</ul></details>` : nothing}</div>`;
}
