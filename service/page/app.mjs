/** Shows the screen that the address names, and the bar above it. */

import { html, nothing, render } from "./vendor/lit-html/lit-html.js";
import { account, changes, isEmbedded, recognized } from "./account.mjs";
import { loadPart } from "./waiting.mjs";
import { texts } from "./texts/texts.mjs";
import { Who } from "./lobby/who.mjs";
import { why } from "./why.mjs";

/**
 * A screen: `open` shows it in an element and returns what is to be done when it is left. Its first
 * heading says what it is: the document is called so, and after a click on a link one reads on there.
 * @typedef {{ id: string, query: URLSearchParams, go: (to: string) => void }} Address
 * @typedef {{ open: (root: HTMLElement, address: Address) => Promise<() => void> | (() => void) }} Screen
 */

/** The style sheets of a screen; `base.css` is for all. No other screen's apply while it is shown. */
const LOBBY = "map/map.css screens/lobby.css";
const LISTS = "map/map.css screens/lists.css";
const GAME = "map/map.css screens/game.css play/play.css replay/replay.css scoring/scoring.css";

/** First part of an address (a game in a frame has a screen of its own), whether an id follows, the
 * module of its screen, and its styles. From here the service knows what an address will ask for.
 * @type {[string, boolean, () => Promise<Screen>, string][]} */
const SCREENS = [
  ["", false, () => import("./screens/lobby.mjs"), LOBBY],
  ["games", true, () => import("./screens/game.mjs"), GAME],
  ["games?embed=1", true, () => import("./screens/frame.mjs"), GAME],
  ["tournaments", false, () => import("./screens/tournaments.mjs"), LISTS],
  ["tournaments", true, () => import("./screens/tournament.mjs"), LISTS],
  ["leaderboards", false, () => import("./screens/leaderboards.mjs"), LISTS],
  ["leaderboards", true, () => import("./screens/leaderboard.mjs"), LISTS],
  ["players", true, () => import("./screens/player.mjs"), LISTS],
  ["boards", false, () => import("./screens/boards.mjs"), LISTS],
  ["boards", true, () => import("./screens/board.mjs"), LISTS],
];

const bar = document.createElement("header");
const main = document.createElement("main");
bar.className = "bar";
main.id = "main";
main.tabIndex = -1;
document.body.append(bar, main);

const known = recognized(); // before anything is asked for as an account that may be gone
/** @type {import("./lobby/notices.mjs").Notices | null} */ let notices = null;
let [here, title] = ["", texts.app.title]; // the game on the screen, and what the screen is called
let leave = () => {};
let shown = 0; // which opening this is: a slow one must not replace a later

/** Go to another address of the page. @param {string} to */
async function go(to) {
  history.pushState(null, "", to);
  if (!await show()) return;
  scrollTo(0, 0);
  const heading = main.querySelector("h1") ?? main;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** The parts of the address: what is shown, and the id of it. */
function parts() {
  try {
    return location.pathname.split("/").slice(1).map(decodeURIComponent);
  } catch {
    return ["?"]; // no address of anything
  }
}

/** Show what the address names; return whether nothing else was asked for meanwhile. */
async function show() {
  const [first = "", id = "", ...more] = parts();
  const query = new URLSearchParams(location.search);
  drawBar(first);
  main.ariaBusy = "true";
  leave();
  leave = () => {};
  const mine = ++shown;
  const kind = isEmbedded ? `${first}?embed=1` : first; // in a frame there are games alone
  const found = SCREENS.find(([name, hasId]) =>
    name === kind && hasId === Boolean(id) && !more.some(Boolean));
  const root = document.createElement("div");
  root.className = "screen";
  const isFirst = !main.firstChild;
  if (isFirst) render(html`<p class="page faint" role="status">${texts.app.loading}</p>`, main);
  try {
    if (found) {
      const [screen] = await Promise.all([loadPart(found[2]), known, ...found[3].split(" ").map(dress)]);
      if (mine !== shown) return false;
      const close = await screen.open(root, { id, query, go });
      if (mine !== shown) return close(), false;
      leave = close;
    } else render(missing(), root);
  } catch (error) {
    if (mine !== shown) return false;
    render(failed(error), root);
  }
  main.replaceChildren(root);
  wear(found?.[3] ?? "");
  main.ariaBusy = null;
  here = first === "games" ? id : "";
  const heading = root.querySelector("h1")?.textContent?.trim();
  title = heading && first ? `${heading} · ${texts.app.title}` : texts.app.title;
  document.title = title;
  notices?.at(here, title);
  return true;
}

/** The address of a style sheet. @param {string} name */
const addressOf = (name) => new URL(name, import.meta.url).href;

/** Apply the style sheets of a screen, and those of no other. @param {string} names separated by spaces */
function wear(names) {
  const own = ["base.css", ...names.split(" ")].map(addressOf);
  for (const sheet of document.styleSheets) sheet.disabled = !own.includes(sheet.href ?? "");
}

/** Load a style sheet, unless it is there. @param {string} name @returns {Promise<unknown> | void} */
function dress(name) {
  const href = addressOf(name);
  if ([...document.styleSheets].some((sheet) => sheet.href === href)) return;
  const load = () => new Promise((done, fail) => {
    const link = document.createElement("link");
    Object.assign(link, { rel: "stylesheet", href, onload: done, onerror: (/** @type {Event} */ event) => {
      link.remove();
      fail(event);
    } });
    document.head.append(link);
  });
  return loadPart(load).catch(() => {}); // a screen without its styles is better than none
}

/** Why a screen cannot be shown. @param {any} error */
const failed = (error) => (error?.status === 404 ? missing(error.message)
  : html`<div class="page"><h1>${texts.app.failed}</h1>
      <p class="problem" role="alert">${why(error)}</p>
      <button @click=${show}>${texts.app.again}</button></div>`);

/** What is shown where there is nothing. @param {string} [why] */
const missing = (why = "") => html`<div class="page"><h1>${texts.app.missing}</h1>
  ${why ? html`<p>${why}</p>` : nothing}
  <p>${texts.app.missingWhy} <a href="/">${texts.app.home}</a></p></div>`;

/** Draw the bar on top. @param {string} here first part of the address */
function drawBar(here) {
  const links = [["", texts.app.games], ["tournaments", texts.app.tournaments],
    ["leaderboards", texts.app.leaderboards], ["boards", texts.app.boards]];
  render(html`<a class="skip" href="#main" @click=${skip}>${texts.app.skip}</a>
    <a class="home" href="/">${texts.app.title}</a>
    <nav aria-label=${texts.app.parts}>${links.map(([to, words]) => html`
      <a href="/${to}" aria-current=${to === here ? "page" : nothing}>${words}</a>`)}
      <a href="/docs">${texts.app.api}</a></nav>
    <span class="turns" role="status"></span><span class="who"></span>`, bar);
}

/** @param {Event} event */
function skip(event) {
  event.preventDefault();
  main.focus();
}

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const isPlain = !event.defaultPrevented && event.button === 0
    && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (isEmbedded && link) link.target = "_blank"; // the frame keeps its game
  if (!link || !isPlain || link.target || link.hasAttribute("download")) return;
  const to = new URL(link.href);
  if (to.origin !== location.origin || /^\/(docs|v1|web|openapi)/.test(to.pathname)) return;
  event.preventDefault();
  void go(to.pathname + to.search + to.hash);
});
addEventListener("popstate", () => void show());

document.documentElement.lang = texts.language;
document.body.classList.toggle("embedded", isEmbedded);
drawBar("");
if (!isEmbedded) {
  const at = (/** @type {string} */ name) => /** @type {HTMLElement} */ (bar.querySelector(name));
  const attend = async () => { // only who has an account is told anything
    if (!notices) {
      if (!account()) return;
      const { Notices } = await loadPart(() => import("./lobby/notices.mjs"));
      notices ??= new Notices(at(".turns"));
    } // else at once, before anything is cut off whose token is no more
    notices.at(here, title);
    notices.follow();
  };
  const who = new Who(at(".who"), () => void show());
  changes.addEventListener("gone", () => void show()); // as nobody, or as another account
  changes.addEventListener("change", () => {
    who.update();
    void attend();
  });
  void known.then(attend);
}
void show();
