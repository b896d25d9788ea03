/** The keyboard shortcuts of the replay; other elements that use a key take precedence. */

import { own } from "../own.mjs";

const OTHERS = "input, select, textarea, dialog, summary, .map, [role=radio], [role=listbox], [contenteditable]";

/** The action of each key.
 * @typedef {import("./bar.mjs").ReplayBar} Bar
 * @type {Record<string, (bar: Bar) => void>} */
const DEEDS = {
  " ": (bar) => bar.playback.toggle(),
  ArrowLeft: (bar) => bar.playback.step(-1),
  ArrowRight: (bar) => bar.playback.step(1),
  "shift ArrowLeft": (bar) => bar.jump(true),
  "shift ArrowRight": (bar) => bar.jump(false),
  Home: (bar) => bar.table.show(1),
  End: (bar) => bar.table.show(null),
};

/** A number shows an open book as that seat saw it, 0 shows all hands.
 * @param {string} key @param {Bar} bar @returns {((bar: Bar) => void) | undefined} */
const looks = (key, { table }) => (/^\d$/.test(key) && table.isOpenBook
  ? () => table.look(key === "0" ? null : Number(key) - 1) : undefined);

/** Run the action of a key. @param {KeyboardEvent} event @param {Bar} bar */
export function stepsBy(event, bar) {
  const { target, key } = event;
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
  if (target instanceof Element && target.closest(OTHERS)) return;
  if (key === " " && target instanceof Element && target.closest("button, a, [role=button]")) return;
  const deed = own(DEEDS, `${event.shiftKey ? "shift " : ""}${key}`) ?? looks(key, bar);
  if (!deed) return;
  event.preventDefault();
  deed(bar);
}
