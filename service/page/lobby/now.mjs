/** Public games under way as small live boards. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { client } from "../account.mjs";
import { little } from "../map/little.mjs";
import { isMine, standing } from "./rows.mjs";
import { texts } from "../texts/texts.mjs";

const BOARDS = 6; // games that are shown as boards
const PAUSE = 700; // milliseconds between two requests, once each game has been fetched
const STAYS = 8_000; // milliseconds that a finished game stays visible
const words = texts.lobby.now;

export class NowPlaying {
  /** @param {HTMLElement} root @param {Map<string, string>} names of the boards by id */
  constructor(root, names) {
    this.root = root;
    this.names = names;
    this.board = "";
    /** @type {Map<string, Game> | null} */ this.games = null;
    /** @type {string[]} */ this.shown = []; // ids of those that are shown as boards
    /** @type {Map<string, any>} */ this.views = new Map();
    /** @type {Map<string, any>} */ this.layouts = new Map();
    this.cursor = "";
    this.problem = "";
    this._closing = new AbortController();
    this._onVisible = () => this.follow();
    document.addEventListener("visibilitychange", this._onVisible);
    this.update();
    this.follow();
  }

  /** Follow the games while somebody looks. */
  follow() {
    this._closing.abort();
    this._closing = new AbortController();
    if (document.hidden) return;
    const { signal } = this._closing;
    this.listen(signal).catch((problem) => {
      if (signal.aborted) return;
      this.problem = problem.message;
      this.update();
    });
    void this.look(signal);
  }

  /** @param {AbortSignal} signal */
  async listen(signal) {
    const stream = client.stream("/v1/live", { signal, after: this.cursor || undefined });
    for await (const { data } of stream) {
      this.cursor = data.cursor;
      this.happened(data);
      this.update();
    }
  }

  /** @param {{ type: string, games?: Game[], game?: Game }} message */
  happened({ type, games, game }) {
    if (games) this.games = new Map(games.map((one) => [one.id, one]));
    if (!game || !this.games) return;
    this.games.set(game.id, game);
    if (type === "over") setTimeout(() => {
      this.games?.delete(game.id);
      this.update();
    }, STAYS);
  }

  /** Show only games on a board. @param {string} board its id, "" for all */
  only(board) {
    this.board = board;
    this.update();
  }

  /** Fetch the visible boards one after the other, while the window is visible.
   * @param {AbortSignal} signal */
  async look(signal) {
    while (!signal.aborted) {
      const stale = this.shown.filter((id) => this.isSeen(id)
        && this.views.get(id)?.version !== this.games?.get(id)?.version);
      const [id] = stale.sort((a, b) => this.age(b) - this.age(a));
      const isFirst = id && !this.views.has(id);
      if (id) await this.fetch(id).catch(() => this.views.set(id, { at: Date.now() }));
      if (!isFirst) await new Promise((done) => setTimeout(done, PAUSE));
    }
  }

  /** @param {string} id */
  age(id) {
    return Date.now() - (this.views.get(id)?.at ?? 0);
  }

  /** @param {string} id */
  isSeen(id) {
    const place = this.root.querySelector(`[data-game="${CSS.escape(id)}"]`)?.getBoundingClientRect();
    return place !== undefined && place.bottom > 0 && place.top < innerHeight;
  }

  /** @param {string} id */
  async fetch(id) {
    const view = await client.get(`/v1/games/${id}`, { query: { legal_actions: "false" } });
    if (!this.layouts.has(view.board)) {
      this.layouts.set(view.board, await client.get(`/v1/boards/${view.board}/layout`));
    }
    this.views.set(id, { ...view, at: Date.now() });
    this.update();
  }

  update() {
    const games = [...this.games?.values() ?? []].filter(({ board }) => !this.board || board === this.board)
      .sort((a, b) => b.created.localeCompare(a.created));
    const ids = new Set(games.map(({ id }) => id));
    this.shown = this.placed(games);
    for (const id of this.views.keys()) if (!ids.has(id)) this.views.delete(id);
    render(html`<p class="problem" role="alert">${this.problem}</p>
      ${!this.games ? html`<p class="faint">${this.problem ? "" : texts.app.loading}</p>`
        : !games.length ? html`<p class="faint">${words.none}</p>` : nothing}
      <ul class="now">${repeat(this.shown, (id) => id, (id) => this.small(/** @type {Game} */ (this.games?.get(id))))}</ul>`, this.root);
  }

  /** The games to show as boards. They keep their places, as one may be about to click on one; a
   * new game of one's own takes the last place if none is free. @param {Game[]} games newest first */
  placed(games) {
    const known = new Map(games.map((game) => [game.id, game]));
    const isOwn = (/** @type {string} */ id) => isMine(/** @type {Game} */ (known.get(id)));
    const places = Array.from({ length: BOARDS }, (_, at) => this.shown[at] ?? "").map((id) => (known.has(id) ? id : ""));
    const fresh = games.map(({ id }) => id).filter((id) => !places.includes(id));
    const own = fresh.filter(isOwn);
    for (let lacking = own.length - places.filter((id) => !id).length; lacking > 0; lacking -= 1) {
      const last = places.findLastIndex((id) => id && !isOwn(id));
      if (last >= 0) places[last] = "";
    }
    const next = [...own, ...fresh.filter((id) => !isOwn(id))];
    return places.map((id) => id || (next.shift() ?? "")).filter(Boolean);
  }

  /** A game as a small board. @param {Game} game */
  small(game) {
    const view = this.views.get(game.id);
    const layout = this.layouts.get(game.board);
    return html`<li class="card" data-game=${game.id}>
      <a href="/games/${game.id}"><span class="little-map">${view?.claims && layout
        ? little(layout, view) : nothing}</span>
        <strong>${this.name(game)}</strong></a>
      <span class="standing">${standing(game)}</span>
      ${game.status === "finished" ? html`<span class="over">${texts.app.over}</span>` : nothing}</li>`;
  }

  /** @param {Game} game */
  name(game) {
    return this.names.get(game.board) ?? game.board;
  }

  close() {
    this._closing.abort();
    document.removeEventListener("visibilitychange", this._onVisible);
  }
}
