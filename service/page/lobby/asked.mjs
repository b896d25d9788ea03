/** Invitations to the account, to be answered. */

import { html, render } from "../vendor/lit-html/lit-html.js";
import { account, client } from "../account.mjs";
import { news } from "./notices.mjs";
import { row } from "./rows.mjs";
import { texts } from "../texts/texts.mjs";
import { doing } from "../why.mjs";

const words = texts.lobby.asked;

export class Asked {
  /** @param {HTMLElement} root hidden without invitations
   * @param {{ boards: Map<string, string>, go: (to: string) => void }} is */
  constructor(root, is) {
    this.root = root;
    this.is = is;
    /** @type {Game[]} */ this.games = [];
    this.problem = "";
    this.isBusy = false;
    this._look = () => void this.look();
    news.addEventListener("asked", this._look);
    this._look();
  }

  async look() {
    if (!account()) return;
    const page = await client.get("/v1/games", { query: { status: "lobby", invited: "me" } }).catch(() => null);
    if (!page) return; // retried with the next notice
    this.games = page.items;
    this.update();
  }

  /** Answer an invitation; show an error if that fails. @param {() => Promise<unknown>} what */
  async act(what) {
    await doing(this, () => this.update(), what);
    await this.look();
  }

  update() {
    this.root.hidden = !this.games.length && !this.problem;
    render(html`<ul class="games">${this.games.map((game) => row(game, this.is.boards.get(game.board) ?? game.board, html`
        <span class="row"><button class="main" @click=${() => this.act(async () => {
          await client.post(`/v1/games/${game.id}/seats`);
          this.is.go(`/games/${game.id}`);
        })}>${words.accept}</button>
        <button @click=${() => this.act(() => client.delete(`/v1/games/${game.id}/invitations/me`))}>${words.decline}</button></span>`))}</ul>
      <p class="problem" role="alert">${this.problem}</p>`, /** @type {HTMLElement} */ (this.root.querySelector("div")));
  }

  close() {
    news.removeEventListener("asked", this._look);
  }
}
