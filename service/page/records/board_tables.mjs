/** A board's routes and tickets as tables, to be sorted and searched, with how often each was claimed,
 * kept and completed. */

import { axis, bar } from "../chart.mjs";
import { card } from "./card.mjs";
import { grid } from "./grid.mjs";
import { live } from "../vendor/lit-html/directives/live.js";
import { html } from "../vendor/lit-html/lit-html.js";
import { number, percent } from "./words.mjs";
import { marksOf } from "../map/words.mjs";
import { placeNames, plain } from "../map/places.mjs";
import { texts } from "../texts/texts.mjs";

/** @typedef {import("./grid.mjs").Order} Order */

const words = texts.boards;
const SHARE = { from: 0, to: 1, parts: 2 };

export class BoardTables {
  /** @param {API["Board"]} board @param {API["BoardStatistics"]} statistics @param {() => void} draw */
  constructor(board, statistics, draw) {
    this.board = board;
    this.draw = draw;
    this.sought = "";
    /** Called with the row that is pointed at, or null.
     * @type {(row: API["Route"] | API["Ticket"] | null) => void} */
    this.onPoint = () => {};
    /** @type {Record<"routes" | "tickets", Order>} */
    this.orders = { routes: { column: 0, down: false }, tickets: { column: 0, down: false } };
    this.called = placeNames(board);
    this.claimed = new Map(statistics.routes.map((row) => [row.route, row.share]));
    this.kept = new Map(statistics.tickets.map((row) => [row.ticket, row]));
  }

  /** The name of a location. @param {string} id */
  place(id) {
    return this.called.get(id) ?? id;
  }

  /** The special marks of a route, in words. @param {API["Route"]} route */
  kind(route) {
    return [
      ...marksOf(this.board, "routes", route, true),
      ...(route.twin ? [words.double] : []),
    ].join(", ");
  }

  /** Whether either end matches the search. @param {{ a: string, b: string }} row */
  fits({ a, b }) {
    return plain(`${this.place(a)} ${this.place(b)}`).includes(plain(this.sought.trim()));
  }

  show() {
    const routes = this.board.routes.filter((route) => this.fits(route));
    const tickets = this.board.tickets.filter((ticket) => this.fits(ticket));
    return html`<p class="choices">
        <label
          >${words.search}
          <input
            type="search"
            autocomplete="off"
            .value=${live(this.sought)}
            @input=${(/** @type {any} */ event) => this.seek(event.target.value)}
        /></label>
        <span role="status"
          >${this.sought ? words.found(number(routes.length), number(tickets.length)) : ""}</span
        >
      </p>
      <div class="side-by-side first-wider">
        <section class="card tall">
          <h2>${words.routes}</h2>
          ${this.routes(routes)}
        </section>
        <section class="card tall">
          <h2>${words.tickets}</h2>
          ${this.tickets(tickets)}
        </section>
      </div>`;
  }

  /** @param {string} text */
  seek(text) {
    this.sought = text;
    this.draw();
  }

  /** @param {API["Route"][]} rows */
  routes(rows) {
    const share = (/** @type {API["Route"]} */ row) => this.claimed.get(row.id) ?? 0;
    return grid(
      words.routes,
      [
        {
          title: words.between,
          head: true,
          by: (row) => this.place(row.a) + this.place(row.b),
          cell: (row) => html`${this.place(row.a)} – ${this.place(row.b)}`,
        },
        { title: words.color, by: (row) => row.color, cell: (row) => card(this.board, row.color) },
        {
          title: words.length,
          number: true,
          by: (row) => row.length,
          cell: (row) => number(row.length),
        },
        { title: words.kindOf, by: (row) => this.kind(row), cell: (row) => this.kind(row) },
        this.claimed.size > 0 && {
          title: words.claimed,
          number: true,
          by: share,
          cell: (row) => percent(share(row)),
        },
        this.claimed.size > 0 && {
          title: axis(SHARE, percent, words.claimed),
          kind: "measured",
          cell: (row) => bar(SHARE, share(row)),
        },
      ],
      rows,
      this.more("routes"),
    );
  }

  /** @param {API["Ticket"][]} rows */
  tickets(rows) {
    const kept = (/** @type {API["Ticket"]} */ row) => this.kept.get(row.id)?.kept ?? 0;
    const completed = (/** @type {API["Ticket"]} */ row) =>
      kept(row) ? (this.kept.get(row.id)?.completed ?? 0) / kept(row) : -1;
    return grid(
      words.tickets,
      [
        {
          title: words.between,
          head: true,
          by: (row) => this.place(row.a) + this.place(row.b),
          cell: (row) =>
            html`${this.place(row.a)} – ${this.place(row.b)}
            ${marksOf(this.board, "tickets", row).join(" ")}${row.long ? html` <span class="tag">${words.long}</span>` : ""}`,
        },
        {
          title: texts.app.points,
          number: true,
          by: (row) => row.points,
          cell: (row) => number(row.points),
        },
        this.board.tickets.some((row) => row.set) && {
          title: words.set,
          by: (row) => row.set ?? "",
          cell: (row) => row.set ?? "",
        },
        this.kept.size > 0 && {
          title: words.kept,
          number: true,
          by: kept,
          cell: (row) => number(kept(row)),
        },
        this.kept.size > 0 && {
          title: words.completed,
          number: true,
          by: completed,
          cell: (row) => (kept(row) ? percent(completed(row)) : "–"),
        },
      ],
      rows,
      this.more("tickets"),
    );
  }

  /** How either table is sorted, and what else it can do. @param {"routes" | "tickets"} which */
  more(which) {
    const sort = (/** @type {Order} */ order) => {
      this.orders[which] = order;
      this.draw();
    };
    return {
      hidden: true,
      order: this.orders[which],
      sort,
      empty: words.noneFound,
      point: this.onPoint,
    };
  }
}
