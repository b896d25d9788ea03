/** The sentences of the page in the reader's language. To add one: a file beside en.mjs, and its
 * line here. */

import { en } from "./en.mjs";

/** @type {Record<string, typeof en>} */
const LANGUAGES = { en };
const language = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in LANGUAGES);

/** What the page says. */
export const texts = LANGUAGES[language ?? "en"];
