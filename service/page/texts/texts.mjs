/** The sentences of the page, in the language that the service chose for the reader: it is named by the
 * document, and is the file of that name in this folder. */

const language = globalThis.document?.documentElement.lang || "en";

/** @type {typeof import("./en.mjs") & { language: string }} */
export const texts = { language, ...(await import(`./${language}.mjs`)) };
