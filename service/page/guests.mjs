/** Names for guests. Loaded when an account is created, with its texts. */

import { texts } from "./texts/texts.mjs";

const any = () => Math.floor(1e6 * Math.random());

/** A random name, so that two guests in a game have different ones. */
export const guestName = () => texts.guests.name(any(), any());
