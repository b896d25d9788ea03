/** Statistics of the finished games on a board, by kind of player. */

import { axis, bar, scale } from "../chart.mjs";
import { grid } from "./grid.mjs";
import { html } from "../vendor/lit-html/lit-html.js";
import { number, percent } from "./words.mjs";
import { texts } from "../texts/texts.mjs";
import { own } from "../own.mjs";

const words = texts.boards;

/** @param {API["BoardStatistics"]} statistics */
export function scores({ games, by_seats: bySeats, players }) {
  if (!games) return html`<p class="faint">${words.notPlayed}</p>`;
  return html`<p>
      ${words.gamesOver(number(games))}
      ${bySeats.map(
        (row, at) => html`${at ? ", " : ""}${words.withSeats(number(row.games), row.seats)}`,
      )}.
    </p>
    ${byKind(players)}`;
}

/** How each kind of player did, by number of seats, and by board where rows have one.
 * @param {(API["PlayerStatistics"] & { board?: string })[]} rows @param {Map<string, string>} [boards] */
export function byKind(rows, boards) {
  const reach = scale(
    rows.map((row) => row.mean_score),
    10,
  );
  const whole = { from: 0, to: 1, parts: 2 };
  return html`<h3>${words.byKind}</h3>
    ${grid(
      words.byKind,
      [
        boards && {
          title: texts.app.board,
          cell: (row) =>
            html`<a href="/boards/${row.board}">${boards.get(row.board ?? "") ?? row.board}</a>`,
        },
        {
          title: texts.leaderboards.player,
          head: true,
          cell: (row) => own(words.kinds, row.player) ?? html`<bdi>${row.player}</bdi>`,
        },
        { title: texts.app.seats, number: true, cell: (row) => number(row.seats) },
        {
          title: words.meanScore,
          number: true,
          cell: (row) => html`<strong>${number(row.mean_score, 1)}</strong>`,
        },
        {
          title: axis(reach, (mark) => number(mark), words.meanScore),
          kind: "measured",
          cell: (row) => bar(reach, row.mean_score),
        },
        { title: texts.app.won, number: true, cell: (row) => percent(row.won / row.played) },
        {
          title: axis(whole, percent, texts.app.won),
          kind: "measured",
          cell: (row) => bar(whole, row.won / row.played),
        },
        { title: words.completed, number: true, cell: (row) => percent(row.tickets_completed) },
        { title: words.played, number: true, cell: (row) => number(row.played) },
      ],
      rows,
      { hidden: true },
    )}`;
}
