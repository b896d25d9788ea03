/** A game that replays itself on the first screen: the latest one worth seeing, else the one under way that
 * has gone farthest, else one that ships with the page. */

import { html, render, svg } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { byId, claim, extent, ground, names, spots, station, tracks } from "../map/drawing.mjs";
import { chartOf } from "./posters.mjs";
import { client } from "../account.mjs";
import { file } from "../files.mjs";
import { nameOf } from "../names.mjs";
import { seatBadge } from "../marks.mjs";
import { texts } from "../texts/texts.mjs";

/** @typedef {import("./rows.mjs").Game} Game */

const WHOLE = 45_000; // milliseconds that a game should take
const [LEAST, MOST, CLAIM, END] = [80, 600, 1100, 6000]; // milliseconds that a version is shown: any, one with a claim, the last
const IDLE = 400; // milliseconds between checks whether it may go on
const BEGIN = 0.4; // of the game: where it begins, as an empty map shows little
const SHORT = 30; // versions: what has fewer is not worth seeing
const SHIPPED = new URL("./landing_game.ndjson", import.meta.url).href;
const words = texts.lobby.hero;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** The game to show, if the service has one. @returns {Promise<Game | undefined>} */
async function worthSeeing() {
  const list = async (/** @type {string} */ status) => {
    /** @type {{ items: Game[] }} */
    const { items } = await client.get("/v1/games", { query: { status, limit: 20 } });
    return items.filter(({ version }) => version >= SHORT);
  };
  return (await list("finished")).find(({ seats }) => seats.every(({ total }) => total !== undefined))
    ?? (await list("playing")).toSorted((one, other) => other.version - one.version)[0];
}

export class Hero {
  /** @param {HTMLElement} root @param {Map<string, string>} boards their names by id
   * @param {() => void} watch starts a game of bots */
  constructor(root, boards, watch) {
    this.root = root;
    this.boards = boards;
    this.watch = watch;
    this.isPaused = false;
    this.isClosed = false;
    /** @type {string[]} */ this.lines = []; // a view for each version, as JSON
    this.at = 0; // of them
    /** @type {Set<string>} */ this.laid = new Set(); // the routes on the map
    /** @type {ReturnType<typeof setTimeout> | undefined} */ this.timer = setTimeout(() => this.begin(), IDLE); // after the first paint
  }

  /** Fetch a game, and show it. Without any there is only its place. */
  async begin() {
    /** @type {Game | undefined} */ let game;
    try {
      game = await worthSeeing();
      if (game) this.lines = await linesOf(`/v1/games/${game.id}/views`);
    } catch {
      game = undefined; // the game that ships with the page is there in any case
    }
    if (!game) this.lines = await linesOf(SHIPPED).catch(() => []);
    const { board } = JSON.parse(this.lines[0] ?? "{}");
    const chart = await chartOf(board).catch(() => null);
    if (!chart || this.isClosed) return;
    this.draw(chart, board, game);
    this.at = Math.floor(this.lines.length * BEGIN);
    this.tick();
  }

  /** Draw all that stays. @param {import("./posters.mjs").Chart} chart @param {string} board @param {Game} [game] */
  draw({ table, layout }, board, game) {
    const { x, y, width, height } = extent(layout);
    const name = this.boards.get(board) ?? board;
    this.routes = byId(table.routes);
    this.spaces = byId(layout.routes);
    this.places = byId(layout.locations);
    render(html`<a class="scene" href=${game ? `/games/${game.id}` : `/boards/${board}`}>
        <svg class="chart" role="img" aria-label=${words.shown(name)} viewBox="${x} ${y} ${width} ${height}">
          ${ground(table, layout)}${tracks(table, layout)}<g class="claims"></g>${spots(table, layout)}<g class="pieces"></g>
          <g class="names" font-size=${layout.font}>${names(layout)}</g></svg></a>
      <ol class="seats"></ol>
      <p class="row"><button class="pause" @click=${() => {
        this.isPaused = !this.isPaused;
        this.tick();
      }}></button><span class="faint">${words.shown(name)}</span>
        ${game ? html`<a href="/games/${game.id}?at=1&speed=2">${words.whole}</a>`
          : html`<button @click=${this.watch}>${words.watch}</button>`}</p>`, this.root);
  }

  /** Show the version, and go on to the next one after a while. */
  tick() {
    clearTimeout(this.timer);
    const { lines } = this;
    const { top, bottom } = this.root.getBoundingClientRect();
    const mayMove = !this.isPaused && !still.matches && !document.hidden && bottom > 0 && top < innerHeight;
    if (still.matches) this.at = lines.length - 1;
    const hasClaim = this.show(JSON.parse(lines[this.at]));
    const isLast = this.at === lines.length - 1;
    const lasts = isLast ? END : hasClaim ? CLAIM : Math.min(MOST, Math.max(LEAST, WHOLE / lines.length));
    this.timer = setTimeout(() => {
      if (mayMove) this.at = (this.at + 1) % lines.length;
      this.tick();
    }, mayMove ? lasts : IDLE);
  }

  /** Show a view; return whether it has a new claim. @param {any} view */
  show({ claims = [], stations = [], seats, deciding = [] }) {
    const part = (/** @type {string} */ name) => /** @type {any} */ (this.root.querySelector(name));
    const known = claims.filter((/** @type {any} */ { route }) => this.spaces?.has(route)); // a board may have been corrected
    const fresh = known.filter((/** @type {any} */ { route }) => !this.laid.has(route));
    if (fresh.length || known.length < this.laid.size) {
      const isNew = (/** @type {any} */ one) => fresh.length === 1 && fresh.includes(one);
      render(repeat(known, ({ route }) => route, (one) => svg`<g class=${isNew(one) ? "new" : ""}>${
        claim(this.routes?.get(one.route), this.spaces?.get(one.route).spaces, this.places ?? new Map(), one.seat)}</g>`), part(".claims"));
      this.laid = new Set(known.map((/** @type {any} */ { route }) => route));
    }
    render(stations.map((/** @type {any} */ one) => station(this.places?.get(one.location), one.seat)), part(".pieces"));
    const decides = new Set(deciding.map((/** @type {any} */ { seat }) => seat));
    render(seats.map((/** @type {any} */ { player, score = 0, result }, /** @type {number} */ seat) => html`
      <li class="${decides.has(seat) ? "decides" : ""} ${result?.rank === 1 ? "won" : ""}">${seatBadge(seat)}
        <span class="name">${nameOf(player)}</span> <b>${result?.total ?? score}</b></li>`), part(".seats"));
    const pause = part(".pause");
    pause.hidden = still.matches;
    pause.textContent = this.isPaused ? "▶" : "❚❚";
    pause.ariaLabel = this.isPaused ? words.play : words.pause;
    return fresh.length > 0;
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
  }
}

/** The lines of a file. @param {string} path */
const linesOf = async (path) => (await (await file(path)).text()).trim().split("\n");
