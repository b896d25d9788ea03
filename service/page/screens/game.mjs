/** A game: the shared parts of at_table.mjs, the hand and the log; for newcomers the first lesson. */

import { Log } from "../log/log.mjs";
import { newcomers } from "../screens.mjs";
import { openGame } from "./at_table.mjs";
import { settings } from "../settings.mjs";
import { Tray } from "../play/tray.mjs";
import { withPart } from "../waiting.mjs";

/** @typedef {import("./at_table.mjs").Part} Part */

/** @param {HTMLElement} root @param {import("../app.mjs").Address} address */
export const open = (root, address) => openGame(root, address, ({ at, table, map }) => [
  new Tray(at("tray"), table, map, address), new Log(at("log"), table, map), ...lesson(table, map)]);

/** The lesson, once it is loaded. @param {import("../table.mjs").Table} table
 * @param {import("../map/map.mjs").GameMap} map @returns {Part[]} */
function lesson(table, map) {
  const { coached, taught } = settings();
  if (!coached || taught || table.board.id !== newcomers || table.seat === null) return [];
  let isOpen = true;
  /** @type {Part | undefined} */ let part;
  void withPart(({ Lesson }) => {
    if (isOpen) part = new Lesson(table, map);
  }, () => import("../play/lesson.mjs"), ["lesson"]);
  return [{ update: () => part?.update(), close: () => {
    isOpen = false;
    part?.close();
  } }];
}
