/** A board in little. */

import { little } from "./drawing.mjs";

/** A small picture of a board, and of what is claimed on it. @param {any} _board
 * @param {any} layout @param {any} [view] */
export const mini = (_board, layout, view) => little(layout, view);
