/** A line with a band around it, as SVG. The pointer or the arrow keys select a point, and its text
 * is shown. */

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { marks, scale } from "./bars.mjs";
import { number } from "./words.mjs";
import { own } from "../own.mjs";

/** A point: the band's ends, the line's height, a second line's, and what it is in words.
 * @typedef {{ low: number, middle: number, high: number, second: number, words: string }} Point */

const EDGE = { left: 40, right: 12, top: 12, bottom: 40 };

export class Plot {
  /** @param {() => void} draw called when another point is selected */
  constructor(draw) {
    this.draw = draw;
    /** The index of the selected point; null before the first. @type {number | null} */
    this.at = null;
  }

  /** @param {Point[]} points two at least
   * @param {{ label: string, across: string, up: string, first: number, hint: string, width: number }} what
   * titles; `first` numbers the points */
  show(points, { label, across, up, first, hint, width }) {
    const height = Math.min(320, Math.max(220, width * 0.4));
    const reach = scale(points.flatMap((point) => [point.low, point.high, point.second]), 10);
    const inner = { wide: width - EDGE.left - EDGE.right, high: height - EDGE.top - EDGE.bottom };
    const x = (/** @type {number} */ index) => EDGE.left
      + inner.wide * index / (points.length - 1);
    const y = (/** @type {number} */ value) => EDGE.top
      + inner.high * (reach.to - value) / (reach.to - reach.from);
    const at = Math.min(this.at ?? points.length - 1, points.length - 1);
    const told = this.at === null ? null : points[at];
    return html`<div class="curve">
      <svg viewBox="0 0 ${width} ${height}" width=${width} height=${height} tabindex="0" role="slider"
        aria-label=${label} aria-valuemin=${first} aria-valuemax=${first + points.length - 1}
        aria-valuenow=${first + at} aria-valuetext=${points[at].words}
        @keydown=${(/** @type {KeyboardEvent} */ event) => this.walk(event, at, points.length)}
        @pointermove=${(/** @type {PointerEvent} */ event) => this.point(event, width, inner.wide, points.length)}
        @pointerdown=${(/** @type {PointerEvent} */ event) => this.point(event, width, inner.wide, points.length)}
        @focus=${() => this.tell(at)}>
        ${marks({ ...reach, parts: 4 }).map((mark) => svg`
          <line class=${mark === 0 ? "zero" : "mark"} x1=${EDGE.left} x2=${width - EDGE.right} y1=${y(mark)} y2=${y(mark)} />
          <text x=${EDGE.left - 6} y=${y(mark) + 4} text-anchor="end">${number(mark)}</text>`)}
        ${numbers(points.length, first).map(([index, words]) => svg`
          <text x=${x(index)} y=${height - 22} text-anchor="middle">${words}</text>`)}
        <text class="of" x=${EDGE.left + inner.wide / 2} y=${height - 5} text-anchor="middle">${across}</text>
        <text class="of" transform="translate(11 ${EDGE.top + inner.high / 2}) rotate(-90)" text-anchor="middle">${up}</text>
        <path class="band" d=${band(points, x, y)} />
        <path class="line" d=${line(points.map((point) => point.middle), x, y)} />
        <path class="second" d=${line(points.map((point) => point.second), x, y)} />
        ${told ? svg`<line class="here" x1=${x(at)} x2=${x(at)} y1=${EDGE.top} y2=${EDGE.top + inner.high} />
          <circle class="dot" cx=${x(at)} cy=${y(told.middle)} r="4.5" />
          <rect class="dot" x=${x(at) - 4} y=${y(told.second) - 4} width="8" height="8" />` : nothing}
      </svg>
      <p class="told">${told?.words ?? html`<span class="faint">${hint}</span>`}</p></div>`;
  }

  /** @param {number} at */
  tell(at) {
    if (at === this.at) return;
    this.at = at;
    this.draw();
  }

  /** @param {PointerEvent} event @param {number} width @param {number} wide @param {number} count */
  point(event, width, wide, count) {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const share = ((event.clientX - box.left) * width / box.width - EDGE.left) / wide;
    this.tell(Math.round(Math.min(1, Math.max(0, share)) * (count - 1)));
  }

  /** @param {KeyboardEvent} event @param {number} at @param {number} count */
  walk(event, at, count) {
    const far = Math.max(1, Math.round(count / 10));
    const to = own({ ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1,
      PageDown: at - far, PageUp: at + far, Home: 0, End: count - 1 }, event.key);
    if (to === undefined) return;
    event.preventDefault();
    this.tell(Math.min(count - 1, Math.max(0, to)));
  }
}

/** @typedef {(value: number) => number} Place */

/** @param {number[]} values @param {Place} x @param {Place} y */
const line = (values, x, y) => values.map((value, index) =>
  `${index ? "L" : "M"}${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join("");

/** @param {Point[]} points @param {Place} x @param {Place} y */
function band(points, x, y) {
  const back = points.map((point, index) => `L${x(index).toFixed(1)} ${y(point.low).toFixed(1)}`);
  return `${line(points.map((point) => point.high), x, y)}${back.reverse().join("")}Z`;
}

/** Which points are numbered below. @param {number} count @param {number} first @returns {[number, number][]} */
const numbers = (count, first) => marks({ from: first, to: first + count - 1, parts: 6 })
  .filter(Number.isInteger).map((mark) => [mark - first, mark]);
