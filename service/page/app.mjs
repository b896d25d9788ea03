/** Shows the screen that the address names, and the bar above it. */

import { html, nothing, render } from "./vendor/lit-html/lit-html.js";
import { texts } from "./texts/texts.mjs";

/**
 * A screen: `open` shows it in an element and returns what is to be done when it is left.
 * @typedef {{ id: string, query: URLSearchParams, go: (to: string) => void }} Address
 * @typedef {{ open: (root: HTMLElement, address: Address) => Promise<() => void> | (() => void) }} Screen
 */

/** First part of an address, whether an id follows, the module of its screen.
 * @type {[string, boolean, () => Promise<Screen>][]} */
const SCREENS = [
  ["", false, () => import("./screens/lobby.mjs")],
  ["games", true, () => import("./screens/game.mjs")],
  ["tournaments", false, () => import("./screens/tournaments.mjs")],
  ["tournaments", true, () => import("./screens/tournament.mjs")],
  ["leaderboards", false, () => import("./screens/leaderboards.mjs")],
  ["leaderboards", true, () => import("./screens/leaderboard.mjs")],
  ["players", true, () => import("./screens/player.mjs")],
  ["boards", false, () => import("./screens/boards.mjs")],
  ["boards", true, () => import("./screens/board.mjs")],
];

const bar = document.createElement("header");
const main = document.createElement("main");
bar.className = "bar";
main.tabIndex = -1;
document.body.append(bar, main);

let leave = () => {};
let shown = 0; // which opening this is: a slow one must not replace a later

/** Go to another address of the page. @param {string} to */
function go(to) {
  history.pushState(null, "", to);
  void show();
}

/** Show what the address names. */
async function show() {
  const [, first = "", id = ""] = location.pathname.split("/").map(decodeURIComponent);
  const query = new URLSearchParams(location.search);
  document.body.classList.toggle("embedded", query.get("embed") === "1");
  drawBar(first);
  leave();
  leave = () => {};
  const mine = ++shown;
  const found = SCREENS.find(([name, hasId]) => name === first && hasId === Boolean(id));
  const root = document.createElement("div");
  main.replaceChildren(root);
  if (!found) return render(html`<p class="page">${texts.app.missing}</p>`, root);
  render(html`<p class="page faint" role="status">${texts.app.loading}</p>`, root);
  try {
    const screen = await found[2]();
    if (mine !== shown) return;
    const fresh = document.createElement("div");
    const close = await screen.open(fresh, { id, query, go });
    if (mine !== shown) return close();
    leave = close;
    main.replaceChildren(fresh);
  } catch (error) {
    if (mine !== shown) return;
    const words = error instanceof Error ? error.message : String(error);
    render(html`<div class="page"><p class="problem" role="alert">${words}</p>
      <button @click=${show}>${texts.app.again}</button></div>`, root);
  }
}

/** Draw the bar on top. @param {string} here first part of the address */
function drawBar(here) {
  const links = [["", texts.app.games], ["tournaments", texts.app.tournaments],
    ["leaderboards", texts.app.leaderboards], ["boards", texts.app.boards]];
  render(html`<a class="home" href="/">${texts.app.title}</a>
    <nav aria-label=${texts.app.title}>${links.map(([to, words]) => html`
      <a href="/${to}" aria-current=${to === here ? "page" : nothing}>${words}</a>`)}
      <a href="/docs">${texts.app.api}</a></nav>
    <span class="who"></span>`, bar);
}

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const isPlain = !event.defaultPrevented && event.button === 0
    && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (!link || !isPlain || link.target || link.hasAttribute("download")) return;
  const to = new URL(link.href);
  if (to.origin !== location.origin || /^\/(docs|v1|web|openapi)/.test(to.pathname)) return;
  event.preventDefault();
  go(to.pathname + to.search + to.hash);
});
addEventListener("popstate", show);
void show();
