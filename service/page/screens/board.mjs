/** A board: its map, numbers and rules, its routes and tickets, and statistics of its games. */

import { client } from "../account.mjs";
import { colorsOf, own } from "../own.mjs";
import { BareMap } from "../records/bare_map.mjs";
import { BoardTables } from "../records/board_tables.mjs";
import { card } from "../records/card.mjs";
import { facts, number } from "../records/words.mjs";
import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { inForce, offer } from "../records/in_force.mjs";
import { scores } from "../records/scores.mjs";
import { texts } from "../texts/texts.mjs";

const words = texts.boards;

/** @param {HTMLElement} root @param {Address} address */
export async function open(root, { id }) {
  /** @type {[API["Board"], API["Layout"], API["BoardStatistics"]]} */
  const [board, layout, statistics] = await Promise.all([client.get(`/v1/boards/${id}`),
    client.get(`/v1/boards/${id}/layout`), client.get(`/v1/stats/boards/${id}`)]);
  const tables = new BoardTables(board, statistics, () => draw());
  const draw = () => render(html`<div class="page records">
    <h1>${board.name}</h1>
    <p class="status">${texts.posters.players(board.players.least, board.players.most)}${
      board.rulebook ? html` · <span class="faint">${board.rulebook}</span>` : nothing}</p>
    <p class="actions"><a class="main" href="/?board=${id}">${words.play}</a>
      <a href="/leaderboards/${id}">${words.leaderboard}</a></p>
    <section class="map whole-map" aria-label=${texts.game.map}></section>
    <div class="side-by-side"><section class="card"><h2>${words.numbers}</h2>${numbers(board)}</section>
      <section class="card"><h2>${words.rules}</h2>${inForce(board)}${worth(board)}</section></div>
    <section class="card"><h2>${words.statistics}</h2>${scores(statistics)}</section>
    ${tables.show()}</div>`, root);
  draw();
  const map = new BareMap(/** @type {HTMLElement} */ (root.querySelector(".map")), board, layout, statistics);
  map.onChoose = (location) => {
    tables.seek(tables.place(location));
    root.querySelector("input[type=search]:not(.map *)")?.scrollIntoView();
  };
  tables.onPoint = (row) => map.light(row);
  return () => map.close();
}

/** The numbers of the board, and the cards of its deck. @param {API["Board"]} board */
function numbers(board) {
  const { cards, vocabulary = {} } = board;
  const deck = Object.values(cards).reduce((sum, count) => sum + count, 0);
  return html`${facts([
    [words.trains(vocabulary.train), number(board.trains)],
    [words.hand, number(board.hand)],
    [words.deck, words.cards(number(deck))],
    [words.atStart, offer(board.tickets_at_start)],
    [words.onATurn, offer(board.tickets_on_a_turn)],
    [words.tickets, number(board.tickets.length)],
    [words.locations, number(board.locations.length)],
    [words.routes, number(board.routes.length)],
  ])}
  <table><caption>${words.deckOf}</caption><tbody>${colorsOf(board).map((color) => html`
      <tr><th scope="row">${card(board, color)}</th>
        <td class="number">${number(own(cards, color) ?? 0)}</td></tr>`)}</tbody></table>`;
}

/** The points of routes by length. @param {API["Board"]} board */
const worth = ({ points }) => html`<table><caption>${words.pointsOf}</caption><thead><tr><th scope="col">${words.length}</th>
      <th scope="col" class="number">${texts.app.points}</th></tr></thead>
      <tbody>${Object.entries(points).map(([length, points]) => html`<tr><th scope="row">${length}</th>
        <td class="number">${number(points)}</td></tr>`)}</tbody></table>`;
