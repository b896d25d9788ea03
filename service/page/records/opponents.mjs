/** How a player did against others: how often who came first, and by how much. */

import { grid } from "./grid.mjs";
import { html } from "../vendor/lit-html/lit-html.js";
import { number, signed } from "./words.mjs";
import { named } from "../names.mjs";
import { shares } from "../chart.mjs";
import { texts } from "../texts/texts.mjs";

/** @typedef {Omit<API["HeadToHead"], "player" | "boards"> & { player?: API["Player"], board?: string }} Record */

const words = texts.players;

/** @param {string} caption @param {Record[]} rows @param {string} id whose records they are
 * @param {(row: Record) => unknown} [head] the heading of a row that is not about a player */
export const opponents = (caption, rows, id, head) => grid(caption, [
  { title: head ? texts.app.board : words.opponent, head: true,
    cell: head ?? ((row) => (row.player ? named(row.player) : "")) },
  { title: texts.app.games, number: true, cell: (row) => (head || !row.player ? number(row.games)
    : html`<a href="/players/${id}?against=${row.player.id}" aria-label=${words.gamesAgainst(number(row.games), row.player.name)}>${number(row.games)}</a>`) },
  { title: html`<span class="hidden-text">${words.shares}</span>`, kind: "measured", cell: (row) => shares(row.wins, row.draws, row.losses) },
  { title: texts.app.won, number: true, cell: (row) => number(row.wins) },
  { title: words.drawn, number: true, cell: (row) => number(row.draws) },
  { title: words.lost, number: true, cell: (row) => number(row.losses) },
  { title: html`<abbr title=${words.marginMeans}>${words.margin}</abbr>`, number: true,
    cell: (row) => (row.margin === undefined ? "–" : signed(row.margin, 1)) },
], rows, { hidden: true, empty: words.nobodyMet });
