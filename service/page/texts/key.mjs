/** The sentences of the page, those of the key to the map among them, which loads these.
 * To add a language: a file beside en/key.mjs, and its line here. */

import { en } from "./en/key.mjs";
import { texts as others } from "./texts.mjs";

/** @type {Record<string, typeof en>} */
const LANGUAGES = { en };

/** What the page says. */
export const texts = { ...others, ...LANGUAGES[others.language] };
