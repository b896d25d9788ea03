/** Public games under way as small live boards. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { live } from "../live.mjs";
import { little, watching } from "../map/little.mjs";
import { isMine, standing } from "./lists.mjs";
import { texts } from "../texts/texts.mjs";

const BOARDS = 6; // games that are shown as boards
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
    this._closing = new AbortController();
    const { signal } = this._closing;
    this.update();
    void live({}, (games, message) => this.happened(games, message), signal);
    void watching(
      this.views,
      this.layouts,
      () =>
        this.shown.filter(
          (id) => this.isSeen(id) && this.views.get(id)?.version !== this.games?.get(id)?.version,
        ),
      () => this.update(),
      signal,
    );
  }

  /** @param {Map<string, Game>} games @param {{ type: string, game?: Game }} message */
  happened(games, { type, game }) {
    this.games = games;
    this.update();
    if (game && type === "over")
      setTimeout(() => {
        this.games?.delete(game.id);
        this.update();
      }, STAYS);
  }

  /** Show only games on a board. @param {string} board its id, "" for all */
  only(board) {
    this.board = board;
    this.update();
  }

  /** @param {string} id */
  isSeen(id) {
    const place = this.root
      .querySelector(`[data-game="${CSS.escape(id)}"]`)
      ?.getBoundingClientRect();
    return place !== undefined && place.bottom > 0 && place.top < innerHeight;
  }

  update() {
    const games = [...(this.games?.values() ?? [])]
      .filter(({ board }) => !this.board || board === this.board)
      .sort((a, b) => b.created.localeCompare(a.created));
    const ids = new Set(games.map(({ id }) => id));
    this.shown = this.placed(games);
    for (const id of this.views.keys()) if (!ids.has(id)) this.views.delete(id);
    render(
      html`${
          !this.games
            ? html`<p class="faint">${texts.app.loading}</p>`
            : !games.length
              ? html`<p class="faint">${words.none}</p>`
              : nothing
        }
        <ul class="now">
          ${repeat(
            this.shown,
            (id) => id,
            (id) => this.small(/** @type {Game} */ (this.games?.get(id))),
          )}
        </ul>`,
      this.root,
    );
  }

  /** The games to show as boards. They keep their places, as one may be about to click on one; a
   * new game of one's own takes the last place if none is free. @param {Game[]} games newest first */
  placed(games) {
    const known = new Map(games.map((game) => [game.id, game]));
    const isOwn = (/** @type {string} */ id) => isMine(/** @type {Game} */ (known.get(id)));
    const places = Array.from({ length: BOARDS }, (_, at) => this.shown[at] ?? "").map((id) =>
      known.has(id) ? id : "",
    );
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
      <a href="/games/${game.id}"
        ><span class="little-map">${view?.claims && layout ? little(layout, view) : nothing}</span>
        <strong>${this.name(game)}</strong></a
      >
      <span class="standing">${standing(game)}</span>
      ${game.status === "finished" ? html`<span class="over">${texts.app.over}</span>` : nothing}
    </li>`;
  }

  /** @param {Game} game */
  name(game) {
    return this.names.get(game.board) ?? game.board;
  }

  close() {
    this._closing.abort();
  }
}
