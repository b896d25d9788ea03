/** Hints for the first turns of newcomers, one for each. Each can be put away, and so can all of them. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { set, settings } from "../settings.mjs";
import { texts } from "../texts/texts.mjs";
import { word } from "./cards.mjs";

/** The hints that were put away. @type {Set<string>} */
const gone = new Set();

/** The hint for the viewer's decision, as a template. @param {import("./tray.mjs").Tray} tray */
export function coach(tray) {
  const { view, seat, entries, board, id } = tray.table;
  const due = view.deciding.find((one) => one.seat === seat)?.decision;
  const turns = entries.flatMap(({ events }) => events)
    .filter((/** @type {any} */ event) => event.type === "turn_began" && event.seat === seat).length;
  const { hints, next, enough } = texts.coach;
  const at = !turns && due === "keep_tickets" ? 0 : due === "turn" || due === "second_card" ? turns : hints.length;
  if (turns >= hints.length) set({ coached: false });
  if (!settings().coached || !Object.hasOwn(hints, at) || gone.has(`${id} ${at}`)) return nothing;
  const close = (/** @type {boolean} */ isAll) => () => {
    gone.add(`${id} ${at}`);
    if (isAll) set({ coached: false });
    tray.draw();
  };
  return html`<div class="coach" role="note"><p>${hints[at](word(board, "ticket"), word(board, "train"))}</p>
    <button class="main" @click=${close(false)}>${next}</button>
    <button @click=${close(true)}>${enough}</button></div>`;
}
