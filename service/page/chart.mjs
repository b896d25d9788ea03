/** Our own charts as SVG: scales, axes, lines and bands over time, and bars and intervals for the cells
 * of tables. The numbers of a bar are also in its cell, so screen readers skip the drawing. */

import { html, nothing, svg } from "./vendor/lit-html/lit-html.js";

/** A scale: its ends, and the number of parts of its axis.
 * @typedef {{ from: number, to: number, parts?: number }} Scale
 * A point of a line: its place across, and its value. @typedef {[number, number]} Point */

/** A scale that holds all values, with a round number at either end.
 * @param {number[]} values @param {number} [least] how far it goes at least */
export function scale(values, least = 1) {
  const from = Math.min(0, ...values);
  const to = Math.max(least, ...values);
  const step = stepOf(to - from, 3);
  return { from: step * Math.floor(from / step), to: step * Math.ceil(to / step) };
}

/** A round step that cuts a stretch into about so many parts. @param {number} stretch @param {number} parts */
function stepOf(stretch, parts) {
  const rough = stretch / parts;
  const ten = 10 ** Math.floor(Math.log10(rough));
  return ten * (rough / ten < 1.5 ? 1 : rough / ten < 3.5 ? 2 : rough / ten < 7.5 ? 5 : 10);
}

/** Where the marks of an axis are. @param {Scale} scale */
export function marks({ from, to, parts = 2 }) {
  const step = stepOf(to - from, parts);
  const first = Math.ceil(from / step - 1e-9);
  const places = Array.from(
    { length: Math.floor(to / step + 1e-9) - first + 1 },
    (_, index) => (first + index) * step,
  );
  return places.length > 1 ? places : [...new Set([from, 0, to])]; // a single mark shows no length
}

/** Where a value lies on a scale, from 0 to 1. @param {Scale} scale @param {number} value */
const share = ({ from, to }, value) =>
  (Math.min(to, Math.max(from, value)) - from) / (to - from || 1);

/** The room of a chart over time. All lengths are pixels. */
export class Frame {
  /** @param {number} width @param {number} height @param {number[]} edges top, right, bottom, left
   * @param {Scale} across @param {Scale} up */
  constructor(width, height, [top, right, bottom, left], across, up) {
    this.across = across;
    this.up = up;
    this.box = { left, top, right: Math.max(left + 1, width - right), bottom: height - bottom };
  }

  /** @param {number} value */
  x(value) {
    return this.box.left + (this.box.right - this.box.left) * share(this.across, value);
  }

  /** @param {number} value */
  y(value) {
    return this.box.bottom - (this.box.bottom - this.box.top) * share(this.up, value);
  }

  /** The whole number across that is pointed at. @param {PointerEvent} event on an element as wide as the chart */
  at({ clientX, currentTarget }) {
    const { from, to } = this.across;
    const { left, right } = this.box;
    const at =
      (clientX - /** @type {Element} */ (currentTarget).getBoundingClientRect().left - left) /
      (right - left);
    return Math.round(from + Math.min(1, Math.max(0, at)) * (to - from));
  }

  /** The path of a line; a stepped one keeps a value until the next point. @param {Point[]} points @param {boolean} [isStepped] */
  line(points, isStepped) {
    return points
      .map(([across, value], i) => {
        const [x, y] = [this.x(across).toFixed(1), this.y(value).toFixed(1)];
        return i && isStepped ? `H${x}V${y}` : `${i ? "L" : "M"}${x} ${y}`;
      })
      .join("");
  }

  /** The path around a band. @param {Point[]} low @param {Point[]} high */
  band(low, high) {
    return `${this.line(high)}${this.line(low.toReversed()).replace("M", "L")}Z`;
  }

  /** Lines from side to side, with words at their left ends. @param {number[]} values @param {(value: number) => string} [words] */
  grid(values, words) {
    const { left, right } = this.box;
    return values.map(
      (value) => svg`<line class=${value ? "grid" : "grid zero"} x1=${left} x2=${right}
      y1=${this.y(value)} y2=${this.y(value)} />${
        words
          ? svg`<text x=${left - 6} y=${this.y(value) + 4}
        text-anchor="end">${words(value)}</text>`
          : nothing
      }`,
    );
  }

  /** A line from top to bottom. @param {string} kind its class @param {number} at */
  upright(kind, at) {
    return svg`<line class=${kind} x1=${this.x(at)} x2=${this.x(at)} y1=${this.box.top} y2=${this.box.bottom} />`;
  }
}

/** @param {Scale} scale @param {number} value */
const at = (scale, value) => `${(100 * share(scale, value)).toFixed(2)}%`;

/** The axis of a column of bars, and what they are of.
 * @param {Scale} scale @param {(value: number) => string} words @param {string} label */
export const axis = (scale, words, label) =>
  html`<span class="hidden-text">${label}</span
    ><svg class="scale" aria-hidden="true" height="18">
      ${marks(scale).map(
        (mark) => svg`<text x=${at(scale, mark)} y="13"
    text-anchor=${mark === scale.from ? "start" : mark === scale.to ? "end" : "middle"}>${words(mark)}</text>`,
      )}
    </svg>`;

/** The lines of an axis behind a bar. @param {Scale} scale */
const lines = (scale) =>
  marks(scale).map(
    (mark) => svg`<line class=${mark ? "grid" : "grid zero"}
  x1=${at(scale, mark)} x2=${at(scale, mark)} y1="0" y2="20" />`,
  );

/** A bar from zero. @param {Scale} scale @param {number} value */
export const bar = (scale, value) =>
  html`<svg class="bar-of" aria-hidden="true" height="20">
    ${lines(scale)}
    <rect
      class="value"
      y="4"
      height="12"
      rx="2"
      x=${at(scale, Math.min(0, value))}
      width=${`${((100 * Math.abs(value)) / (scale.to - scale.from)).toFixed(2)}%`}
    />
  </svg>`;

/** An interval and, as a dot, what is likeliest in it.
 * @param {Scale} scale @param {number} low @param {number} middle @param {number} high */
export const interval = (scale, low, middle, high) =>
  html`<svg class="bar-of" aria-hidden="true" height="20">
    ${lines(scale)}
    <line class="interval" x1=${at(scale, low)} x2=${at(scale, high)} y1="10" y2="10" />
    ${[low, high].map((end) => svg`<line class="end" x1=${at(scale, end)} x2=${at(scale, end)} y1="5" y2="15" />`)}
    <circle class="middle" cx=${at(scale, middle)} cy="10" r="4.5" />
  </svg>`;

/** Parts of a whole side by side: won solid, drawn hatched, lost empty.
 * @param {number} won @param {number} drawn @param {number} lost */
export function shares(won, drawn, lost) {
  const all = { from: 0, to: Math.max(1, won + drawn + lost) };
  const [one, two] = [at(all, won), at(all, won + drawn)];
  return html`<svg class="bar-of" aria-hidden="true" height="20">
    <rect class="lost" x="0" y="3" width="100%" height="14" />
    <rect class="won" x="0" y="3" width=${one} height="14" />
    <line class="shared" x1=${one} x2=${two} y1="10" y2="10" />
    <rect class="frame" x="0" y="3" width="100%" height="14" />
  </svg>`;
}
