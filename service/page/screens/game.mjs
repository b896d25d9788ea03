/** A game: the shared parts of at_table.mjs, the hand and the log. */

import { Log } from "../log/log.mjs";
import { openGame } from "./at_table.mjs";
import { Tray } from "../play/tray.mjs";

/** @param {HTMLElement} root @param {Address} address */
export const open = (root, address) =>
  openGame(root, address, ({ at, table, map }) => [
    new Tray(at("tray"), table, map, address),
    new Log(at("log"), table),
  ]);
