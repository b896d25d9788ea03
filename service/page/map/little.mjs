/** The map as a thumbnail, for lists of games and boards. */

import { extent, line } from "./drawing.mjs";
import { html, svg } from "../vendor/lit-html/lit-html.js";
import { seatPaint } from "../marks.mjs";

/** @type {WeakMap<any, { lines: Map<string, string>, all: string, box: string }>} */
const LINES = new WeakMap();

/** A thumbnail of the map for lists: land, lines and claims. @param {any} layout
 * @param {any} [view] */
export function little(layout, view) {
  const { areas, lines: shores, coast } = layout.land;
  let kept = LINES.get(layout);
  if (!kept) {
    const lines = new Map(layout.routes.map((/** @type {any} */ { id, spaces }) => [id, line(spaces)]));
    const { x, y, width, height } = extent(layout);
    LINES.set(layout, kept = { lines, all: [...lines.values()].join(""), box: `${x} ${y} ${width} ${height}` });
  }
  const { lines, all } = kept;
  /** @type {Map<number, string>} */ const claimed = new Map();
  for (const { route, seat } of view?.claims ?? []) claimed.set(seat, (claimed.get(seat) ?? "") + lines.get(route));
  return html`<svg class="little" viewBox=${kept.box} aria-hidden="true">
    <path class="land" d=${areas + shores} stroke-width=${2 * coast}></path>
    <path class="fill" d=${areas}></path><path class="tracks" d=${all}></path>
    ${[...claimed].map(([seat, d]) => svg`<path class="claimed" d=${d} stroke=${seatPaint(seat)}></path>`)}</svg>`;
}
