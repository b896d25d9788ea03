/** Actions in words, as a player would say what to do. */

import { declared, readers } from "../declared.mjs";
import { own } from "../own.mjs";
import { texts } from "../texts/texts.mjs";

/** An action in words, without its cards if they are left out. Actions that only some boards have are named as in
 * the API, unless the board declares a sentence. @param {any} board @param {Record<string, any>} action */
export function moveWords(board, { type, ...members }) {
  const { actions } = texts.analysis;
  const said = declared(board, "actions", type, members);
  if (said) return said;
  const read = readers(board);
  if (type === "keep_tickets") return actions.keep(members.tickets.map((/** @type {string} */ id) => read.route(id)));
  if (type === "draw_card") return members.card ? actions.draw(read.card(members.card)) : actions.deck;
  if (type === "draw_tickets") return actions.tickets;
  if (type === "claim_route") return actions.claim(read.route(members.route), members.cards && read.cards(members.cards));
  return [type.replaceAll("_", " "), ...Object.entries(members).map(([name, value]) => (
    own(read, name) ?? read.other)(value))].join(" ");
}
