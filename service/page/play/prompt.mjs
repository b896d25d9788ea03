/** The prompt: the pending decision in a sentence, and buttons for turns without cards. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { buildable, claimable, deckIsOpen, declaredActions, may, takeable } from "./legal.mjs";
import { decisionWords, declared } from "../declared.mjs";
import { nameOn } from "../seats.mjs";
import { texts } from "../texts/texts.mjs";
import { word } from "./cards.mjs";
import { own } from "../own.mjs";

/** @typedef {import("./tray.mjs").Tray} Tray */

/** Whether it is the viewer's turn. @param {Tray} tray */
const isDue = ({ table: { view, seat, isLatest } }) => isLatest && view.status !== "finished"
  && view.deciding.some((one) => one.seat === seat);

/** Whether the viewer is to act, and the actions for it have not come yet. @param {Tray} tray */
export const isLoading = (tray) => isDue(tray) && !tray.table.actions.length;

/** The reason why the viewer cannot act now; null if they can. @param {Tray} tray
 * @returns {string | null} */
export function waiting(tray) {
  const { view, seat, isLatest } = tray.table;
  if (view.status === "finished") return texts.play.isOver;
  if (seat === null) return texts.play.youWatch;
  if (!isLatest) return texts.play.lookingBack;
  if (!isDue(tray)) return texts.play.notYours;
  return tray.busy || isLoading(tray) ? texts.play.moment : null;
}

/** The pending decision of other players, in words. @param {any} board @param {string} decision
 * @param {string[]} names */
const theirs = (board, decision, names) => own(texts.play.theirs, decision)?.(names)
  ?? texts.play.theyHaveTo(names, decisionWords(board, decision));

/** The pending decision, worded for the viewer. @param {Tray} tray */
function sentence({ table, offers }) {
  const { board, view, seat, actions } = table;
  const mine = view.deciding.find((one) => one.seat === seat);
  if (!mine) {
    const names = view.deciding.map((one) => nameOn(view, one.seat));
    return seat !== null && view.seats[seat]?.left ? texts.play.youLeft
      : names.length ? theirs(board, view.deciding[0].decision, names) : "";
  }
  if (mine.decision !== "turn") {
    return own(texts.play.yours, mine.decision) ?? texts.play.haveTo(decisionWords(board, mine.decision));
  }
  if (offers?.builds) return texts.play.choosePlace(word(board, "location"), word(board, "station"));
  if (actions.length && may(actions, "pass")) return texts.play.mustPass;
  const can = [
    ...deckIsOpen(actions) || takeable(actions).size ? [texts.play.canDraw] : [],
    ...claimable(actions).size ? [texts.play.canClaim] : [],
    ...may(actions, "draw_tickets") ? [texts.play.canTicket(word(board, "ticket"))] : [],
  ];
  return texts.play.yourTurn(can);
}

/** The sentence, and buttons for actions that use neither cards nor the map. @param {Tray} tray */
export function prompt(tray) {
  const { table, offers, busy } = tray;
  const { board, view, actions, seat } = table;
  const isMine = view.deciding.some((one) => one.seat === seat) && table.isLatest;
  const off = busy ? "true" : nothing;
  const plays = seat !== null && table.isLatest && !view.seats[seat]?.left;
  return html`<div class=${isMine ? "prompt mine" : "prompt"} tabindex="-1">
    <p role="status">${table.isLatest ? html`<strong>${sentence(tray)}</strong>` : texts.play.lookingBack}
      ${view.final_turns ? html`<span class="final">${texts.play.finalTurns(view.final_turns)}</span>` : nothing}</p>
    ${may(actions, "pass") ? html`<button class="main" aria-disabled=${off}
      @click=${() => tray.play({ type: "pass" })}>${texts.play.pass}</button>` : nothing}
    ${offers ? declaredActions(board, actions).map((action) => html`<button class="main" aria-disabled=${off}
      @click=${() => tray.play(action)}>${declared(board, "actions", action.type, action)}</button>`) : nothing}
    ${offers && claimable(actions).size ? html`<button aria-pressed=${offers.lists}
      @click=${() => { Object.assign(offers, { lists: !offers.lists, chosen: null, builds: false }); tray.draw(); }}>
      ${texts.play.routes(claimable(actions).size)}</button>` : nothing}
    ${offers && buildable(actions).size ? html`<button aria-pressed=${offers.builds}
      @click=${() => { Object.assign(offers, { builds: !offers.builds, chosen: null, lists: false }); tray.draw(); }}>
      ${texts.play.buildStation(word(board, "station"))}</button>` : nothing}
    ${!plays ? nothing : tray.asks ? question(tray, tray.asks)
      : html`<button class="quiet" @click=${() => tray.ask({ type: "resign" })}>${texts.play.resign}</button>`}</div>`;
}

/** A question before an action that cannot be taken back. @param {Tray} tray @param {{ type: string }} action */
function question(tray, action) {
  const asks = own(texts.play.asks, action.type);
  if (!asks) return nothing;
  const { sure, yes, no } = asks(word(tray.table.board, "ticket"));
  return html`<span class="asks" role="alertdialog" aria-label=${sure}>${sure}
    <button class=${action.type === "resign" ? "sure" : "main"} aria-disabled=${tray.busy ? "true" : nothing}
      @click=${() => tray.play(action)}>${yes}</button>
    <button @click=${() => tray.ask(null)}>${no}</button></span>`;
}
