/** A small panel over the map, next to the route or place that it is about: never out of sight, and where there
 * is room neither over that route nor over the map's buttons, as a panel that comes under the pointer of somebody
 * who zooms would be clicked. */

import { render } from "../vendor/lit-html/lit-html.js";

const GAP = 4; // pixels to the edges, and around the route
const STEPS = 30; // places tried in each direction

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

export class Panel {
  /** @param {import("../map/map.mjs").GameMap} map */
  constructor(map) {
    this.map = map;
    this.root = document.createElement("div");
    this.root.className = "panel";
    this.root.hidden = true;
    map.root.append(this.root);
    /** @type {import("../map/hits.mjs").Where | null} */
    this._where = null;
    /** What had the focus before. @type {Element | null} */
    this._before = null;
    this._place = () => this.#place();
    map.addEventListener("move", this._place);
    this._sizes = new ResizeObserver(this._place);
    this._sizes.observe(this.root);
    addEventListener("resize", this._place);
  }

  /** Show the content next to a route or place; null hides the panel.
   * @param {import("../map/hits.mjs").Where | null} where @param {any} content */
  show(where, content) {
    if (where && !this._where) this._before = document.activeElement;
    const hadFocus = this.root.contains(document.activeElement);
    this._where = where;
    this.root.hidden = !where;
    this.map.root.classList.toggle("asks", Boolean(where)); // instead of the hint
    render(content, this.root);
    if (where) this.#place();
    else if (hadFocus && this._before instanceof HTMLElement && this._before.isConnected) {
      this._before.focus({ preventScroll: true });
    }
  }

  /** Place the panel where it covers least of the route and the buttons, else as near to it as possible. */
  #place() {
    if (!this._where) return;
    const [wide, high] = [this.root.offsetWidth, this.root.offsetHeight];
    const { style } = this.root;
    const room = this.#room(wide, high);
    const boxes = this.map.boxesOf(this._where);
    const avoided = [...boxes, ...this.map.buttons()];
    const middle = boxes[boxes.length >> 1];
    const [x, y] = [(middle.left + middle.right) / 2, (middle.top + middle.bottom) / 2];
    const along = (/** @type {number} */ from, /** @type {number} */ to) => Array.from({ length: STEPS + 1 },
      (_, i) => from + Math.max(0, to - from) * i / STEPS);
    let [least, best] = [Infinity, { left: room.left, top: room.top }];
    for (const left of along(room.left, room.right - wide)) {
      for (const top of along(room.top, room.bottom - high)) {
        const covered = avoided.reduce((sum, box) => sum + shared(box, { left, top, right: left + wide, bottom: top + high }), 0);
        const far = Math.hypot(Math.max(left - x, 0, x - left - wide), Math.max(top - y, 0, y - top - high))
          + Math.hypot(left + wide / 2 - x, top + high / 2 - y) / 100;
        if (covered * 1e6 + far < least) [least, best] = [covered * 1e6 + far, { left, top }];
      }
    }
    style.setProperty("left", `${best.left}px`);
    style.setProperty("top", `${best.top}px`);
  }

  /** The part of the map that is in sight; all of it where that is too little. @param {number} wide
   * @param {number} high @returns {Box} */
  #room(wide, high) {
    const box = this.map.root.getBoundingClientRect();
    const all = { left: GAP, top: GAP, right: box.width - GAP, bottom: box.height - GAP };
    const seen = { left: Math.max(all.left, GAP - box.left), top: Math.max(all.top, GAP - box.top),
      right: Math.min(all.right, innerWidth - GAP - box.left), bottom: Math.min(all.bottom, innerHeight - GAP - box.top) };
    return seen.right - seen.left < wide || seen.bottom - seen.top < high ? all : seen;
  }

  /** Stop: release listeners. */
  close() {
    this.map.removeEventListener("move", this._place);
    removeEventListener("resize", this._place);
    this._sizes.disconnect();
    this.map.root.classList.remove("asks");
    this.root.remove();
  }
}

/** The area that two boxes share, the first widened by a gap. @param {Box} one @param {Box} other */
const shared = (one, other) => Math.max(0, Math.min(one.right + GAP, other.right) - Math.max(one.left - GAP, other.left))
  * Math.max(0, Math.min(one.bottom + GAP, other.bottom) - Math.max(one.top - GAP, other.top));
