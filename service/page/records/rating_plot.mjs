/** A player's rating over time: a chart with a slider, the games behind it as a table, and the choice of
 * a board. */

import { client } from "../account.mjs";
import { Frame, marks, scale } from "../chart.mjs";
import { grid } from "./grid.mjs";
import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { number, signed, when, moment } from "./words.mjs";
import { named } from "../names.mjs";
import { texts } from "../texts/texts.mjs";
import { select } from "../why.mjs";

/** @typedef {API["RatedGame"]} Rated
 * @typedef {API["Rating"] & { words: string }} Point a rating, and what the chart says of it */

const words = texts.players;
const SHOWN = 200; // games in the chart, as many as a page of the API may have
const EDGES = [12, 12, 40, 40]; // pixels: top, right, bottom, left

export class RatingPlot {
  /** @param {string} path of the player @param {Record<string, string>} version
   * @param {string[]} scopes the boards that there are ratings on @param {() => void} draw */
  constructor(path, version, scopes, draw) {
    this.path = `${path}/ratings`;
    this.version = version;
    this.scopes = scopes;
    this.scope = scopes[0];
    this.draw = draw;
    /** The point that is told of; null is the last one. @type {number | null} */
    this.at = null;
    /** The games, the oldest first. @type {Rated[]} */
    this.games = [];
    this.hasMore = false;
  }

  async load() {
    const page = await client.get(this.path, {
      query: { ...this.version, board: this.scope, limit: SHOWN },
    });
    this.games = page.items.reverse();
    this.hasMore = page.next !== null;
    this.at = null;
  }

  /** @param {string} scope */
  async choose(scope) {
    this.scope = scope;
    await this.load();
    this.draw();
  }

  /** @param {Map<string, string>} boards what they are called */
  show(boards) {
    const called = (/** @type {string} */ scope) => boards.get(scope) ?? texts.app.allBoards;
    const point = (/** @type {API["Rating"]} */ rating, /** @type {string} */ when) => ({
      ...rating,
      words: words.point(
        when,
        number(rating.rating, 1),
        number(rating.mu, 1),
        number(rating.sigma, 1),
      ),
    });
    const points = this.games.map(({ after, at, rank }) =>
      point(after, words.after(moment(at), rank)),
    );
    if (points.length) points.unshift(point(this.games[0].before, words.before));
    return html`${
        this.scopes.length < 2
          ? nothing
          : select(
              texts.app.board,
              this.scope,
              this.scopes.map((scope) => [scope, called(scope)]),
              (scope) => this.choose(scope),
            )
      }
      ${points.length ? this.chart(points, words.plot(called(this.scope))) : nothing}
      <p class="keys-of">
        <span><i></i>${words.mu}</span> <span><i class="filled"></i>${words.sigma}</span>
        <span><i class="dashed"></i>${words.rating}</span>
      </p>
      <details>
        <summary>${this.hasMore ? words.latestRated(SHOWN) : words.allRated}</summary>
        ${grid(
          words.plot(called(this.scope)),
          [
            {
              title: words.day,
              head: true,
              cell: (row) => html`<a href="/games/${row.game}">${when(row.at, true)}</a>`,
            },
            { title: texts.app.board, cell: (row) => boards.get(row.board) ?? row.board },
            {
              title: words.opponents,
              cell: (row) =>
                row.opponents.map((other, at) => html`${at ? ", " : ""}${named(other.player)}`),
            },
            { title: texts.app.rank, number: true, cell: (row) => number(row.rank) },
            {
              title: texts.leaderboards.rating,
              number: true,
              cell: (row) =>
                html`<strong>${number(row.after.rating, 1)}</strong>
                  <span class="faint">${signed(row.after.rating - row.before.rating, 1)}</span>`,
            },
            { title: "mu", number: true, cell: (row) => number(row.after.mu, 1) },
            { title: "sigma", number: true, cell: (row) => number(row.after.sigma, 1) },
            { title: words.weight, number: true, cell: (row) => number(row.weight, 2) },
          ],
          [...this.games].reverse(),
          { hidden: true },
        )}
      </details>`;
  }

  /** The line of mu in its band, that of the rating, and the slider below. @param {Point[]} points @param {string} label */
  chart(points, label) {
    const [wide, last] = [width(), points.length - 1];
    const high = Math.min(320, Math.max(220, wide * 0.4));
    const up = scale(
      points.flatMap(({ mu, sigma, rating }) => [mu - sigma, mu + sigma, rating]),
      10,
    );
    const chart = new Frame(wide, high, EDGES, { from: 0, to: last, parts: 6 }, up);
    const along = (/** @type {(point: Point) => number} */ of) =>
      points.map((one, at) => /** @type {ChartPoint} */ ([at, of(one)]));
    const at = Math.min(this.at ?? last, last);
    const tell = (/** @type {number} */ to) => {
      this.at = to;
      this.draw();
    };
    const point = (/** @type {PointerEvent} */ event) => tell(chart.at(event));
    return html`<div class="curve">
      <svg
        width=${wide}
        height=${high}
        aria-hidden="true"
        @pointermove=${point}
        @pointerdown=${point}
      >
        ${chart.grid(marks({ ...up, parts: 4 }), number)}
        ${marks(chart.across)
          .filter(Number.isInteger)
          .map(
            (mark) => svg`
          <text x=${chart.x(mark)} y=${high - 22} text-anchor="middle">${mark}</text>`,
          )}
        <text x=${chart.x(last / 2)} y=${high - 5} text-anchor="middle">${words.ratedGames}</text>
        <text transform="translate(11 ${high / 2}) rotate(-90)" text-anchor="middle">
          ${texts.leaderboards.rating}
        </text>
        <path
          class="band"
          d=${chart.band(
            along(({ mu, sigma }) => mu - sigma),
            along(({ mu, sigma }) => mu + sigma),
          )}
        />
        <path class="line" d=${chart.line(along(({ mu }) => mu))} />
        <path class="second" d=${chart.line(along(({ rating }) => rating))} />
        ${chart.upright("here", at)}
        <circle class="dot" cx=${chart.x(at)} cy=${chart.y(points[at].mu)} r="4.5" />
        <rect
          class="dot"
          x=${chart.x(at) - 4}
          y=${chart.y(points[at].rating) - 4}
          width="8"
          height="8"
        />
      </svg>
      <input
        type="range"
        min="0"
        max=${last}
        .value=${live(String(at))}
        aria-label=${label}
        aria-valuetext=${points[at].words}
        @input=${(/** @type {any} */ { target }) => tell(Number(target.value))}
      />
      <p class="told">${points[at].words}</p>
    </div>`;
  }
}

const width = () => Math.max(260, Math.min(document.documentElement.clientWidth - 56, 1100));
