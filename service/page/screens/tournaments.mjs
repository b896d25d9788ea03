import { html, render } from "../vendor/lit-html/lit-html.js";
import { texts } from "../texts/texts.mjs";

/** @param {HTMLElement} root @param {import("../app.mjs").Address} _address */
export function open(root, _address) {
  render(html`<div class="page"><h1>${texts.app.title}</h1></div>`, root);
  return () => {};
}
