/** Open offers of games: accept one of another player, or withdraw one's own. The page goes to an
 * awaited game when it starts. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { account, client, now, signedIn } from "../account.mjs";
import { named } from "../names.mjs";
import { news } from "./notices.mjs";
import { usualClock } from "../screens.mjs";
import { texts } from "../texts/texts.mjs";
import { why } from "../why.mjs";

/** @typedef {import("fogg-api").components["schemas"]["Seek"]} Seek */

const AGAIN = 5_000; // milliseconds between polls
const MOST = 100; // that are shown
const words = texts.lobby.seeks;

export class Seeks {
  /** @param {HTMLElement} root @param {{ boards: Map<string, string>, go: (to: string) => void }} is */
  constructor(root, is) {
    this.root = root;
    this.is = is;
    this.board = "";
    /** @type {Seek[]} */ this.seeks = [];
    /** The ids of the games that the player waits for here. @type {Set<string>} */
    this.awaited = new Set();
    this.problem = "";
    this.isBusy = false;
    this.isClosed = false;
    this._look = () => void this.look();
    this._again = setInterval(() => {
      if (!document.hidden || this.awaited.size) this._look();
    }, AGAIN);
    news.addEventListener("change", this._look);
    this._look();
  }

  /** Show only games on a board. @param {string} board its id, "" for all */
  only(board) {
    this.board = board;
    this.update();
  }

  /** Fetch the current offers, and check whether an awaited game has started. */
  async look() {
    try {
      const [{ items }, { items: games }] = await Promise.all([
        client.get("/v1/seeks", { query: { limit: MOST } }),
        this.awaited.size ? client.get("/v1/games", { query: { player: "me", limit: MOST } }) : { items: [] }]);
      if (this.isClosed) return;
      const begun = games.find((/** @type {{ id: string }} */ { id }) => this.awaited.has(id));
      if (begun) return this.begin(begun.id);
      this.seeks = items;
      for (const { by, game, accepted_by_you: isAccepted } of this.seeks) {
        if (isAccepted || by.id === account()?.id) this.awaited.add(game);
      }
    } catch {
      return; // retried with the next poll
    }
    this.update();
  }

  /** Wait for a game that one has offered or accepted. @param {Seek} seek */
  async wait(seek) {
    this.awaited.add(seek.game);
    await this.look();
    this.root.querySelector(`[data-seek="${CSS.escape(seek.id)}"]`)?.scrollIntoView({ block: "nearest" });
  }

  /** @param {string} game that is there now */
  begin(game) {
    this.awaited.clear();
    this.is.go(`/games/${game}`);
  }

  /** @param {Seek} seek */
  accept(seek) {
    return this.act(async () => {
      await signedIn();
      const { state, game } = await client.post(`/v1/seeks/${seek.id}/accept`);
      if (state === "accepted") this.begin(game);
      else await this.wait(seek);
    });
  }

  /** @param {Seek} seek */
  withdraw(seek) {
    return this.act(async () => {
      await client.delete(`/v1/seeks/${seek.id}`);
      this.awaited.delete(seek.game);
    });
  }

  /** Run a request; show an error if it fails. @param {() => Promise<void>} what */
  async act(what) {
    if (this.isBusy) return;
    [this.isBusy, this.problem] = [true, ""];
    this.update();
    try {
      await what();
    } catch (problem) {
      this.problem = why(problem);
    }
    this.isBusy = false;
    this.update();
    await this.look();
  }

  update() {
    if (this.isClosed) return;
    const shown = this.seeks.filter(({ board }) => !this.board || board === this.board);
    render(html`${shown.length ? html`<h3>${words.title}</h3>
      <ul class="games">${repeat(shown, ({ id }) => id, (seek) => this.row(seek))}</ul>` : nothing}
      <p role="status">${shown.some(({ game }) => this.awaited.has(game)) ? words.wait : ""}</p>
      <p class="problem" role="alert">${this.problem}</p>`, this.root);
  }

  /** @param {Seek} seek */
  row(seek) {
    const { by, seats, clock, rated, accepted, rating_from: from, rating_to: to } = seek;
    const isMine = by.id === account()?.id;
    const off = this.isBusy ? "true" : nothing;
    const said = [words.players(seats), texts.app.clock(clock ?? usualClock(rated)), rated ? words.rated : words.casual,
      ...from !== undefined || to !== undefined ? [words.rating(from, to)] : [],
      ...seats > 2 ? [words.accepted(accepted, seats - 1)] : []];
    return html`<li class="game-row" data-seek=${seek.id}><span class="name">${this.is.boards.get(seek.board) ?? seek.board}</span>
      <span class="standing">${isMine ? words.yours : named(by)}</span>
      <span class="state faint">${said.join(" · ")} · ${words.lapses(Math.max(1, Math.ceil(
        (Date.parse(seek.lapses) - now()) / 60_000)))}</span>
      ${isMine ? html`<button aria-disabled=${off} @click=${() => this.withdraw(seek)}>${words.withdraw}</button>`
        : this.awaited.has(seek.game) ? html`<strong class="state">${words.waiting}</strong>`
        : html`<button class="main" aria-disabled=${off} @click=${() => this.accept(seek)}>${words.accept}</button>`}</li>`;
  }

  close() {
    this.isClosed = true;
    clearInterval(this._again);
    news.removeEventListener("change", this._look);
  }
}
