/** The names on the map: never smaller than can be read, each where it covers neither another one nor a
 * location. A name for which there is no room is hidden until the map is closer. */

const LEAST = 9; // pixels: the smallest size of a name on the screen
const EDGE = 24; // how far a name may stand beyond the map's edge, in the map's units
const GAP = 3; // between a name and what is next to it, in the map's units

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

export class Labels {
  /** @param {SVGGElement} root the group of names, as drawing.mjs makes it @param {any} layout
   * @param {{ x: number, y: number, width: number, height: number }} home what the whole map shows */
  constructor(root, layout, home) {
    this.root = root;
    this.layout = layout;
    this.home = { left: home.x - EDGE, top: home.y - EDGE, right: home.x + home.width + EDGE, bottom: home.y + home.height + EDGE };
    this.size = 0;
    /** How wide each name is, for a size of 1. @type {number[]} */
    this.wide = [];
    /** The locations whose names come first. @type {Set<string>} */
    this.first = new Set();
    /** @type {Box[]} */
    this.spots = layout.locations.map((/** @type {any} */ { x, y }) => around(x, y, 2 * layout.spot, 2 * layout.spot));
  }

  /** Place all names for a scale: pixels for a unit of the map. @param {number} scale */
  fit(scale) {
    const size = Math.max(this.layout.font, LEAST / scale);
    if (size === this.size || !this.root.isConnected) return;
    this.size = size;
    this.root.setAttribute("font-size", String(size));
    if (!this.wide.length) this.wide = [...this.root.children].map((text) => widest(text) / size);
    const isGrown = size > this.layout.font;
    /** @type {Box[]} */
    const taken = [];
    const names = this.layout.locations.map((/** @type {any} */ one, /** @type {number} */ at) => ({ ...one,
      text: this.root.children[at], wide: this.wide[at] * size }));
    const places = names.toSorted((/** @type {any} */ one, /** @type {any} */ other) =>
      Number(this.first.has(other.id)) - Number(this.first.has(one.id)))
      .map((/** @type {any} */ one) => ({ one, ways: this.ways(one, size) }));
    for (const { one: { id, text }, ways } of places) {
      const isFree = (/** @type {Box} */ box) => inside(box, this.home) && !taken.some((other) => meet(box, other))
        && !this.spots.some((spot) => meet(box, spot));
      const box = ways.find(isFree) ?? (isGrown && !this.first.has(id) ? null : ways[0]);
      if (box) taken.push(box);
      text.setAttribute("display", box ? "inline" : "none");
      if (box) this.put(text, box, size);
    }
  }

  /** Where a name may stand, the best place first: where the layout has it, then on any side.
   * @param {any} name @param {number} size @returns {Box[]} */
  ways({ x, y, name, wide }, size) {
    const grown = size / this.layout.font;
    const leading = name.leading * grown;
    const high = leading * (name.lines.length - 1) + size;
    const far = this.layout.spot + GAP;
    const middle = name.y + (name.leading * (name.lines.length - 1) - this.layout.font * 0.7) / 2; // of the layout's
    const sideways = name.x < x - 20 ? x - far - wide / 2 : name.x > x + 20 ? x + far + wide / 2 : name.x;
    const aside = Math.abs(middle - y) < far ? sideways : name.x + (name.x - x) * (grown - 1);
    return [around(aside, y + (middle - y) * (Math.abs(middle - y) < far ? 1 : grown), wide, high),
      around(x + far + wide / 2, y, wide, high), around(x - far - wide / 2, y, wide, high),
      around(x, y + far + high / 2, wide, high), around(x, y - far - high / 2, wide, high)];
  }

  /** @param {Element} text @param {Box} box @param {number} size */
  put(text, { left, top, right }, size) {
    [...text.children].forEach((line, at) => {
      const leading = this.layout.locations[0].name.leading * size / this.layout.font;
      line.setAttribute("x", ((left + right) / 2).toFixed(1));
      line.setAttribute("y", (top + size * 0.85 + at * leading).toFixed(1));
    });
  }
}

/** The length of the longest line of a name. @param {Element} text */
const widest = (text) => Math.max(...[...text.children].map((line) => (
  /** @type {SVGTSpanElement} */ (line).getComputedTextLength())));

/** @param {number} x @param {number} y @param {number} wide @param {number} high @returns {Box} */
const around = (x, y, wide, high) => ({ left: x - wide / 2, right: x + wide / 2, top: y - high / 2, bottom: y + high / 2 });

/** @param {Box} one @param {Box} other */
const meet = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** @param {Box} one @param {Box} other */
const inside = (one, other) => one.left >= other.left && one.right <= other.right && one.top >= other.top && one.bottom <= other.bottom;
