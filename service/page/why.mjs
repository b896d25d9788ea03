/** Parts of forms: choices, requests under way, errors in a sentence. */

import { html } from "./vendor/lit-html/lit-html.js";

/** The words of an error, to be part of a sentence. @param {unknown} error */
export const wordsOf = (error) => (error instanceof Error ? error.message : String(error));

/** The API's words begin with a small letter and end without a full stop. @param {unknown} error */
export function why(error) {
  const words = wordsOf(error);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?…]$/.test(words) ? "" : "."}`;
}

/** Do one thing for a part of the page, unless it does another; show that it does, and in the end an error.
 * @param {{ isBusy: boolean, problem: string }} part @param {() => unknown} draw @param {() => Promise<unknown>} what */
export async function doing(part, draw, what) {
  if (part.isBusy) return;
  Object.assign(part, { isBusy: true, problem: "" });
  draw();
  try {
    await what();
  } catch (error) {
    part.problem = why(error);
  }
  part.isBusy = false;
  draw();
}

/** A choice with its label. @param {unknown} label @param {string | undefined} chosen @param {Iterable<string[]>} choices values, and
 * what they are called @param {(value: string) => void} choose */
export const select = (label, chosen, choices, choose) =>
  html`<label
    >${label}
    <select @change=${(/** @type {any} */ { target }) => choose(target.value)}>
      ${[...choices].map(
        ([value, said]) =>
          html`<option value=${value} .selected=${value === chosen}>${said}</option>`,
      )}
    </select></label
  >`;
