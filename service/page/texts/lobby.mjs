/** The sentences of the page, those of the lobby and of accounts among them, which are loaded where
 * they are said. To add a language: a file beside en/lobby.mjs, and its line here. */

import { en } from "./en/lobby.mjs";
import { texts as others } from "./texts.mjs";

/** @type {Record<string, typeof en>} */
const LANGUAGES = { en };

/** What the page says. */
export const texts = { ...others, ...LANGUAGES[others.language] };
