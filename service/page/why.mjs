/** Says what went wrong, in words. */

/** @param {unknown} error */
export const why = (error) => (error instanceof Error ? error.message : String(error));
