/** The game is over: who has won, and where to go from here. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { client } from "../account.mjs";
import { nameOn } from "../seats.mjs";
import { texts } from "../texts/texts.mjs";

/** Go to a part of the screen. @param {string} part */
function show(part) {
  const section = /** @type {HTMLElement | null} */ (document.querySelector(`.game > .${part}, .side > .${part}`));
  section?.scrollIntoView({ block: "nearest" });
  /** @type {HTMLElement | null} */ (section?.querySelector("button, input, [tabindex]"))?.focus();
}

/** @param {import("./tray.mjs").Tray} tray */
export function ending(tray) {
  const { view, now, id, seat } = tray.table;
  if (tray.table.isCounting) {
    return html`<div class="prompt over" tabindex="-1"><p role="status"><strong>${texts.play.counting}</strong></p>
      <button @click=${() => show("scoring")}>${texts.game.scoring}</button>
      <button class="main" @click=${() => tray.table.counted()}>${texts.play.showResult}</button></div>`;
  }
  const winners = view.seats.filter((one) => one.result?.rank === 1);
  const again = () => tray.attempt(async () =>
    tray.go(`/games/${(await client.post(`/v1/games/${id}/rematch`)).id}`));
  return html`<div class="prompt over" tabindex="-1"><p role="status"><strong>${winners.length
    ? texts.play.won(winners.map((one) => nameOn(view, one.seat)), winners[0].result?.total ?? 0)
    : texts.play.noResult}</strong> <span class="faint">${view.ending ? texts.play.endings[view.ending] : ""}</span></p>
    ${winners.length ? html`<button @click=${() => show("scoring")}>${texts.game.scoring}</button>` : nothing}
    <button @click=${() => show("replay")}>${texts.game.replay}</button>
    ${seat !== null && !now.tournament && !now.pool ? html`<button class="main" aria-disabled=${tray.busy ? "true" : nothing}
      @click=${again}>${texts.play.rematch}</button>` : nothing}</div>`;
}
