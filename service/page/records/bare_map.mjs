/** A board's map with nothing on it. */

import { GameMap } from "../map/map.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { percent } from "./words.mjs";
import { texts } from "../texts/texts.mjs";

const NOTHING = { version: 0, status: "lobby", seats: [], claims: [], stations: [], deciding: [] };

export class BareMap {
  /** @param {HTMLElement} root @param {API["Board"]} board @param {API["Layout"]} layout
   * @param {API["BoardStatistics"]} statistics */
  constructor(root, board, layout, statistics) {
    root.style.aspectRatio = `${layout.width} / ${layout.height}`;
    // A page is read on by wheel and finger; the map is zoomed by its buttons, or with Ctrl.
    root.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) event.stopPropagation();
    }, { capture: true });
    const claimed = new Map(statistics.routes.map((row) => [row.route, row.share]));
    this.map = new GameMap(root, /** @type {any} */ ({ board, layout, view: NOTHING }));
    this.map.info = (route) => (statistics.games
      ? html`<span>${texts.boards.claimedIn(percent(claimed.get(route.id) ?? 0))}</span>` : nothing);
    this.map.addEventListener("choose", (event) => {
      const { location } = /** @type {CustomEvent} */ (event).detail;
      if (location) this.onChoose(location);
    });
    this.map.update();
  }

  /** Called with the location that is chosen. @param {string} _location */
  onChoose(_location) {}

  /** Light up a route, or the ends of a ticket; null: nothing.
   * @param {{ id: string, a: string, b: string, length?: number } | null} row */
  light(row) {
    this.map.light(!row ? {} : row.length ? { routes: new Map([[row.id, "chosen"]]) }
      : { locations: new Map([[row.a, "chosen"], [row.b, "chosen"]]) });
  }

  close() {
    this.map.close();
  }
}
