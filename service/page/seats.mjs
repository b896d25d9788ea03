/** The names of seats as plain text; names.mjs has the same as markup. This module needs no
 * document. */

import { texts } from "./texts/texts.mjs";

/** The name of the player on a seat; the seat's name if it is empty. If others have the same name, such as two bots
 * of a kind, the seat's number follows. @param {{ seats: any[] }} view @param {number} seat @returns {string} */
export const nameOn = ({ seats }, seat) => {
  const name = seats[seat]?.player?.name;
  const isAlone = seats.filter(({ player }) => player?.name === name).length < 2;
  return name === undefined
    ? texts.app.seat(seat)
    : isAlone
      ? name
      : texts.app.namesake(name, seat);
};
