/** A board: its map, numbers and rules, its routes and tickets, and statistics of its games. */

import { client } from "../account.mjs";
import { colorsOf, own } from "../own.mjs";
import { BoardTables } from "../records/board_tables.mjs";
import { card } from "../records/card.mjs";
import { facts, number, percent } from "../records/words.mjs";
import { GameMap } from "../map/map.mjs";
import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { declared } from "../declared.mjs";
import { sentenceOf } from "../sentences.mjs";
import { scores } from "../records/scores.mjs";
import { texts } from "../texts/texts.mjs";

const words = texts.boards;
const RULES = "/docs/rules.md";
const NOTHING = { version: 0, status: "lobby", seats: [], claims: [], stations: [], deciding: [] };

/** @param {HTMLElement} root @param {Address} address */
export async function open(root, { id }) {
  /** @type {[API["Board"], API["Layout"], API["BoardStatistics"]]} */
  const [board, layout, statistics] = await Promise.all([
    client.get(`/v1/boards/${id}`),
    client.get(`/v1/boards/${id}/layout`),
    client.get(`/v1/stats/boards/${id}`),
  ]);
  const tables = new BoardTables(board, statistics, () => draw());
  const draw = () =>
    render(
      html`<div class="page records">
        <h1>${board.name}</h1>
        <p class="status">
          ${texts.posters.players(board.players.least, board.players.most)}${
            board.rulebook ? html` · <span class="faint">${board.rulebook}</span>` : nothing
          }
        </p>
        <p class="actions">
          <a class="main" href="/?board=${id}">${words.play}</a>
          <a href="/leaderboards/${id}">${words.leaderboard}</a>
        </p>
        <section class="map whole-map" aria-label=${texts.game.map}></section>
        <div class="side-by-side">
          <section class="card">
            <h2>${words.numbers}</h2>
            ${numbers(board)}
          </section>
          <section class="card">
            <h2>${words.rules}</h2>
            ${inForce(board)}${worth(board)}
          </section>
        </div>
        <section class="card">
          <h2>${words.statistics}</h2>
          ${scores(statistics)}
        </section>
        ${tables.show()}
      </div>`,
      root,
    );
  draw();
  const map = bareMap(
    /** @type {HTMLElement} */ (root.querySelector(".map")),
    board,
    layout,
    statistics,
  );
  map.addEventListener("choose", (/** @type {any} */ { detail: { location } }) => {
    if (!location) return;
    tables.seek(tables.place(location));
    root.querySelector("input[type=search]:not(.map *)")?.scrollIntoView();
  });
  tables.onPoint = (row) =>
    map.light(
      !row
        ? {}
        : "length" in row
          ? { routes: new Map([[row.id, "chosen"]]) }
          : {
              locations: new Map([
                [row.a, "chosen"],
                [row.b, "chosen"],
              ]),
            },
    );
  return () => map.close();
}

/** The board's map with nothing on it; hints tell how often routes were claimed. @param {HTMLElement} root
 * @param {Board} board @param {API["Layout"]} layout @param {API["BoardStatistics"]} statistics */
function bareMap(root, board, layout, { games, routes }) {
  root.style.aspectRatio = `${layout.width} / ${layout.height}`;
  // A page is read on by wheel and finger; the map is zoomed by its buttons, or with Ctrl.
  root.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) event.stopPropagation();
    },
    { capture: true },
  );
  const claimed = new Map(routes.map((row) => [row.route, row.share]));
  const map = new GameMap(root, /** @type {any} */ ({ board, layout, view: NOTHING }));
  map.info = ({ id }) =>
    games ? html`<span>${words.claimedIn(percent(claimed.get(id) ?? 0))}</span>` : nothing;
  map.update();
  return map;
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
    <table>
      <caption>
        ${words.deckOf}
      </caption>
      <tbody>
        ${colorsOf(board).map(
          (color) =>
            html` <tr>
              <th scope="row">${card(board, color)}</th>
              <td class="number">${number(own(cards, color) ?? 0)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

/** The points of routes by length. @param {API["Board"]} board */
const worth = ({ points }) =>
  html`<table>
    <caption>
      ${words.pointsOf}
    </caption>
    <thead>
      <tr>
        <th scope="col">${words.length}</th>
        <th scope="col" class="number">${texts.app.points}</th>
      </tr>
    </thead>
    <tbody>
      ${Object.entries(points).map(
        ([length, points]) =>
          html`<tr>
            <th scope="row">${length}</th>
            <td class="number">${number(points)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;

/** An offer of tickets in words. @param {API["Offer"]} offer */
const offer = ({ deal, keep, long, refused }) =>
  words.offer(deal, long ?? 0, keep) + (refused === "removed" ? words.removed : "");

/** @param {API["Board"]} board */
function inForce(board) {
  return html`<ul class="in-force">
      ${board.rules.map((rule) => {
        const about = own(board.declared.rules, rule);
        return html`<li>
          <strong>${own(words.ruleNames, rule) ?? sentenceOf(rule)}.</strong>
          ${declared(board, "rules", rule, board)}
          ${about?.number ? numberOf(about.number) : nothing}
        </li>`;
      })}
      ${
        board.doubles_closed_for.length
          ? html`<li>
              <strong>${words.doubles}</strong>
              ${words.doublesClosed(board.doubles_closed_for.join(words.or))} ${numberOf("4.2")}
            </li>`
          : nothing
      }
      <li>
        <strong>${words.ties}</strong>
        ${board.tie_breaks.map((by) => own(words.tieBreaks, by) ?? by).join(words.then)}
        ${numberOf("7.4")}
      </li>
    </ul>
    <p><a href=${RULES}>${words.allRules}</a></p>`;
}

/** @param {string} rule */
const numberOf = (rule) => html`<a href=${RULES} class="faint">${words.rule} ${rule}</a>`;
