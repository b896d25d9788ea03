/** Boards as posters: the map, the players it suits, its special rules, the time it takes, and buttons to play. */

import { html, nothing, render, svg } from "../vendor/lit-html/lit-html.js";
import { cardColor } from "../marks.mjs";
import { client } from "../account.mjs";
import { byId, extent, line } from "../map/drawing.mjs";
import { easyFirst } from "../screens.mjs";
import { texts } from "../texts/texts.mjs";

/** @typedef {API["ListedBoard"]} ListedBoard
 * @typedef {{ table: any, layout: any }} Chart */

/** A board's table and layout. @param {string} id @returns {Promise<Chart>} */
export async function chartOf(id) {
  const [table, layout] = await Promise.all([
    client.get(`/v1/boards/${id}`),
    client.get(`/v1/boards/${id}/layout`),
  ]);
  return { table, layout };
}

/** Show posters, and their maps one after the other. @param {HTMLElement} root @param {ListedBoard[]} boards
 * @param {(board: ListedBoard) => unknown} act what one can do with a board, as a template */
export async function showPosters(root, boards, act) {
  /** @type {Map<string, unknown>} */ const pictures = new Map();
  const update = () =>
    render(
      html`<ul class="posters">
        ${boards.map((board) => {
          const { level, special, lasts } = texts.posters.boards[easyFirst.indexOf(board.id)] ?? {};
          return html`<li class="card">
            <span class="little-map">${pictures.get(board.id) ?? nothing}</span>
            <div>
              <h2><a href="/boards/${board.id}">${board.name}</a></h2>
              ${level ? html`<p class="level">${level}</p>` : nothing}
              <p class="faint">
                ${lasts ? `${lasts} · ` : nothing}${texts.posters.players(board.least_players, board.most_players)}
              </p>
              ${special ? html`<p>${special}</p>` : nothing}
            </div>
            ${act(board)}
          </li>`;
        })}
      </ul>`,
      root,
    );
  update();
  for (const { id } of boards) {
    const chart = await chartOf(id).catch(() => null); // the name will do
    if (chart) pictures.set(id, picture(chart));
    update();
  }
}

/** The map in the colours of its tracks. @param {Chart} chart */
function picture({ table, layout }) {
  const { x, y, width, height } = extent(layout);
  const { areas, lines, coast } = layout.land;
  const spaces = byId(layout.routes);
  const colors = [...new Set(table.routes.map((/** @type {any} */ { color }) => color))];
  const paths = colors.map((color) =>
    table.routes
      .filter((/** @type {any} */ route) => route.color === color)
      .flatMap((/** @type {any} */ { id }) =>
        spaces.get(id).spaces.map((/** @type {any} */ space) => line([space])),
      )
      .join(""),
  );
  const wide = layout.routes[0]?.spaces[0]?.width ?? 1;
  return html`<svg
    class="little"
    viewBox="${x} ${y} ${width} ${height}"
    aria-hidden="true"
    fill="none"
  >
    <path class="land" d=${areas + lines} stroke-width=${2 * coast}></path>
    <path class="fill" d=${areas}></path>
    <path class="edges" d=${paths.join("")} stroke-width=${wide + 6}></path>
    ${paths.map(
      (
        d,
        i,
      ) => svg`<path d=${d} stroke="color-mix(in srgb, ${cardColor(table, colors[i]).paint} var(--free), var(--land))"
      stroke-width=${wide + 1}></path>`,
    )}
    <path
      class="cities"
      d=${layout.locations.map((/** @type {any} */ one) => `M${one.x} ${one.y}h0`).join("")}
      stroke-width=${2 * layout.spot + 4}
    ></path>
  </svg>`;
}
