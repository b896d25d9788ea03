/** Downloads of files, including files that only the stored account may see. A link cannot carry its
 * token, so the page fetches the file and then saves it. */

import { client } from "./account.mjs";
import { Problem } from "./client.mjs";

const GONE = 10_000; // milliseconds after which a browser has read the file

/** The address of a file of the page, also where all modules are in one. @param {string} name */
export const addressOf = (name) => new URL(name, import.meta.url).href;

/** Copy a text; where that is not allowed, as on a page without https, select the field that has it. Return whether
 * it was copied. @param {string} text @param {HTMLInputElement | null} field */
export async function copy(text, field) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    field?.select();
    return false;
  }
}

/** Fetch a file; throw a Problem on errors. @param {string} path */
export async function file(path) {
  const answer = await client.fetch(new Request(path));
  if (!answer.ok) throw new Problem(answer.status, await answer.json().catch(() => ({})));
  return answer;
}

/** Fetch the lines of a file. @param {string} path */
export const linesOf = async (path) => (await (await file(path)).text()).trim().split("\n");

/** Save a blob as a download. @param {Blob} content @param {string} name */
export function save(content, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), GONE);
}
