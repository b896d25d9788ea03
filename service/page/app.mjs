/** Shows the screen that the address names, and the bar above it. */

import { html, nothing, render } from "./vendor/lit-html/lit-html.js";
import { account, changes, isEmbedded, recognized } from "./account.mjs";
import { addressed, screens, styles } from "./screens.mjs";
import { loadPart, withPart } from "./waiting.mjs";
import { soundSwitch } from "./sound.mjs";
import { texts } from "./texts/texts.mjs";
import { who } from "./lobby/who.mjs";
import { chooseLanguage, startWorker } from "./installed.mjs";
import { why } from "./why.mjs";
import { own } from "./own.mjs";

/**
 * The module of a screen: `open` shows it in an element and returns the function that closes it. Its
 * first heading becomes the document's title, and takes the focus after a click on a link.
 * @typedef {{ id: string, query: URLSearchParams, go: (to: string) => Promise<void> }} Address
 * @typedef {{ open: (root: HTMLElement, address: Address) => Promise<() => void> | (() => void) }} Module
 */

const bar = document.createElement("header");
const main = document.createElement("main");
bar.className = "bar";
main.id = "main";
main.tabIndex = -1;
document.body.append(bar, main);

const known = recognized(); // before any request uses an account that may be deleted
/** @type {import("./lobby/notices.mjs").Notices | null} */ let notices = null;
let [here, title] = ["", texts.app.title]; // the game on the screen, and what the screen is called
let leave = () => {};
let shown = 0; // number of this opening: a slow one must not replace a later one

/** Go to another address of the page. @param {string} to */
async function go(to) {
  remember();
  history.pushState(null, "", to);
  if (!(await show())) return;
  scrollTo(0, 0);
  const heading = main.querySelector("h1") ?? main;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** Show the screen that the address names; return false if a later call has replaced it. */
async function show() {
  const { screen, id } = addressed();
  const query = new URLSearchParams(location.search);
  drawBar();
  main.ariaBusy = "true";
  leave();
  leave = () => {};
  const mine = ++shown;
  const name = isEmbedded ? screen?.framed : screen?.module;
  const root = document.createElement("div");
  root.className = "screen";
  const isFirst = !main.firstChild;
  if (isFirst) render(html`<p class="page faint" role="status">${texts.app.loading}</p>`, main);
  try {
    if (screen && name) {
      root.dataset.styles = screen.styles; // which style sheets reach what is in it
      const load = () => /** @type {Promise<Module>} */ (import(`./screens/${name}.mjs`));
      const [module] = await Promise.all([
        loadPart(load),
        known,
        ...(own(styles, screen.styles)?.map(dress) ?? []),
      ]);
      if (mine !== shown) return false;
      const close = await module.open(root, { id, query, go });
      if (mine !== shown) return (close(), false);
      leave = close;
    } else render(missing(), root);
  } catch (error) {
    if (mine !== shown) return false;
    render(failed(error), root);
  }
  main.replaceChildren(root);
  main.ariaBusy = null;
  here = screen?.framed ? id : ""; // of a game
  const heading = root.querySelector("h1")?.textContent?.trim();
  title = heading && screen?.address !== "/" ? `${heading} · ${texts.app.title}` : texts.app.title;
  document.title = title;
  notices?.at(here, title);
  return true;
}

/** Store the scroll position, to restore it when the player returns to this address. */
function remember() {
  history.replaceState({ ...history.state, top: scrollY }, "");
}

/** Restore the scroll position of this address once the screen is high enough, unless the player
 * scrolls first. */
function scrollBack() {
  const top = history.state?.top ?? 0;
  const ends = new AbortController();
  const { signal } = ends;
  const grows = new ResizeObserver(() => {
    scrollTo(0, top);
    if (scrollY >= top - 1) ends.abort();
  });
  signal.addEventListener("abort", () => grows.disconnect());
  for (const name of ["wheel", "pointerdown", "keydown", "popstate"]) {
    addEventListener(name, () => ends.abort(), { signal });
  }
  grows.observe(main);
}

/** Load a style sheet, unless it is there. @param {string} name @returns {Promise<unknown> | void} */
function dress(name) {
  const href = new URL(name, import.meta.url).href;
  if ([...document.styleSheets].some((sheet) => sheet.href === href)) return;
  const load = () =>
    new Promise((done, fail) => {
      const link = document.createElement("link");
      Object.assign(link, {
        rel: "stylesheet",
        href,
        onload: done,
        onerror: (/** @type {Event} */ event) => {
          link.remove();
          fail(event);
        },
      });
      document.head.append(link);
    });
  return loadPart(load).catch(() => {}); // a screen without its styles is better than none
}

/** Render the error that prevents a screen from being shown. @param {any} error */
const failed = (error) =>
  error?.status === 404
    ? missing(why(error))
    : html`<div class="page failed">
        <h1>${texts.app.failed}</h1>
        <p class="problem" role="alert">${why(error)}</p>
        <button @click=${show}>${texts.app.again}</button>
      </div>`;

/** Render the "not found" screen. @param {string} [why] */
const missing = (why = "") =>
  html`<div class="page">
    <h1>${texts.app.missing}</h1>
    ${why ? html`<p>${why}</p>` : nothing}
    <p>${texts.app.missingWhy} <a href="/">${texts.app.home}</a></p>
  </div>`;

function drawBar() {
  const first = (/** @type {string} */ address) => address.split("/")[1];
  render(
    html`<a class="skip" href="#main" @click=${skip}>${texts.app.skip}</a>
      <a class="home" href="/">${texts.app.title}</a>
      <nav aria-label=${texts.app.parts}>
        ${screens.map(
          ({ address, link }) =>
            link &&
            html` <a
              href=${address}
              aria-current=${first(address) === first(location.pathname) ? "page" : nothing}
              >${texts.app[link]}</a
            >`,
        )} <a href="/docs">${texts.app.api}</a>
      </nav>
      <span class="turns" role="status"></span
      >${addressed().screen?.framed ? soundSwitch() : nothing}<span class="language"></span>
      <span class="who"></span>`,
    bar,
  );
}

/** @param {Event} event */
function skip(event) {
  event.preventDefault();
  main.focus();
}

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const isPlain =
    !event.defaultPrevented &&
    event.button === 0 &&
    !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (isEmbedded && link) link.target = "_blank"; // the frame keeps its game
  if (!link || !isPlain || link.target || link.hasAttribute("download")) return;
  const to = new URL(link.href);
  if (to.origin !== location.origin || /^\/(docs|v1|web|openapi)/.test(to.pathname)) return;
  event.preventDefault();
  void go(to.pathname + to.search + to.hash);
});
addEventListener("popstate", () => void show().then((isShown) => isShown && scrollBack()));
addEventListener("pagehide", remember);
addEventListener("online", () => void (main.querySelector(".failed") && show()));
history.scrollRestoration = "manual"; // the browser restores it before the screen is there

document.body.classList.toggle("embedded", isEmbedded);
drawBar();
if (!isEmbedded) {
  const at = (/** @type {string} */ name) => /** @type {HTMLElement} */ (bar.querySelector(name));
  const attend = async () => {
    // notices are only for accounts
    if (!notices) {
      if (!account()) return;
      await withPart(
        ({ Notices }) => {
          notices ??= new Notices(at(".turns"));
        },
        () => import("./lobby/notices.mjs"),
      );
      if (!notices) return;
    } // else at once, before anything is cut off whose token is no more
    notices.at(here, title);
    notices.follow();
  };
  const draw = who(at(".who"), () => void show());
  chooseLanguage(at(".language"));
  startWorker();
  changes.addEventListener("gone", () => void show()); // as nobody, or as another account
  changes.addEventListener("change", () => {
    draw();
    void attend();
  });
  void known.then(attend);
}
void show().then((isShown) => isShown && scrollBack());
