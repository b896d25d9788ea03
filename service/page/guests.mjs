/** Names for guests. Loaded when an account is created, with its texts. */

import { texts } from "./texts/texts.mjs";

const any = () => Math.floor(1e6 * Math.random());

/** A name by which two guests of a game are told apart. */
export const guestName = () => texts.guests.name(any(), any());
