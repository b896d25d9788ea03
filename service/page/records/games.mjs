/** A player's games and opponents. */

import { grid } from "./grid.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { number, signed, when } from "./words.mjs";
import { named } from "../names.mjs";
import { shares } from "../chart.mjs";
import { texts } from "../texts/texts.mjs";

const words = texts.players;

/** @typedef {Omit<API["HeadToHead"], "player" | "boards"> & { player?: API["Player"], board?: string }} Record */

/** @param {string} caption @param {API["ListedGame"][]} rows @param {Map<string, string>} boards */
export const games = (caption, rows, boards) =>
  grid(
    caption,
    [
      {
        title: words.game,
        head: true,
        cell: (row) =>
          html`<a href="/games/${row.id}">${boards.get(row.board) ?? row.board}</a>${
              row.status === "finished"
                ? nothing
                : html` <span class="tag ${row.status}">${words.statuses[row.status]}</span>`
            }${
              row.tournament
                ? html` <a class="faint" href="/tournaments/${row.tournament.id}"
                    >${words.round(number(row.tournament.round))}</a
                  >`
                : nothing
            }`,
      },
      {
        title: texts.app.seats,
        cell: (row) =>
          html`<ol class="who-sat">
            ${row.seats.map(
              (seat) =>
                html`<li>
                  <span>${seat.player ? named(seat.player) : texts.app.openSeat}</span
                  >${points(seat)}
                </li>`,
            )}
          </ol>`,
      },
      { title: words.day, kind: "wide", cell: (row) => when(row.started ?? row.created) },
    ],
    rows,
    { hidden: true, empty: words.noGames },
  );

/** A seat's final points or, before the game is over, its score. @param {API["ListedSeat"]} seat */
function points({ total, score, rank }) {
  if (total === undefined)
    return score === undefined
      ? nothing
      : html`<span
          >${number(score)}<span class="hidden-text"> ${texts.tournaments.soFar}</span></span
        >`;
  return rank === 1
    ? html`<strong
        >${number(total)}<span class="hidden-text"> ${texts.tournaments.winner}</span></strong
      >`
    : html`<span>${number(total)}</span>`;
}

/** How a player did against others: how often who came first, and by how much.
 * @param {string} caption @param {Record[]} rows @param {string} id whose records they are
 * @param {(row: Record) => unknown} [head] the heading of a row that is not about a player */
export const opponents = (caption, rows, id, head) =>
  grid(
    caption,
    [
      {
        title: head ? texts.app.board : words.opponent,
        head: true,
        cell: head ?? ((row) => (row.player ? named(row.player) : "")),
      },
      {
        title: texts.app.games,
        number: true,
        cell: (row) =>
          head || !row.player
            ? number(row.games)
            : html`<a
                href="/players/${id}?against=${row.player.id}"
                aria-label=${words.gamesAgainst(number(row.games), row.player.name)}
                >${number(row.games)}</a
              >`,
      },
      {
        title: html`<span class="hidden-text">${words.shares}</span>`,
        kind: "measured",
        cell: (row) => shares(row.wins, row.draws, row.losses),
      },
      { title: texts.app.won, number: true, cell: (row) => number(row.wins) },
      { title: words.drawn, number: true, cell: (row) => number(row.draws) },
      { title: words.lost, number: true, cell: (row) => number(row.losses) },
      {
        title: html`<abbr title=${words.marginMeans}>${words.margin}</abbr>`,
        number: true,
        cell: (row) => (row.margin === undefined ? "–" : signed(row.margin, 1)),
      },
    ],
    rows,
    { hidden: true, empty: words.nobodyMet },
  );
