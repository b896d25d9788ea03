/** Games as lists show them. */

import { grid } from "./grid.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { number, when } from "./words.mjs";
import { named } from "../names.mjs";
import { texts } from "../texts/records.mjs";

/** @typedef {import("fogg-api").components["schemas"]} API */

const words = texts.players;

/** @param {string} caption @param {API["ListedGame"][]} rows @param {Map<string, string>} boards */
export const games = (caption, rows, boards) => grid(caption, [
  { title: words.game, head: true, cell: (row) => html`<a href="/games/${row.id}">${
    boards.get(row.board) ?? row.board}</a>${
    row.status === "finished" ? nothing : html` <span class="tag ${row.status}">${words.statuses[row.status]}</span>`}` },
  { title: words.seats, cell: (row) => html`<ol class="who-sat">${row.seats.map((seat) => html`<li>${seat.player
    ? named(seat.player) : words.openSeat}${seat.total === undefined ? nothing : html` ${seat.rank === 1
    ? html`<strong>${number(seat.total)}<span class="hidden-text"> ${texts.tournaments.winner}</span></strong>`
    : number(seat.total)}`}</li>`)}</ol>` },
  { title: words.day, cell: (row) => when(row.started ?? row.created) },
], rows, { hidden: true, empty: words.noGames });
