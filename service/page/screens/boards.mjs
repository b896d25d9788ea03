/** The boards that can be played. */

import { client } from "../account.mjs";
import { html, render } from "../vendor/lit-html/lit-html.js";
import { texts } from "../texts/texts.mjs";

/** @param {HTMLElement} root */
export async function open(root) {
  /** @type {{ items: import("fogg-api").components["schemas"]["ListedBoard"][] }} */
  const { items } = await client.get("/v1/boards");
  render(html`<div class="page records"><h1>${texts.app.boards}</h1>
    <ul class="gallery">${items.map((board) => html`<li class="card">
      <h2><a href="/boards/${board.id}">${board.name}</a></h2>
      <img src="/v1/boards/${board.id}/map.svg" alt="" loading="lazy" width="480" height="320">
      <p>${texts.boards.players(board.least_players, board.most_players)}</p></li>`)}</ul></div>`, root);
  return () => {};
}
