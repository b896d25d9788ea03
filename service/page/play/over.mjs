/** The game is over: who has won, and where to go from here. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { client } from "../account.mjs";
import { nameOn } from "../seats.mjs";
import { texts } from "../texts/texts.mjs";
import { withPart } from "../waiting.mjs";
import { own } from "../own.mjs";

/** Go to a part of the screen. @param {string} part */
function show(part) {
  const section = /** @type {HTMLElement | null} */ (document.querySelector(`.game > .${part}`));
  section?.scrollIntoView({ block: "nearest" });
  /** @type {HTMLElement | null} */ (section?.querySelector("button, input, [tabindex]"))?.focus();
}

/** Share the game by what the device offers; else copy its link, in the dialog that has pictures, too.
 * @param {Tray} tray */
function share({ table, go }) {
  const url = new URL(`/games/${table.id}`, location.href).href;
  if (navigator.share) return navigator.share({ title: document.title, url }).catch(() => {}); // it was taken back
  return withPart(
    ({ openMore }) => openMore(table, go, "share").copy(),
    () => import("../replay/more.mjs"),
  );
}

/** @param {Tray} tray */
export function ending(tray) {
  const { view, now, seat } = tray.table;
  if (tray.table.isCounting) {
    return html`<div class="prompt over" tabindex="-1">
        <p role="status"><strong>${texts.play.counting}</strong></p>
      </div>
      <div class="deeds">
        <button class="main" @click=${() => tray.table.counted()}>${texts.play.showResult}</button>
      </div>`;
  }
  const winners = view.seats.filter((one) => one.result?.rank === 1);
  const off = tray.state.busy ? "true" : nothing;
  // It begins when all players of the game have asked for it.
  const rematch = () =>
    tray.attempt(async () =>
      tray.go(`/games/${(await client.post(`/v1/games/${tray.table.id}/rematch`)).id}`),
    );
  return html`<div class="prompt over" tabindex="-1">
      <p role="status">
        <strong
          >${
            winners.length
              ? texts.play.won(
                  winners.map((one) => nameOn(view, one.seat)),
                  winners[0].result?.total ?? 0,
                )
              : texts.play.noResult
          }</strong
        >
        <span class="faint">${view.ending ? own(texts.play.endings, view.ending) : ""}</span>
      </p>
    </div>
    <div class="deeds">
      <button class="jump" @click=${() => show("replay")}>${texts.game.replay}</button>
      ${seat === null ? nothing : html`<button aria-haspopup="dialog" @click=${() => share(tray)}>${texts.replay.parts.share}</button>`}
      ${
        seat !== null && !now.tournament && !now.pool
          ? html` <button class="main" aria-disabled=${off} @click=${rematch}>
              ${texts.play.rematch}
            </button>`
          : nothing
      }
    </div>`;
}
