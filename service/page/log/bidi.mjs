/** Names are others' words, in any direction of writing: each stands in an element of its own. */

import { html } from "../vendor/lit-html/lit-html.js";

/** A sentence of words.mjs as markup, names set apart. @param {string} text */
export const marked = (text) => text.split(/\u2068([^\u2069]*)\u2069/).map((part, i) => (
  i % 2 ? html`<bdi class="who">${part}</bdi>` : part));
