/** The tickets of the viewer, in the tray and on the map; also when the game is over. */

import { own, read } from "./tickets.mjs";
import { texts } from "../texts/texts.mjs";
import { word } from "./cards.mjs";

/** The viewer's tickets, as a template. Null if there are none, or if the first ones are being chosen
 * and need the room. @param {Tray} tray */
export function owned(tray) {
  const {
    table,
    state: { pinned },
  } = tray;
  const { board, view } = table;
  const tickets = view.you?.tickets;
  if (!tickets || (!tickets.length && table.isLatest && view.you?.offered)) return null;
  return own({
    tickets: tickets.map((id) => read(table, view, id)),
    title: texts.play.tickets,
    train: word(board, "train"),
    pinned,
    point: (pointed) => tray.send({ type: "point", pointed }),
    pin: (id) => {
      visit(tray, pinned === id ? null : id);
      tray.send({ type: "pin", id });
    },
  });
}

/** On a phone, show the ends of a ticket; of none, what was shown before. @param {Tray} tray @param {string | null} id */
export function visit({ table, map }, id) {
  const ticket = table.board.tickets.find((/** @type {any} */ one) => one.id === id);
  map.visit(ticket ? [ticket.a, ticket.b] : null);
}

/** Add the lights of the ticket that is pointed at, or else of the pinned and the picked ones.
 * @param {Tray} tray @param {{ routes: Map<string, string>, locations: Map<string, string> }} lights */
export function lightTickets({ table, state: { pointed, pinned, picked } }, { routes, locations }) {
  for (const id of pointed ? [pointed] : [...(pinned ? [pinned] : []), ...picked]) {
    const { a, b, way, state } = read(table, table.view, id);
    for (const place of [a, b]) locations.set(place, state === "missed" ? "missed" : "wanted");
    for (const route of way?.all ?? [])
      routes.set(route, way?.routes.includes(route) ? "wanted" : "done");
  }
}
