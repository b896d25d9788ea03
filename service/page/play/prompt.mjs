/** The prompt: the pending decision in a sentence, and buttons for turns without cards. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { buildable, claimable, deckIsOpen, declaredActions, may, takeable } from "./legal.mjs";
import { decisionWords, declared } from "../declared.mjs";
import { nameOn } from "../seats.mjs";
import { texts } from "../texts/texts.mjs";
import { word } from "./cards.mjs";
import { own } from "../own.mjs";

/** Whether it is the viewer's turn. @param {Tray} tray */
const isDue = ({ table: { view, seat, isLatest } }) =>
  isLatest && view.status !== "finished" && view.deciding.some((one) => one.seat === seat);

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
  return tray.state.busy || isLoading(tray) ? texts.play.moment : null;
}

/** The pending decision of other players, in words. @param {any} board @param {string} decision
 * @param {string[]} names */
const theirs = (board, decision, names) =>
  own(texts.play.theirs, decision)?.(names) ??
  texts.play.theyHaveTo(names, decisionWords(board, decision));

/** The pending decision, worded for the viewer. @param {Tray} tray */
function sentence({ table }) {
  const { board, view, seat, actions } = table;
  const mine = view.deciding.find((one) => one.seat === seat);
  if (!mine) {
    const names = view.deciding.map((one) => nameOn(view, one.seat));
    return seat !== null && view.seats[seat]?.left
      ? texts.play.youLeft
      : names.length
        ? theirs(board, view.deciding[0].decision, names)
        : "";
  }
  if (mine.decision !== "turn") {
    return (
      own(texts.play.yours, mine.decision) ?? texts.play.haveTo(decisionWords(board, mine.decision))
    );
  }
  if (actions.length && may(actions, "pass")) return texts.play.mustPass;
  const can = [
    ...(deckIsOpen(actions) || takeable(actions).size ? [texts.play.canDraw] : []),
    ...(claimable(actions).size ? [texts.play.canClaim] : []),
    ...(may(actions, "draw_tickets") ? [texts.play.canTicket(word(board, "ticket"))] : []),
  ];
  return texts.play.yourTurn(can);
}

/** The question to the viewer, or the decision that others make. @param {Tray} tray */
export function prompt(tray) {
  const {
    table: { view, isLatest },
    offers,
  } = tray;
  const asked = question(tray)?.sure;
  return html`<div class=${isDue(tray) ? "prompt mine" : "prompt"} tabindex="-1">
    <p role="status">
      ${isLatest ? html`<strong>${asked ?? offers?.title(tray) ?? sentence(tray)}</strong>` : texts.play.lookingBack}
      ${asked ? nothing : offers?.notes(tray)}
      ${view.final_turns ? html`<span class="final">${texts.play.finalTurns(view.final_turns)}</span>` : nothing}
    </p>
  </div>`;
}

/** The buttons of the decision, always whole in sight. @param {Tray} tray */
export function deeds(tray) {
  const {
    table: { board, view, actions, seat, isLatest },
    offers,
    state: { mode, busy },
  } = tray;
  if (seat === null || !isLatest || view.seats[seat]?.left) return nothing;
  if (mode === "asking") return answers(tray);
  const main = (/** @type {any} */ action, /** @type {unknown} */ words) =>
    html`<button
      class="main"
      aria-disabled=${busy ? "true" : nothing}
      @click=${() => tray.play(action)}
    >
      ${words}
    </button>`;
  const opens = (/** @type {"listing" | "building"} */ to, /** @type {string} */ words) =>
    html`<button aria-pressed=${mode === to} @click=${() => tray.send({ type: "open", mode: to })}>
      ${words}
    </button>`;
  const routes = offers ? claimable(actions).size : 0;
  return html`<div class="deeds">
    ${
      offers?.buttons(tray) ??
      html` ${may(actions, "pass") ? main({ type: "pass" }, texts.play.pass) : nothing}
      ${offers ? declaredActions(board, actions).map((action) => main(action, declared(board, "actions", action.type, action))) : nothing}
      ${routes ? opens("listing", texts.play.routes(routes)) : nothing}
      ${offers && buildable(actions).size ? opens("building", texts.play.buildStation(word(board, "station"))) : nothing}`
    }
    ${mode === "paying" ? nothing : html`<button class="quiet" @click=${() => tray.ask("resign")}>${texts.play.resign}</button>`}
  </div>`;
}

/** The words that ask before an action that cannot be taken back; none if nothing is asked. @param {Tray} tray */
const question = ({ state: { mode, asked }, table: { board } }) =>
  mode === "asking" ? own(texts.play.asks, asked)?.(word(board, "ticket")) : undefined;

/** The answers to such a question. @param {Tray} tray */
function answers(tray) {
  const { sure, yes, no } = question(tray) ?? {};
  const { asked, busy } = tray.state;
  return html`<div class="deeds asks" role="alertdialog" aria-label=${sure}>
    <button
      class=${asked === "resign" ? "sure" : "main"}
      aria-disabled=${busy ? "true" : nothing}
      @click=${() => tray.play({ type: asked })}
    >
      ${yes}
    </button>
    <button @click=${() => tray.back()}>${no}</button>
  </div>`;
}
