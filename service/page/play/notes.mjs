/** Notes over the map: hints, refusals, the plan of a ticket. It lies at the map's foot or wherever it hides neither
 * the ends of what it speaks of nor a button, and moves nothing else. */

import { render } from "../vendor/lit-html/lit-html.js";

const GAP = 8; // pixels to the edges of the map
const STEPS = 12; // places tried in each direction

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

export class Notes {
  /** @param {GameMap} map */
  constructor(map) {
    this.map = map;
    this.root = document.createElement("div");
    this.root.className = "notes";
    map.root.append(this.root);
    /** The locations that must stay in sight. @type {string[]} */
    this.ends = [];
    this._place = () => this.#place();
    map.addEventListener("move", this._place);
    this._sizes = new ResizeObserver(this._place);
    this._sizes.observe(this.root);
  }

  /** Show the content, and keep some locations in sight. @param {unknown} content @param {string[]} ends */
  show(content, ends) {
    this.ends = ends;
    render(content, this.root);
    this.#place();
  }

  /** Choose the place where least is hidden, of these the one nearest to the middle of the map's foot. */
  #place() {
    const { root, map } = this;
    const [wide, high] = [root.offsetWidth, root.offsetHeight];
    if (!high) return;
    const frame = map.root.getBoundingClientRect();
    const within = (/** @type {Element} */ one) => {
      const { left, top, right, bottom } = one.getBoundingClientRect();
      return {
        left: left - frame.left,
        top: top - frame.top,
        right: right - frame.left,
        bottom: bottom - frame.top,
      };
    };
    const places = [...map.root.querySelectorAll("[data-location]")].map(within);
    const avoided = [
      ...map.buttons(),
      ...this.ends.flatMap((id) =>
        [
          ...map.root.querySelectorAll(
            `[data-location="${CSS.escape(id)}"], [data-name="${CSS.escape(id)}"]`,
          ),
        ].map(within),
      ),
    ];
    const bottom = Math.min(frame.height, innerHeight - frame.top) - GAP - high; // the map's foot may be out of sight
    const along = (/** @type {number} */ most) =>
      Array.from({ length: STEPS + 1 }, (_, i) => GAP + (Math.max(0, most - GAP) * i) / STEPS);
    let [least, best] = [Infinity, [GAP, GAP]];
    for (const left of along(frame.width - GAP - wide)) {
      for (const top of along(bottom)) {
        const hidden = avoided.reduce(
          (sum, box) => sum + shared(box, { left, top, right: left + wide, bottom: top + high }),
          0,
        );
        const cost =
          hidden * 1e4 +
          80 *
            places.filter((box) =>
              shared(box, { left, top, right: left + wide, bottom: top + high }),
            ).length +
          2 * (bottom - top) +
          Math.abs(left + wide / 2 - frame.width / 2);
        if (cost < least) [least, best] = [cost, [left, top]];
      }
    }
    root.style.setProperty("left", `${best[0]}px`);
    root.style.setProperty("top", `${best[1]}px`);
  }

  close() {
    this.map.removeEventListener("move", this._place);
    this._sizes.disconnect();
    this.root.remove();
  }
}

/** The area that two boxes share. @param {Box} one @param {Box} other */
const shared = (one, other) =>
  Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left)) *
  Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));
