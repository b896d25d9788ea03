/** The sentences of the page, in the language that the service chose for the reader: it is named by the
 * document, and is the file of that name in this folder. */

import { own } from "../own.mjs";

const language = globalThis.document?.documentElement.lang || "en";

/** The parts that are loaded: `texts.app` for every screen, the others when something needs them.
 * @type {typeof import("./en.mjs") & { language: string }} */
export const texts = /** @type {any} */ ({ language });

/** Load parts of the language's file, before any code runs that uses them. The service leaves the other
 * parts out of what it sends; without a service the whole file comes. @param {string[]} parts */
export const loadTexts = (parts) => Promise.all(parts.map(async (part) => {
  Object.assign(texts, { [part]: own(await import(`./${language}.mjs?only=${part}`), part) });
}));

await loadTexts(["app"]);
