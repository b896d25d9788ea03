/** A player's rating over time: a plot, the games behind it as a table, and the choice of a board. */

import { client } from "../account.mjs";
import { grid } from "./grid.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { number, signed, when, moment } from "./words.mjs";
import { named } from "../names.mjs";
import { Plot } from "./plot.mjs";
import { texts } from "../texts/texts.mjs";

/** @typedef {import("fogg-api").components["schemas"]} API */
/** @typedef {API["RatedGame"]} Rated */

const words = texts.players;
const SHOWN = 200; // games in the plot, as many as a page of the API may have

export class RatingPlot {
  /** @param {string} path of the player @param {Record<string, string>} version
   * @param {string[]} scopes the boards that there are ratings on @param {() => void} draw */
  constructor(path, version, scopes, draw) {
    this.path = `${path}/ratings`;
    this.version = version;
    this.scopes = scopes;
    this.scope = scopes[0];
    this.draw = draw;
    this.plot = new Plot(draw);
    /** The games, the oldest first. @type {Rated[]} */
    this.games = [];
    this.hasMore = false;
  }

  /** Fetch the games of the board that is chosen. */
  async load() {
    const page = await client.get(this.path, { query: { ...this.version, board: this.scope, limit: SHOWN } });
    this.games = page.items.reverse();
    this.hasMore = page.next !== null;
    this.plot.at = null;
  }

  /** @param {string} scope */
  async choose(scope) {
    this.scope = scope;
    await this.load();
    this.draw();
  }

  /** @param {Map<string, string>} boards what they are called */
  show(boards) {
    const called = (/** @type {string} */ scope) => boards.get(scope) ?? texts.leaderboards.overall;
    const point = (/** @type {API["Rating"]} */ { mu, rating, sigma }, /** @type {string} */ when) => ({
      low: mu - sigma, middle: mu, high: mu + sigma, second: rating,
      words: words.point(when, number(rating, 1), number(mu, 1), number(sigma, 1)) });
    const points = this.games.map(({ after, at, rank }) => point(after, words.after(moment(at), rank)));
    if (points.length) points.unshift(point(this.games[0].before, words.before));
    return html`${this.scopes.length > 1 ? html`<label>${texts.leaderboards.board}
        <select @change=${(/** @type {any} */ event) => this.choose(event.target.value)}>${this.scopes.map((scope) => html`
          <option value=${scope} ?selected=${scope === this.scope}>${called(scope)}</option>`)}</select></label>` : nothing}
      ${points.length ? this.plot.show(points, { label: words.plot(called(this.scope)), across: words.ratedGames,
        up: texts.leaderboards.rating, first: 0, hint: words.pointAt, width: width() }) : nothing}
      <p class="keys-of"><span><i></i>${words.mu}</span> <span><i class="filled"></i>${words.sigma}</span>
        <span><i class="dashed"></i>${words.rating}</span></p>
      <details><summary>${this.hasMore ? words.latestRated(SHOWN) : words.allRated}</summary>
        ${grid(words.plot(called(this.scope)), [
          { title: words.day, head: true, cell: (row) => html`<a href="/games/${row.game}">${when(row.at, true)}</a>` },
          { title: texts.leaderboards.board, cell: (row) => boards.get(row.board) ?? row.board },
          { title: words.opponents, cell: (row) => row.opponents.map((other, at) => html`${at ? ", " : ""}${named(other.player)}`) },
          { title: texts.leaderboards.rank, number: true, cell: (row) => number(row.rank) },
          { title: texts.leaderboards.rating, number: true, cell: (row) => html`<strong>${number(row.after.rating, 1)}</strong>
            <span class="faint">${signed(row.after.rating - row.before.rating, 1)}</span>` },
          { title: "mu", number: true, cell: (row) => number(row.after.mu, 1) },
          { title: "sigma", number: true, cell: (row) => number(row.after.sigma, 1) },
          { title: words.weight, number: true, cell: (row) => number(row.weight, 2) },
        ], [...this.games].reverse(), { hidden: true })}</details>`;
  }
}

/** How wide a plot is in this window. */
const width = () => Math.max(260, Math.min(document.documentElement.clientWidth - 56, 1100));
