/** A game in a frame of somebody else's page. */

import "../replay/bar.mjs"; // which is always shown here: loaded with the screen
import { openGame } from "./at_table.mjs";

/** @param {HTMLElement} root @param {Address} address */
export const open = (root, address) => openGame(root, address, () => [], true);
