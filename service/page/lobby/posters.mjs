/** Boards as posters: the map, whom it is for, what is special, how long it takes; what one can do with it. */

import { html, nothing, render, svg } from "../vendor/lit-html/lit-html.js";
import { cardColor } from "../marks.mjs";
import { client } from "../account.mjs";
import { extent, line } from "../map/drawing.mjs";
import { own } from "../own.mjs";
import { texts } from "../texts/texts.mjs";

/** @typedef {import("fogg-api").components["schemas"]["ListedBoard"]} ListedBoard
 * @typedef {{ table: any, layout: any }} Chart */

/** @type {Map<string, Promise<Chart>>} */
const CHARTS = new Map();

/** A board's table and layout, fetched once. @param {string} id */
export function chartOf(id) {
  const asked = CHARTS.get(id) ?? Promise.all([client.get(`/v1/boards/${id}`), client.get(`/v1/boards/${id}/layout`)])
    .then(([table, layout]) => ({ table, layout }));
  CHARTS.set(id, asked);
  asked.catch(() => CHARTS.delete(id));
  return asked;
}

/** The list of posters. It fetches the maps one after the other, for those that come into view. */
export class Posters {
  /** @param {HTMLElement} root @param {ListedBoard[]} boards
   * @param {(board: ListedBoard) => unknown} act what one can do with a board, as a template */
  constructor(root, boards, act) {
    this.root = root;
    this.boards = boards;
    this.act = act;
    /** @type {Map<string, unknown>} */ this.pictures = new Map();
    this.update();
    this.watch = new IntersectionObserver((seen) => {
      if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
      this.watch.disconnect();
      void this.draw();
    }, { rootMargin: "200px" });
    this.watch.observe(root);
  }

  async draw() {
    for (const { id } of this.boards) {
      const chart = await chartOf(id).catch(() => null); // the name will do
      if (chart) this.pictures.set(id, picture(chart));
      this.update();
    }
  }

  update() {
    render(html`<ul class="posters">${this.boards.map((board) => {
      const { least_players: least, most_players: most } = board;
      const { level, special, lasts } = own(texts.posters.boards, board.id) ?? {};
      return html`<li class="card"><span class="little-map">${this.pictures.get(board.id) ?? nothing}</span>
        <div><h2><a href="/boards/${board.id}">${board.name}</a></h2>
          ${level ? html`<p class="level">${level}</p>` : nothing}
          <p class="faint">${lasts ? `${lasts} · ` : nothing}${texts.posters.players(least, most)}</p>
          ${special ? html`<p>${special}</p>` : nothing}</div>
        ${this.act(board)}</li>`;
    })}</ul>`, this.root);
  }

  close() {
    this.watch.disconnect();
  }
}

/** The map in the colours of its tracks. @param {Chart} chart */
function picture({ table, layout }) {
  const { x, y, width, height } = extent(layout);
  const { areas, lines, coast } = layout.land;
  const spaces = new Map(layout.routes.map((/** @type {any} */ route) => [route.id, route.spaces]));
  /** @type {Map<string, string>} */
  const paths = new Map();
  for (const { id, color } of table.routes) {
    const drawn = (spaces.get(id) ?? []).map((/** @type {any} */ space) => line([space])).join("");
    paths.set(color, (paths.get(color) ?? "") + drawn);
  }
  const wide = layout.routes[0]?.spaces[0]?.width ?? 1;
  return html`<svg class="little" viewBox="${x} ${y} ${width} ${height}" aria-hidden="true" fill="none">
    <path class="land" d=${areas + lines} stroke-width=${2 * coast}></path><path class="fill" d=${areas}></path>
    <path class="edges" d=${[...paths.values()].join("")} stroke-width=${wide + 6}></path>
    ${[...paths].map(([color, d]) => svg`<path d=${d} stroke="color-mix(in srgb, ${cardColor(table, color).paint} var(--free), var(--land))"
      stroke-width=${wide + 1}></path>`)}
    <path class="cities" d=${layout.locations.map((/** @type {any} */ one) => `M${one.x} ${one.y}h0`).join("")}
      stroke-width=${2 * layout.spot + 4}></path></svg>`;
}
