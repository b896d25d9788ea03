/** The latest moves, in a line between the map and the controls: on a narrow window the log is out of sight. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { isolated, marked } from "../declared.mjs";
import { nameOn } from "../seats.mjs";
import { seatBadge } from "../marks.mjs";
import { texts } from "../texts/texts.mjs";
import { words } from "./words.mjs";

const MANY = 12; // entries; earlier ones are left out

/** The index of the first entry after the viewer's latest move, the number of entries if they have not moved yet;
 * for a spectator, of the latest turn of each seat. @param {Entry[]} entries @param {number | null} seat @param {number} seats */
export function since(entries, seat, seats) {
  if (seat === null) return Math.max(0, entries.length - seats);
  const last = entries.findLastIndex((entry) => entry.seat === seat && !entry.timed_out);
  return last < 0 ? entries.length : last + 1;
}

/** What the others have done since the viewer's latest move, as a template; nothing before they have moved.
 * @param {Table} table */
export function lately({ board, entries, seat, shown, version, view }) {
  if (view.status !== "playing") return nothing;
  const all = entries.slice(0, shown ?? version);
  const begin = Math.max(since(all, seat, view.seats.length), all.length - MANY);
  const name = (/** @type {number} */ of) => isolated(nameOn(view, of));
  /** @type {(import("./words.mjs").Sentence & { times: number })[]} */ const said = [];
  for (const entry of all.slice(begin).filter(({ seat: of }) => of !== undefined)) {
    const one = words(entry, { board, name, viewer: null }).findLast(({ seat: of }) => of !== null); // how it ended
    const last = said.at(-1);
    if (one && last?.text === one.text) last.times += 1;
    else if (one) said.push({ ...one, times: 1 });
  }
  if (!said.length) return nothing;
  const title = seat === null ? texts.log.lately : texts.log.since;
  return html`<div class="lately">
    <div role="group" tabindex="0" aria-label=${title}>
      <p>
        <span class="faint">${title}</span> ${said.map(
          ({ seat: of, text, times }) =>
            html`<span class="move"
              >${of === null ? nothing : seatBadge(of)}
              ${marked(text)}${times > 1 ? ` ${texts.log.times(times)}` : nothing}</span
            > `,
        )}
      </p>
    </div>
  </div>`;
}
