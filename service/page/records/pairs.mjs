/** Pairs of entrants that may have colluded in a tournament; loaded on demand. */

import { client } from "../account.mjs";
import { grid } from "./grid.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { named } from "../names.mjs";
import { number, plain } from "./words.mjs";
import { texts } from "../texts/texts.mjs";
import { why } from "../why.mjs";

/** @typedef {import("fogg-api").components["schemas"]} API */

const words = texts.tournaments;
const KINDS = /** @type {const} */ (["won", "beside", "left"]);

export class Pairs {
  /** @param {string} path of the tournament @param {() => void} draw */
  constructor(path, draw) {
    this.path = `${path}/pairs`;
    this.draw = draw;
    /** @type {API["Pair"][] | null} */
    this.found = null;
    this.problem = "";
    this.version = 0;
  }

  /** Load the pairs for a version of the tournament. @param {number} version */
  async load(version) {
    this.version = version;
    try {
      this.found = (await client.get(this.path, { query: { limit: 20 } })).items;
      this.problem = "";
    } catch (error) {
      this.problem = why(error);
    }
    this.draw();
  }

  /** @param {API["Tournament"]} tournament */
  show({ entrants, version, round }) {
    if (!round) return nothing;
    const who = new Map(entrants.map(({ entrant, player }) => [entrant, player]));
    const name = (/** @type {string} */ id) => named(who.get(id));
    const opened = (/** @type {any} */ event) => {
      if (event.target.open && this.version !== version) void this.load(version);
    };
    return html`<details class="card" @toggle=${opened}><summary><h2>${words.fed}</h2></summary>
      <p>${words.fedMeans} <a href="/docs/tournaments.md">${words.how}</a></p>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      ${this.found ? grid(words.fed, [
        { title: words.pair, head: true, cell: (row) => html`${name(row.giver)} → ${name(row.taker)}${
          row.suspect ? html` <strong class="problem">${words.suspect}</strong>` : nothing}${
          row.same_owner ? html` <span class="tag">${words.sameOwner}</span>` : nothing}` },
        { title: words.tables, number: true, cell: (row) => number(row.tables) },
        { title: words.observed, cell: (row) => KINDS.map((kind) => (row[kind] ? compared(kind, row[kind]) : nothing)) },
      ], this.found, { hidden: true, empty: words.noPairs }) : nothing}</details>`;
  }
}

/** @param {typeof KINDS[number]} kind @param {API["Comparison"]} found */
const compared = (kind, { times, of, expected, p }) => html`<div>${words.compared[kind](plain(times), plain(of), plain(expected))}
  <span class="faint">p ${plain(p)}</span></div>`;
