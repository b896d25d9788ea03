/** A player's ratings, overall and on each board. */

import { axis, interval, scale } from "../chart.mjs";
import { grid } from "./grid.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { number, percent } from "./words.mjs";
import { texts } from "../texts/texts.mjs";

const words = texts.leaderboards;

/** Where a rating's interval ends. @param {API["Rating"]} rating */
export const most = ({ mu, sigma }) => mu + 3 * sigma;

/** The axis of a column of ratings. @param {API["Rating"][]} rows */
export const reach_of = (rows) =>
  scale(
    rows.flatMap((row) => [row.rating, most(row)]),
    50,
  );

/** A rating's interval, drawn and in words that are read aloud.
 * @param {ChartScale} reach @param {API["Rating"]} row */
export const drawn = (reach, row) =>
  html`${interval(reach, row.rating, row.mu, most(row))}
    <span class="hidden-text"
      >${words.between(number(row.rating, 1), number(row.mu, 1), number(most(row), 1))}</span
    >`;

/** The note on a provisional rating. @param {{ provisional: boolean }} row */
export const doubt = (row) =>
  row.provisional
    ? html` <abbr class="tag" title=${words.provisionalMeans}>${words.provisional}</abbr>`
    : nothing;

/** @param {API["PlayersRating"][]} rows @param {Map<string, string>} boards */
export function ratings(rows, boards) {
  const reach = reach_of(rows);
  return html`${grid(
    texts.players.ratings,
    [
      {
        title: texts.app.board,
        head: true,
        cell: (row) =>
          html`<a href="/leaderboards/${row.board}"
              >${boards.get(row.board) ?? texts.app.allBoards}</a
            >${doubt(row)}`,
      },
      { title: texts.app.rank, number: true, cell: (row) => number(row.rank) },
      {
        title: words.rating,
        number: true,
        cell: (row) => html`<strong>${number(row.rating, 1)}</strong>`,
      },
      {
        title: axis(reach, (mark) => number(mark), words.interval),
        kind: "measured",
        cell: (row) => drawn(reach, row),
      },
      { title: texts.app.games, number: true, cell: (row) => number(row.games) },
      { title: texts.app.won, number: true, cell: (row) => percent(row.wins / row.games) },
    ],
    rows,
    { hidden: true, empty: texts.players.noRating },
  )}
  ${rows.length ? html`<p class="faint">${words.barMeans}</p>` : nothing}`;
}
