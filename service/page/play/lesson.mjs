/** The first lesson: five steps in a newcomer's first game, each of which goes on when its thing is done there. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { set } from "../settings.mjs";
import { texts } from "../texts/texts.mjs";
import { word } from "./cards.mjs";

const POINTS = 4; // the last step

/** The games in which a route was looked at. @type {Set<string>} */
const looked = new Set();

/** The step that is due, as a template; nothing while others play. @param {Tray} tray */
export function lesson(tray) {
  const {
    table: { id, view, seat, isLatest, entries, board, actions },
    state: { mode, hint, where },
  } = tray;
  const mine = entries
    .flatMap(({ events }) => /** @type {any[]} */ (events))
    .filter((event) => event.seat === seat);
  const has = (/** @type {string} */ type) => mine.find((event) => event.type === type);
  const due = view.deciding.find((one) => one.seat === seat)?.decision;
  const drawn = due !== "second_card" && has("card_drawn");
  if (drawn && where.route && (hint || mode === "paying")) looked.add(id);
  const claim = has("route_claimed");
  const at = [has("tickets_kept"), drawn, claim ?? looked.has(id), claim].findIndex(
    (isDone) => !isDone,
  );
  const step = at < 0 ? POINTS : at;
  const game = /** @type {HTMLElement | null} */ (tray.root.closest(".game"));
  const isShown = isLatest && view.status === "playing" && (due !== undefined || step === POINTS);
  game?.setAttribute("data-lesson", isShown ? String(step) : "");
  if (!isShown) return nothing;
  const finish = () => {
    set({ taught: true });
    game?.removeAttribute("data-lesson");
    tray.draw();
    /** @type {HTMLElement | null} */ (tray.root.querySelector(".prompt"))?.focus({
      preventScroll: true,
    });
  };
  const said = texts.lesson.steps[step];
  return html`<div class="lesson" role="region" aria-label=${texts.lesson.title}>
    <p role="status">
      <strong>${texts.lesson.step(step + 1, POINTS + 1)}</strong>
      ${said(word(board, "ticket"), word(board, "train"), claim?.points ?? actions.filter(({ type }) => type === "claim_route").length)}
    </p>
    <button class=${step === POINTS ? "main" : ""} @click=${finish}>
      ${step === POINTS ? texts.lesson.end : texts.lesson.skip}
    </button>
  </div>`;
}
