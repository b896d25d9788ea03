/** The game is over: who has won, and where to go from here. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { client } from "../account.mjs";
import { nameOn } from "../seats.mjs";
import { seatBadge } from "../marks.mjs";
import { texts } from "../texts/texts.mjs";
import { withPart } from "../waiting.mjs";
import { own } from "../own.mjs";

/** Go to a part of the screen. @param {string} part */
function show(part) {
  const section = /** @type {HTMLElement | null} */ (document.querySelector(`.game > .${part}, .side > .${part}`));
  section?.scrollIntoView({ block: "nearest" });
  /** @type {HTMLElement | null} */ (section?.querySelector("button, input, [tabindex]"))?.focus();
}

/** @param {import("./tray.mjs").Tray} tray */
export function ending(tray) {
  const { view, now, seat } = tray.table;
  if (tray.table.isCounting) {
    return html`<div class="prompt over" tabindex="-1"><p role="status"><strong>${texts.play.counting}</strong></p>
      <button @click=${() => show("scoring")}>${texts.game.scoring}</button>
      <button class="main" @click=${() => tray.table.counted()}>${texts.play.showResult}</button></div>`;
  }
  const winners = view.seats.filter((one) => one.result?.rank === 1);
  const places = view.seats.filter((one) => one.result)
    .toSorted((one, other) => (one.result?.rank ?? 0) - (other.result?.rank ?? 0));
  const off = tray.busy ? "true" : nothing;
  // It begins when all players of the game have asked for it.
  const rematch = () => tray.attempt(async () => tray.go(`/games/${(await client.post(`/v1/games/${tray.table.id}/rematch`)).id}`));
  return html`<div class="prompt over" tabindex="-1"><p role="status"><strong>${winners.length
    ? texts.play.won(winners.map((one) => nameOn(view, one.seat)), winners[0].result?.total ?? 0)
    : texts.play.noResult}</strong> <span class="faint">${view.ending ? own(texts.play.endings, view.ending) : ""}</span>
    ${places.length > 1 ? html`<span class="places">${places.map(({ seat, result }) => html`<span>${
      result?.rank}. ${seatBadge(seat)} <bdi>${nameOn(view, seat)}</bdi> <b>${result?.total}</b></span> `)}</span>` : nothing}</p>
    ${winners.length ? html`<button class="jump" @click=${() => show("scoring")}>${texts.game.scoring}</button>` : nothing}
    <button class="jump" @click=${() => show("replay")}>${texts.game.replay}</button>
    ${seat === null ? nothing : html`<button aria-haspopup="dialog" @click=${() => withPart(({ openMore }) => openMore(tray.table, tray.go, "share"),
    () => import("../replay/more.mjs"), ["more"])}>${texts.play.share}</button>`}
    ${seat !== null && !now.tournament && !now.pool ? html`
      <button class="main" aria-disabled=${off} @click=${rematch}>${texts.play.rematch}</button>` : nothing}</div>`;
}
