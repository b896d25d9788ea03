/** The names on the map: never smaller than can be read, each where it covers neither another one nor a
 * location, and as little of the tracks as can be. A name for which the whole map has no room is hidden until
 * the map is closer. */

const LEAST = 9; // pixels: the smallest size of a name on the screen
const EDGE = 4; // how far a name may stand beyond the map's edge, in the map's units
const GAP = 3; // between a name and what is next to it, in the map's units
const CORNER = 0.6; // of the distance to either side, where a name stands at a corner
const FARTHER = 12; // where all nearer places hide a track, in the map's units
const LOW = 0.15; // of the size: the part of a line above and below most letters
const STEP = 4; // between the points of a track that a name may hide, in the map's units

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box
 * @typedef {Box & { points: { x: number, y: number }[] }} Track */

export class Labels {
  /** @param {SVGGElement} root the group of names, as drawing.mjs makes it @param {any} layout
   * @param {{ x: number, y: number, width: number, height: number }} home what the whole map shows */
  constructor(root, layout, home) {
    this.root = root;
    this.layout = layout;
    this.home = {
      left: home.x - EDGE,
      top: home.y - EDGE,
      right: home.x + home.width + EDGE,
      bottom: home.y + home.height + EDGE,
    };
    this.size = 0;
    /** What names keep off besides: buttons. @type {Box[]} */
    this.covered = [];
    /** How wide each name is, for a size of 1. @type {number[]} */
    this.wide = [];
    /** Where the names stand that are shown. @type {Map<any, Box>} */
    this.boxes = new Map();
    /** The locations whose names come first. @type {Set<string>} */
    this.first = new Set();
    /** @type {Track[]} */
    this.tracks = layout.routes.flatMap((/** @type {any} */ { spaces }) => spaces.map(track));
    /** @type {Box[]} */
    this.spots = layout.locations.map((/** @type {any} */ { x, y }) =>
      around(x, y, 2 * layout.spot, 2 * layout.spot),
    );
  }

  /** Place all names for a scale: pixels for a unit of the map. @param {number} scale
   * @param {Box[]} [covered] by buttons, in the map's units @param {boolean} [isCloser] whether a part of the map is
   * shown: then none is hidden */
  fit(scale, covered = [], isCloser = false) {
    const size = Math.max(this.layout.font, LEAST / scale);
    const isSame =
      size === this.size &&
      covered.length === this.covered.length &&
      covered.every(
        (one, at) => one.left === this.covered[at].left && one.top === this.covered[at].top,
      );
    if (isSame || !this.root.isConnected) return;
    this.size = size;
    this.covered = covered;
    this.root.setAttribute("font-size", String(size));
    if (!this.wide.length) this.wide = [...this.root.children].map((text) => widest(text) / size);
    const isGrown = size > this.layout.font;
    this.boxes.clear();
    /** @type {Box[]} */ const taken = [];
    const names = this.layout.locations.map((/** @type {any} */ one, /** @type {number} */ at) => ({
      ...one,
      text: this.root.children[at],
      wide: this.wide[at] * size,
    }));
    const places = names
      .toSorted(
        (/** @type {any} */ one, /** @type {any} */ other) =>
          Number(this.first.has(other.id)) - Number(this.first.has(one.id)),
      )
      .map((/** @type {any} */ one) => ({ one, ways: this.ways(one, size) }));
    for (const { one, ways } of places) {
      const { id, text } = one;
      const isFree = (/** @type {Box} */ box) =>
        inside(box, this.home) &&
        !taken.some((other) => meet(box, other)) &&
        ![...this.spots, ...covered].some((other) => meet(box, other));
      const box =
        this.clearest(ways.filter(isFree), size) ??
        (isGrown && !isCloser && !this.first.has(id)
          ? null
          : (ways.find((/** @type {Box} */ way) => !taken.some((other) => meet(way, other))) ??
            ways[0]));
      if (box) taken.push(box);
      text.setAttribute("display", box ? "inline" : "none");
      if (box) this.put(text, box, size);
      if (box) this.boxes.set(one, box);
    }
  }

  /** Move names that the window's edge would cut off to another side of their location, if there is room. @param {Box} view in the map's units */
  settle(view) {
    for (const [one, box] of this.boxes) {
      if (inside(box, view) || !inside(around(one.x, one.y, 0, 0), view)) continue;
      const others = [...this.boxes].filter(([other]) => other !== one).map(([, taken]) => taken);
      const better = this.clearest(
        this.ways(one, this.size).filter(
          (way) =>
            inside(way, view) &&
            inside(way, this.home) &&
            ![...others, ...this.spots, ...this.covered].some((other) => meet(way, other)),
        ),
        this.size,
      );
      if (!better) continue;
      this.boxes.set(one, better);
      this.put(one.text, better, this.size);
    }
  }

  /** The place that hides least of the tracks, the first of several. @param {Box[]} ways @param {number} size */
  clearest(ways, size) {
    let [best, least] = [/** @type {Box | undefined} */ (undefined), Infinity];
    for (const way of ways) {
      const letters = { ...way, top: way.top + LOW * size, bottom: way.bottom - LOW * size };
      const hidden = this.tracks.reduce(
        (sum, one) =>
          sum +
          (meet(one, letters)
            ? one.points.filter(
                ({ x, y }) =>
                  x > letters.left && x < letters.right && y > letters.top && y < letters.bottom,
              ).length
            : 0),
        0,
      );
      if (hidden < least) [best, least] = [way, hidden];
      if (!least) break;
    }
    return best;
  }

  /** The possible places of a name, best first: that of the layout, then the sides, then the corners.
   * @param {any} name @param {number} size @returns {Box[]} */
  ways({ x, y, name, wide }, size) {
    const grown = size / this.layout.font;
    const leading = name.leading * grown;
    const high = leading * (name.lines.length - 1) + size;
    const far = this.layout.spot + GAP;
    const middle = name.y + (name.leading * (name.lines.length - 1) - this.layout.font * 0.7) / 2; // of the layout's
    const sideways =
      name.x < x - 20 ? x - far - wide / 2 : name.x > x + 20 ? x + far + wide / 2 : name.x;
    const aside = Math.abs(middle - y) < far ? sideways : name.x + (name.x - x) * (grown - 1);
    const [beside, below] = [far + wide / 2, far + high / 2];
    const [nearX, nearY] = [CORNER * far + wide / 2, CORNER * far + high / 2];
    const kept = name.x - x + (Math.sign(name.x - x) * (wide - wide / grown)) / 2; // as far away as the layout has it
    return [
      around(aside, y + (middle - y) * (Math.abs(middle - y) < far ? 1 : grown), wide, high),
      ...[
        [kept, middle - y],
        [beside, 0],
        [-beside, 0],
        [0, below],
        [0, -below],
        [nearX, nearY],
        [nearX, -nearY],
        [-nearX, nearY],
        [-nearX, -nearY],
        ...[-high / 2, high / 2].flatMap((dy) => [
          [beside, dy],
          [-beside, dy],
        ]),
        ...[-wide / 4, wide / 4].flatMap((dx) => [
          [dx, below],
          [dx, -below],
        ]),
        ...[-high / 2, high / 2].flatMap((dy) => [
          [beside + FARTHER, dy],
          [-beside - FARTHER, dy],
        ]),
        ...[-wide / 2, wide / 2].flatMap((dx) => [
          [dx, below],
          [dx, -below],
        ]),
      ].map(([dx, dy]) => around(x + dx, y + dy, wide, high)),
    ];
  }

  /** @param {Element} text @param {Box} box @param {number} size */
  put(text, { left, top, right }, size) {
    [...text.children].forEach((line, at) => {
      const leading = (this.layout.locations[0].name.leading * size) / this.layout.font;
      line.setAttribute("x", ((left + right) / 2).toFixed(1));
      line.setAttribute("y", (top + size * 0.85 + at * leading).toFixed(1));
    });
  }
}

/** The length of the longest line of a name. @param {Element} text */
const widest = (text) =>
  Math.max(
    ...[...text.children].map((line) =>
      /** @type {SVGTSpanElement} */ (line).getComputedTextLength(),
    ),
  );

/** @param {number} x @param {number} y @param {number} wide @param {number} high @returns {Box} */
const around = (x, y, wide, high) => ({
  left: x - wide / 2,
  right: x + wide / 2,
  top: y - high / 2,
  bottom: y + high / 2,
});

/** @param {Box} one @param {Box} other */
const meet = (one, other) =>
  one.left < other.right &&
  other.left < one.right &&
  one.top < other.bottom &&
  other.top < one.bottom;

/** Points all over a space of a track, and the box around them. @param {Space} space
 * @returns {Track} */
const track = ({ x, y, angle, length, width }) => {
  const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  const [wide, high] = [
    Math.abs(length * cos) + Math.abs(width * sin),
    Math.abs(length * sin) + Math.abs(width * cos),
  ];
  const points = [];
  for (let u = -length / 2; u <= length / 2; u += STEP) {
    for (let v = -width / 2; v <= width / 2; v += STEP)
      points.push({ x: x + u * cos - v * sin, y: y + u * sin + v * cos });
  }
  return { ...around(x, y, wide, high), points };
};

/** @param {Box} one @param {Box} other */
const inside = (one, other) =>
  one.left >= other.left &&
  one.right <= other.right &&
  one.top >= other.top &&
  one.bottom <= other.bottom;
