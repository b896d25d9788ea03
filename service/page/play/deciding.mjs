/** The state of the viewer's decision: one state, changed by events alone. The tray and the map are drawn
 * from it and from the table. */

import { buildable, claimable, keepable, may, waysAt } from "./legal.mjs";

/** @typedef {{ route?: string, location?: string }} Where on the map
 * @typedef {"idle" | "keeping" | "tunnel" | "listing" | "building" | "paying" | "asking"} Mode the routes that may be
 *   claimed are listed, a place for a station is chosen, what was chosen is paid, a question has to be answered
 * @typedef {{ words: string, rule?: string, text?: string, link?: string }} Problem
 * @typedef {{ mode: Mode, under: Mode, where: Where, asked: string, picked: string[], keeps: boolean, pointed: string | null,
 *   pinned: string | null, aimed: string | null, hint: string, problem: Problem | null, busy: boolean }} State
 * `under` is the mode to go back to from a payment or a question. `where` is what is paid for or what the hint speaks of,
 * `asked` the type of the action that a question is about. `picked` are tickets to keep; a ticket is `pointed` at or stays
 * `pinned`, a route of the list is `aimed` at; `keeps` a card for the flag. While `busy`, an action is under way.
 * @typedef {{ type: "open", mode: "listing" | "building" } | { type: "choose", where: Where } | { type: "ask", asked: string }
 *   | { type: "back" } | { type: "pick", id: string } | { type: "keep", keeps: boolean } | { type: "point", pointed: string | null }
 *   | { type: "pin", id: string } | { type: "aim", aimed: string | null } | { type: "hint", hint: string, where?: Where }
 *   | { type: "send" } | { type: "answer", problem: Problem | null } | { type: "played" } | { type: "change", isNew: boolean }} Event */

/** @type {State} */
export const START = {
  mode: "idle",
  under: "idle",
  where: {},
  asked: "",
  picked: [],
  keeps: true,
  pointed: null,
  pinned: null,
  aimed: null,
  hint: "",
  problem: null,
  busy: false,
};

/** Take back the current choice. @param {State} state */
const cleared = ({ pointed, pinned, busy, problem }) => ({
  ...START,
  pointed,
  pinned,
  busy,
  problem,
});

/** The states after an event. @type {Record<Event["type"], (state: State, event: any) => State>} */
const AFTER = {
  open: (state, { mode }) => ({ ...cleared(state), mode: state.mode === mode ? "idle" : mode }),
  choose: (state, { where }) => ({
    ...state,
    where,
    hint: "",
    mode: "paying",
    under: state.mode === "paying" ? state.under : state.mode,
  }),
  ask: (state, { asked }) => ({
    ...state,
    asked,
    hint: "",
    mode: "asking",
    under: state.mode === "asking" ? state.under : state.mode,
  }),
  back: (state) =>
    ["paying", "asking"].includes(state.mode)
      ? { ...state, mode: state.under, hint: "" }
      : cleared(state),
  pick: (state, { id }) => ({
    ...state,
    picked: state.picked.includes(id)
      ? state.picked.filter((one) => one !== id)
      : [...state.picked, id],
  }),
  keep: (state, { keeps }) => ({ ...state, keeps }),
  point: (state, { pointed }) => ({ ...state, pointed }),
  pin: (state, { id }) => ({ ...state, pinned: state.pinned === id ? null : id }),
  aim: (state, { aimed }) => ({ ...state, aimed }),
  hint: (state, { hint, where = {} }) => ({
    ...state,
    hint,
    where,
    mode: state.mode === "paying" ? state.under : state.mode,
  }),
  send: (state) => ({ ...state, busy: true, problem: null, hint: "" }),
  answer: (state, { problem }) => ({ ...state, busy: false, problem }),
  played: cleared,
  change: (state, { isNew }) => ({ ...state, hint: isNew ? "" : state.hint }),
};

/** The state after an event: its mode is one that the table allows. @param {State} state @param {Event} event
 * @param {Table} table */
export function next(state, event, { actions, view, isLatest }) {
  const after = AFTER[event.type](state, event);
  const offered = view.you?.offered ?? [];
  /** @type {Mode} */
  const least = !isLatest
    ? "idle"
    : view.tunnel
      ? "tunnel"
      : keepable(actions).length
        ? "keeping"
        : "idle";
  /** @type {Record<Mode, unknown>} */
  const can = {
    idle: true,
    keeping: true,
    tunnel: true,
    listing: claimable(actions).size,
    building: buildable(actions).size,
    paying: after.busy || waysAt(actions, after.where).length,
    asking: isLatest && (after.asked === "resign" || may(actions, after.asked)),
  };
  const stays =
    can[after.mode] &&
    (least === "idle" ? !["keeping", "tunnel"].includes(after.mode) : after.mode === "asking");
  return {
    ...after,
    mode: stays ? after.mode : least,
    picked: after.picked.filter((id) => offered.includes(id)),
  };
}
