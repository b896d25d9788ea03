/** Invitations and challenges to the account, to be answered. */

import { html, render } from "../vendor/lit-html/lit-html.js";
import { account, client } from "../account.mjs";
import { named } from "../names.mjs";
import { news } from "./notices.mjs";
import { texts } from "../texts/texts.mjs";
import { usualClock } from "../screens.mjs";
import { why } from "../why.mjs";

const words = texts.lobby.asked;

export class Asked {
  /** @param {HTMLElement} root hidden while nobody asks
   * @param {{ boards: Map<string, string>, go: (to: string) => void }} is */
  constructor(root, is) {
    this.root = root;
    this.is = is;
    /** Notices. @type {any[]} */ this.asked = [];
    this.problem = "";
    this.isBusy = false;
    this._look = () => void this.look();
    news.addEventListener("asked", this._look);
    this._look();
  }

  /** Fetch what is to be answered: the first page of notices has all of it. */
  async look() {
    if (!account()) return;
    const page = await client.get("/v1/me/events", { query: { legal_actions: "false" } }).catch(() => null);
    if (!page) return; // retried with the next notice
    this.asked = page.items.filter((/** @type {any} */ { type }) => type === "invited" || type === "challenged");
    this.update();
  }

  /** Answer, and go to the game if there is one then. @param {() => Promise<string | void>} what */
  async act(what) {
    if (this.isBusy) return;
    [this.isBusy, this.problem] = [true, ""];
    try {
      const game = await what();
      if (game) return this.is.go(`/games/${game}`);
    } catch (problem) {
      this.problem = why(problem);
    } finally {
      this.isBusy = false;
    }
    await this.look();
    this.update();
  }

  update() {
    this.root.hidden = !this.asked.length;
    render(html`<ul class="games">${this.asked.map((notice) => (
      notice.type === "invited" ? this.invitation(notice) : this.challenge(notice.challenge)))}</ul>
      <p class="problem" role="alert">${this.problem}</p>`, /** @type {HTMLElement} */ (this.root.querySelector("div")));
  }

  /** @param {any} notice */
  invitation({ by, game, invitation }) {
    return html`<li class="game-row"><span class="name">${named(by)}</span> <span class="standing">${words.invites}</span>
      <a class="button main" href="/games/${game}#join=${invitation}">${words.open}</a></li>`;
  }

  /** @param {any} challenge */
  challenge({ id, by, board, clock, rated }) {
    return html`<li class="game-row"><span class="name">${named(by)}</span>
      <span class="standing">${words.challenges(this.is.boards.get(board) ?? board)}</span>
      <span class="state faint">${texts.app.clock(clock ?? usualClock(rated))} ·
        ${rated ? texts.lobby.seeks.rated : texts.lobby.seeks.casual}
        <button @click=${() => this.act(async () => { await client.post(`/v1/challenges/${id}/decline`); })}>${words.decline}</button></span>
      <button class="main" @click=${() => this.act(async () => (
        (await client.post(`/v1/challenges/${id}/accept`)).game))}>${texts.lobby.seeks.accept}</button></li>`;
  }

  close() {
    news.removeEventListener("asked", this._look);
  }
}
