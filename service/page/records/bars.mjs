/** Bars and intervals for table cells; a column shares one scale and has an axis in its heading.
 * The numbers are also in the cells, so screen readers skip the drawings. */

import { html, svg } from "../vendor/lit-html/lit-html.js";

/** A scale: its ends, and the number of parts of its axis.
 * @typedef {{ from: number, to: number, parts?: number }} Scale */

/** A scale that holds all values, with a round number at either end.
 * @param {number[]} values @param {number} [least] how far it goes at least */
export function scale(values, least = 1) {
  const from = Math.min(0, ...values);
  const to = Math.max(least, ...values);
  const step = step_of(to - from, 3);
  return { from: step * Math.floor(from / step), to: step * Math.ceil(to / step) };
}

/** A round step that cuts a stretch into about so many parts. @param {number} stretch @param {number} parts */
export function step_of(stretch, parts) {
  const rough = stretch / parts;
  const ten = 10 ** Math.floor(Math.log10(rough));
  return ten * (rough / ten < 1.5 ? 1 : rough / ten < 3.5 ? 2 : rough / ten < 7.5 ? 5 : 10);
}

/** Where the marks of an axis are. @param {Scale} scale */
export function marks({ from, to, parts = 2 }) {
  const step = step_of(to - from, parts);
  const first = Math.ceil(from / step - 1e-9);
  const places = Array.from({ length: Math.floor(to / step + 1e-9) - first + 1 },
    (_, index) => (first + index) * step);
  return places.length > 1 ? places : [...new Set([from, 0, to])]; // a single mark shows no length
}

/** @param {Scale} scale @param {number} value */
const at = ({ from, to }, value) => `${(100 * (Math.min(to, Math.max(from, value)) - from) / (to - from)).toFixed(2)}%`;

/** The axis of a column of bars, and what they are of.
 * @param {Scale} scale @param {(value: number) => string} words @param {string} label */
export const axis = (scale, words, label) => html`<span class="hidden-text">${label}</span><svg class="scale" aria-hidden="true" height="18">${
  marks(scale).map((mark) => svg`<text x=${at(scale, mark)} y="13"
    text-anchor=${mark === scale.from ? "start" : mark === scale.to ? "end" : "middle"}>${words(mark)}</text>`)}</svg>`;

/** The lines of an axis behind a bar. @param {Scale} scale */
const lines = (scale) => marks(scale).map((mark) => svg`<line class=${mark === 0 ? "zero" : "mark"}
  x1=${at(scale, mark)} x2=${at(scale, mark)} y1="0" y2="20" />`);

/** A bar from zero. @param {Scale} scale @param {number} value */
export const bar = (scale, value) => html`<svg class="bar-of" aria-hidden="true" height="20">${lines(scale)}
  <rect class="value" y="4" height="12" rx="2" x=${at(scale, Math.min(0, value))}
    width=${`${(100 * Math.abs(value) / (scale.to - scale.from)).toFixed(2)}%`} /></svg>`;

/** An interval and, as a dot, what is likeliest in it.
 * @param {Scale} scale @param {number} low @param {number} middle @param {number} high */
export const interval = (scale, low, middle, high) => html`<svg class="bar-of" aria-hidden="true" height="20">
  ${lines(scale)}
  <line class="interval" x1=${at(scale, low)} x2=${at(scale, high)} y1="10" y2="10" />
  ${[low, high].map((end) => svg`<line class="end" x1=${at(scale, end)} x2=${at(scale, end)} y1="5" y2="15" />`)}
  <circle class="middle" cx=${at(scale, middle)} cy="10" r="4.5" /></svg>`;

/** Parts of a whole side by side: won solid, drawn hatched, lost empty.
 * @param {number} won @param {number} drawn @param {number} lost */
export function shares(won, drawn, lost) {
  const all = Math.max(1, won + drawn + lost);
  const [one, two] = [100 * won / all, 100 * drawn / all];
  return html`<svg class="bar-of" aria-hidden="true" height="20">
    <rect class="lost" x="0" y="3" width="100%" height="14" />
    <rect class="won" x="0" y="3" width=${`${one}%`} height="14" />
    <line class="shared" x1=${`${one}%`} x2=${`${one + two}%`} y1="10" y2="10" />
    <rect class="frame" x="0" y="3" width="100%" height="14" /></svg>`;
}
