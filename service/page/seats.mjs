/** What those are called who sit in a game, as text: names.mjs has the same as markup. It needs no
 * document. */

import { texts } from "./texts/texts.mjs";

/** The name of who sits on a seat, or the seat's. @param {{ seats: any[] }} view @param {number} seat @returns {string} */
export const nameOn = ({ seats }, seat) => seats[seat]?.player?.name ?? texts.app.seat(seat);
