/** Games as lists show them. */

import { grid } from "./grid.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { number, when } from "./words.mjs";
import { named } from "../names.mjs";
import { texts } from "../texts/texts.mjs";

const words = texts.players;

/** @param {string} caption @param {API["ListedGame"][]} rows @param {Map<string, string>} boards */
export const games = (caption, rows, boards) => grid(caption, [
  { title: words.game, head: true, cell: (row) => html`<a href="/games/${row.id}">${
    boards.get(row.board) ?? row.board}</a>${
    row.status === "finished" ? nothing : html` <span class="tag ${row.status}">${words.statuses[row.status]}</span>`}${
    row.tournament ? html` <a class="faint" href="/tournaments/${row.tournament.id}">${words.round(number(row.tournament.round))}</a>` : nothing}` },
  { title: texts.app.seats, cell: (row) => html`<ol class="who-sat">${row.seats.map((seat) => html`<li><span>${
    seat.player ? named(seat.player) : texts.app.openSeat}</span>${points(seat)}</li>`)}</ol>` },
  { title: words.day, kind: "wide", cell: (row) => when(row.started ?? row.created) },
], rows, { hidden: true, empty: words.noGames });

/** A seat's final points or, before the game is over, its score. @param {API["ListedSeat"]} seat */
function points({ total, score, rank }) {
  if (total === undefined) return score === undefined ? nothing : html`<span>${number(score)}<span
    class="hidden-text"> ${texts.tournaments.soFar}</span></span>`;
  return rank === 1 ? html`<strong>${number(total)}<span class="hidden-text"> ${texts.tournaments.winner}</span></strong>`
    : html`<span>${number(total)}</span>`;
}
