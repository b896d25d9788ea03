/** Describes an error in a sentence. */

/** The words of an error, to be part of a sentence. @param {unknown} error */
export const wordsOf = (error) => (error instanceof Error ? error.message : String(error));

/** The API's words begin with a small letter and end without a full stop. @param {unknown} error */
export function why(error) {
  const words = wordsOf(error);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?…]$/.test(words) ? "" : "."}`;
}
