/** The boards that can be played. */

import { client } from "../account.mjs";
import { html, render } from "../vendor/lit-html/lit-html.js";
import { ordered } from "../screens.mjs";
import { showPosters } from "../lobby/posters.mjs";
import { texts } from "../texts/texts.mjs";

/** @param {HTMLElement} root */
export async function open(root) {
  const { items } = await client.get("/v1/boards");
  render(
    html`<div class="page lobby">
      <h1>${texts.app.boards}</h1>
      <div></div>
    </div>`,
    root,
  );
  void showPosters(
    /** @type {HTMLElement} */ (root.querySelector(".page > div")),
    ordered(items),
    ({ id }) => html`<a class="main" href="/?board=${id}">${texts.lobby.creating.play}</a>`,
  );
  return () => {};
}
