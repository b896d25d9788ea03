/** The latest moves, in a line between the map and the controls: on a narrow window the log is out of sight. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { isolated } from "../declared.mjs";
import { marked } from "./bidi.mjs";
import { nameOn } from "../seats.mjs";
import { seatBadge } from "../marks.mjs";
import { texts } from "../texts/texts.mjs";
import { words } from "./words.mjs";

const MANY = 12; // entries; earlier ones are left out

/** @typedef {import("../fold.js").Entry} Entry */

/** The index of the first entry after the viewer's latest move, and whether there is such a move; without
 * one, of the latest turn of each seat. What was before the game began is no move.
 * @param {Entry[]} entries @param {number | null} seat @param {number} seats */
export function since(entries, seat, seats) {
  const begun = entries.findIndex(({ events }) => events.some(({ type }) => type === "game_started")) + 1;
  const isMine = (/** @type {Entry} */ { events: [first], timed_out: isLate }) =>
    first && "seat" in first && first.seat === seat && !isLate;
  const mine = entries.findLastIndex(isMine) + 1;
  const hasMoved = seat !== null && mine > begun;
  return { hasMoved, begin: hasMoved ? mine : Math.max(begun, entries.length - seats) };
}

/** What the others have done since the viewer's latest move, as a template.
 * @param {import("../table.mjs").Table} table */
export function lately({ board, entries, seat, shown, version, view }) {
  if (view.status !== "playing") return nothing;
  const all = entries.slice(0, shown ?? version);
  const { hasMoved, begin } = since(all, seat, view.seats.length);
  const name = (/** @type {number} */ of) => isolated(nameOn(view, of));
  /** @type {(import("./words.mjs").Sentence & { times: number })[]} */
  const said = [];
  for (const entry of all.slice(Math.max(begin, all.length - MANY))) {
    const one = words(entry, { board, name, viewer: null }).findLast(({ seat: of }) => of !== null); // how it ended
    const last = said.at(-1);
    if (one && last?.text === one.text) last.times += 1;
    else if (one) said.push({ ...one, times: 1 });
  }
  if (!said.length) return nothing;
  const title = hasMoved ? texts.log.since : texts.log.lately;
  return html`<div class="lately"><div role="group" tabindex="0" aria-label=${title}><p><span class="faint">${title}</span>
    ${said.map(({ seat: of, text, times }) => html`<span class="move">${of === null ? nothing : seatBadge(of)}
      ${marked(text)}${times > 1 ? ` ${texts.log.times(times)}` : nothing}</span> `)}</p></div></div>`;
}
