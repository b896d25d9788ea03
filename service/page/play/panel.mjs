/** A small panel over the map, next to the route or place that it is about: never out of sight, and where there
 * is room neither over that route nor over the map's buttons, as a panel that comes under the pointer of somebody
 * who zooms would be clicked. If the room beside the route is too low for all choices, the panel scrolls. */

import { render } from "../vendor/lit-html/lit-html.js";

const GAP = 4; // pixels to the edges, and around the route
const STEPS = 30; // places tried in each direction
const LOWEST = 100; // pixels: its title and a row of choices
const LOWER = 10; // pixels from one height tried to the next

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

  /** Place the panel where it covers nothing of the route and the buttons, as high as that allows; else in its
   * full height where it covers least of them. */
  #place() {
    if (!this._where) return;
    const { root, root: { style } } = this;
    const boxes = this.map.boxesOf(this._where);
    const avoided = [...boxes, ...this.map.buttons()];
    const whole = root.scrollHeight + root.offsetHeight - root.clientHeight;
    const most = Math.min(whole, this.map.root.clientHeight - 2 * GAP);
    const first = this.#placed(root.offsetWidth, most, boxes, avoided);
    let [high, place] = [most, first];
    while (place.covered && high > LOWEST) {
      high = Math.max(LOWEST, high - LOWER);
      place = this.#placed(root.offsetWidth, high, boxes, avoided);
    }
    if (place.covered) [high, place] = [most, first];
    style.setProperty("max-height", high < whole ? `${high}px` : "");
    style.setProperty("left", `${place.left}px`);
    style.setProperty("top", `${place.top}px`);
  }

  /** Where a panel of a size covers least of what it should avoid, among these places the nearest to the route,
   * and the area that it covers there. @param {number} wide @param {number} high
   * @param {Box[]} boxes of the route or place @param {Box[]} avoided */
  #placed(wide, high, boxes, avoided) {
    const room = this.#room(wide, high);
    const middle = boxes[boxes.length >> 1];
    const [x, y] = [(middle.left + middle.right) / 2, (middle.top + middle.bottom) / 2];
    const along = (/** @type {number} */ from, /** @type {number} */ to) => Array.from({ length: STEPS + 1 },
      (_, i) => from + Math.max(0, to - from) * i / STEPS);
    let [least, best] = [Infinity, { left: room.left, top: room.top, covered: 0 }];
    for (const left of along(room.left, room.right - wide)) {
      for (const top of along(room.top, room.bottom - high)) {
        const covered = avoided.reduce((sum, box) => sum + shared(box, { left, top, right: left + wide, bottom: top + high }), 0);
        const far = Math.hypot(Math.max(left - x, 0, x - left - wide), Math.max(top - y, 0, y - top - high))
          + Math.hypot(left + wide / 2 - x, top + high / 2 - y) / 100;
        if (covered * 1e6 + far < least) [least, best] = [covered * 1e6 + far, { left, top, covered }];
      }
    }
    return best;
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
