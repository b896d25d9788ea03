/** The sentences of the page, those of lists and records among them: only their screens load these.
 * To add a language: a file beside en/records.mjs, and its line here. */

import { en } from "./en/records.mjs";
import { texts as others } from "./texts.mjs";

/** @type {Record<string, typeof en>} */
const LANGUAGES = { en };

/** What the page says. */
export const texts = { ...others, ...LANGUAGES[others.language] };
