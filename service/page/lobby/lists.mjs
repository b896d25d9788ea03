/** A list of games, page by page, of one status at a time. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { client, signedIn } from "../account.mjs";
import { isMine, row } from "./rows.mjs";
import { texts } from "../texts/texts.mjs";
import { why } from "../why.mjs";
import { own } from "../own.mjs";

const PAGE = 10;
const words = texts.lobby.lists;

/** The list, with a button for each kind of games that it can show. */
export class GameList {
  /**
   * @param {HTMLElement} root
   * @param {{ kinds: [string, Record<string, string>][], boards: Map<string, string>,
   *   empty: Record<string, string>, go: (to: string) => void,
   *   first?: { items: Game[], next: string | null } | null, keep?: (game: Game) => boolean, isSteady?: boolean }} is
   *   `kinds`: the label of each button, and the query of its games; `empty`: the message for
   *   an empty list, by status; `first`: its first page, if it is known; `isSteady`: whether games keep their places when the list is read
   *   again, so that nobody clicks on another one than they meant
   */
  constructor(root, is) {
    this.root = root;
    this.is = is;
    this.query = is.kinds[0][1];
    this.board = "";
    /** @type {Game[] | null} */ this.games = is.first?.items ?? null;
    /** @type {string | null} */ this.next = is.first?.next ?? null;
    this.problem = "";
    this._asked = 0; // number of the request: late answers are dropped
    if (is.first) this.update();
    else void this.load();
  }

  /** Read the list from the start, with as many games as before; or go on with another page.
   * @param {boolean} [isMore] */
  async load(isMore = false) {
    const mine = ++this._asked;
    const before = this.games ?? [];
    try {
      const { items, next } = await client.get("/v1/games", { query: { ...this.query, board: this.board || undefined,
        limit: isMore ? PAGE : Math.min(100, Math.max(PAGE, before.length)), after: isMore ? this.next ?? undefined : undefined } });
      if (mine !== this._asked) return;
      const places = new Map(isMore || this.is.isSteady ? before.map(({ id }, at) => [id, at]) : []);
      const at = (/** @type {Game} */ { id }) => places.get(id) ?? places.size;
      this.games = [...isMore ? before : [], ...items].toSorted((one, other) => at(one) - at(other));
      [this.next, this.problem] = [next, ""];
    } catch (problem) {
      this.problem = why(problem);
    }
    this.update();
  }

  /** Show only games on a board. @param {string} board its id, "" for all */
  only(board) {
    this.board = board;
    this.games = null;
    void this.load();
  }

  /** @param {Record<string, string>} query */
  show(query) {
    this.query = query;
    this.games = null;
    this.update();
    void this.load();
  }

  update() {
    const games = this.games?.filter(this.is.keep ?? (() => true)) ?? null;
    render(html`${this.is.kinds.length > 1 ? html`<p class="kinds">${this.is.kinds.map(([text, query]) => html`
        <button aria-pressed=${query === this.query} @click=${() => this.show(query)}>${text}</button>`)}</p>` : nothing}
      <p class="problem" role="alert">${this.problem}</p>
      ${!games ? html`<p class="faint">${this.problem ? "" : texts.app.loading}</p>`
        : !games.length && !this.next ? html`<p class="faint">${own(this.is.empty, this.query.status)}</p>`
        : html`<ul class="games">${repeat(games, ({ id }) => id, (game) =>
          row(game, this.is.boards.get(game.board) ?? game.board, this.join(game)))}</ul>`}
      ${this.next ? html`<button @click=${() => this.load(true)}>${words.more}</button>` : nothing}`, this.root);
  }

  /** @param {Game} game */
  join(game) {
    return game.status !== "lobby" || isMine(game) ? undefined
      : html`<button class="main" @click=${() => this.sit(game)}>${words.join}</button>`;
  }

  /** @param {Game} game */
  async sit(game) {
    try {
      await signedIn();
      await client.post(`/v1/games/${game.id}/seats`);
      this.is.go(`/games/${game.id}`);
    } catch (problem) { // somebody was quicker
      await this.load();
      this.problem = why(problem);
      this.update();
    }
  }
}
