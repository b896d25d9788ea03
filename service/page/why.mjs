/** Says what went wrong, in a sentence. */

/** The API's words begin with a small letter and end without a full stop. @param {unknown} error */
export function why(error) {
  const words = error instanceof Error ? error.message : String(error);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?…]$/.test(words) ? "" : "."}`;
}
