/** The map as a thumbnail, for lists of games and boards; and the views of games that are shown so. */

import { client } from "../account.mjs";
import { extent, line } from "./drawing.mjs";
import { html, svg } from "../vendor/lit-html/lit-html.js";
import { seatPaint } from "../marks.mjs";

const STEP = 700; // milliseconds between two requests for games, once each has been fetched

/** @type {WeakMap<any, { lines: Map<string, string>, all: string, box: string }>} */
const LINES = new WeakMap();

/** A thumbnail of the map for lists: land, lines and claims. @param {any} layout
 * @param {any} [view] */
export function little(layout, view) {
  const { areas, lines: shores, coast } = layout.land;
  let kept = LINES.get(layout);
  if (!kept) {
    const lines = new Map(
      layout.routes.map((/** @type {any} */ { id, spaces }) => [id, line(spaces)]),
    );
    const { x, y, width, height } = extent(layout);
    LINES.set(
      layout,
      (kept = { lines, all: [...lines.values()].join(""), box: `${x} ${y} ${width} ${height}` }),
    );
  }
  const { lines, all } = kept;
  /** @type {Map<number, string>} */ const claimed = new Map();
  for (const { route, seat } of view?.claims ?? [])
    claimed.set(seat, (claimed.get(seat) ?? "") + lines.get(route));
  return html`<svg class="little" viewBox=${kept.box} aria-hidden="true">
    <path class="land" d=${areas + shores} stroke-width=${2 * coast}></path>
    <path class="fill" d=${areas}></path>
    <path class="tracks" d=${all}></path>
    ${[...claimed].map(([seat, d]) => svg`<path class="claimed" d=${d} stroke=${seatPaint(seat)}></path>`)}
  </svg>`;
}

/** Fetch games that are shown as small boards, one after the other, that first which was fetched longest ago.
 * @param {Map<string, any>} views by game; `at` is when it was fetched @param {Map<string, any>} layouts by board
 * @param {() => string[]} stale the games to fetch @param {() => void} draw @param {AbortSignal} signal */
export async function watching(views, layouts, stale, draw, signal) {
  const age = (/** @type {string} */ id) => Date.now() - (views.get(id)?.at ?? 0);
  while (!signal.aborted) {
    const [id] = document.hidden ? [] : stale().sort((one, other) => age(other) - age(one));
    const isFirst = id && !views.has(id);
    if (id) {
      const view = await client
        .get(`/v1/games/${id}`, { query: { legal_actions: "false" }, signal })
        .catch(() => views.get(id));
      const { board } = view ?? {};
      if (board && !layouts.has(board))
        await client.get(`/v1/boards/${board}/layout`, { signal }).then(
          (layout) => layouts.set(board, layout),
          () => {},
        );
      views.set(id, { ...view, at: Date.now() });
      draw();
    }
    if (!isFirst) await new Promise((done) => setTimeout(done, STEP));
  }
}
