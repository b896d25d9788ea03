/** The names of seats as plain text; names.mjs has the same as markup. This module needs no
 * document. */

import { texts } from "./texts/texts.mjs";

/** The name of the player on a seat; the seat's name if it is empty. @param {{ seats: any[] }} view
 * @param {number} seat @returns {string} */
export const nameOn = ({ seats }, seat) => seats[seat]?.player?.name ?? texts.app.seat(seat);
