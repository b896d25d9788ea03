/** The page as an app of the device: its service worker, and the language that a reader has chosen. */

import { html, render } from "./vendor/lit-html/lit-html.js";
import { texts } from "./texts/texts.mjs";

const WORKER = "/worker.js";
const YEAR = 31_536_000; // seconds

/** Start the service worker, where there can be one, after the page is loaded. */
export function startWorker() {
  const start = () => {
    const policy = /** @type {any} */ (window).trustedTypes?.createPolicy("worker", {
      createScriptURL: () => WORKER,
    });
    void navigator.serviceWorker?.register(policy?.createScriptURL("") ?? WORKER).catch(() => {}); // works without
  };
  if (document.readyState === "complete") start();
  else addEventListener("load", start);
}

/** Show the choice of a language. The service reads the cookie. @param {HTMLElement} root */
export function chooseLanguage(root) {
  const name = (/** @type {string} */ tag) =>
    new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
  const choose = (/** @type {any} */ { target }) => {
    document.cookie = `language=${target.value}; path=/; max-age=${YEAR}; SameSite=Lax`;
    location.reload();
  };
  render(
    html`<select title=${texts.app.language} aria-label=${texts.app.language} @change=${choose}>
      ${document.body.dataset.languages
        ?.split(" ")
        .map(
          (tag) =>
            html`<option value=${tag} lang=${tag} ?selected=${tag === texts.language}>
              ${name(tag)}
            </option>`,
        )}
    </select>`,
    root,
  );
}
