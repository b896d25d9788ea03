/** A game: what every screen of it shows, one's hand, and what happened. */

import { Log } from "../log/log.mjs";
import { openGame } from "./at_table.mjs";
import { Tray } from "../play/tray.mjs";

/** @param {HTMLElement} root @param {import("../app.mjs").Address} address */
export const open = (root, address) => openGame(root, address, ({ at, table, map }) => [
  new Tray(at("tray"), table, map, address), new Log(at("log"), table, map)]);
