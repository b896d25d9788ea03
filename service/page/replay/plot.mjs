/** The scores of all seats over time. A click shows the game at that version; the slider below does
 * the same by keyboard. */

import { html, nothing, render, svg } from "../vendor/lit-html/lit-html.js";
import { isolated } from "../declared.mjs";
import { badgeAt, seatDash, seatPaint } from "../marks.mjs";
import { nameOn } from "../seats.mjs";
import { texts } from "../texts/texts.mjs";

const LAST = "final_turns_began";
export const HEIGHT = 76; // pixels
const [EDGE, END] = [8, 56]; // pixels; EDGE is half of the slider's thumb

export class ScorePlot {
  /** @param {HTMLElement} root @param {import("../table.mjs").Table} table
   * @param {import("./jumps.mjs").Jumps} jumps what happened where */
  constructor(root, table, jumps) {
    this.root = root;
    this.table = table;
    this.jumps = jumps;
    this.drawn = "";
    /** @type {(() => import("../vendor/lit-html/lit-html.js").SVGTemplateResult) | null} */
    this.over = null;
    this.width = 0;
    this.watching = new ResizeObserver(([{ contentRect }]) => {
      this.width = Math.round(contentRect.width);
      this.update();
    });
    this.watching.observe(root);
    root.addEventListener("pointerdown", (event) => {
      root.setPointerCapture(event.pointerId);
      this.point(event);
    });
    root.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) this.point(event);
    });
  }

  /** Draw something over the lines, or no longer. @param {ScorePlot["over"]} over */
  show(over) {
    this.over = over;
    this.drawn = "";
    this.update();
  }

  /** Show the version that is pointed at. @param {PointerEvent} event */
  point(event) {
    const at = (event.clientX - this.root.getBoundingClientRect().left - EDGE) / this.room;
    this.table.show(Math.round(1 + Math.min(1, Math.max(0, at)) * (this.table.version - 1)));
  }

  /** How wide the lines are. */
  get room() {
    return Math.max(1, this.width - EDGE - END);
  }

  /** @param {number} version */
  x(version) {
    return EDGE + this.room * (version - 1) / Math.max(1, this.table.version - 1);
  }

  /** Redraw after a change: the lines once, the mark of the shown version each time. */
  update() {
    if (!this.width) return;
    const { table } = this;
    const drawn = `${this.width} ${table.version} ${table.isOver} ${table.isCounting} ${table.isWhole}`;
    if (drawn !== this.drawn) this.draw();
    this.drawn = drawn;
    const x = this.x(table.shown ?? table.version).toFixed(1);
    this.root.querySelector(".now")?.setAttribute("transform", `translate(${x})`);
  }

  /** Draw the lines. */
  draw() {
    const { table } = this;
    const { seats } = table.now;
    const scores = seats.map((_, /** @type {number} */ seat) => this.scores(seat));
    const totals = seats.map(({ result, score }) => (table.isCounting ? undefined : result?.total) ?? score ?? 0);
    const all = [...scores.flat().map(([, score]) => score), ...totals];
    const [least, most] = [Math.min(0, ...all), Math.max(10, ...all)];
    const y = (/** @type {number} */ score) => (
      HEIGHT - 10 - (HEIGHT - 20) * (score - least) / (most - least));
    const ends = spread(totals.map(y));
    const names = seats.map((_, /** @type {number} */ seat) => texts.replay.score(isolated(nameOn({ seats }, seat)), totals[seat]));
    render(html`<svg role="img" aria-label=${texts.replay.scored(names.join(", "))}
        width=${this.width} height=${HEIGHT} viewBox="0 0 ${this.width} ${HEIGHT}">
      ${[least, Math.round(most / 2), most].map((score) => svg`<line class="grid" x1=${EDGE}
        x2=${EDGE + this.room} y1=${y(score)} y2=${y(score)}></line>`)}
      ${seats.map((_, /** @type {number} */ seat) => svg`<path class="score" d=${this.path(scores[seat], y)}
        stroke=${seatPaint(seat)} stroke-dasharray=${seatDash(seat)}></path>
        ${table.isOver ? svg`<line class="score" x1=${EDGE + this.room} x2=${EDGE + this.room + 8}
          y1=${y(scores[seat].at(-1)?.[1] ?? 0)} y2=${ends[seat]} stroke=${seatPaint(seat)}></line>` : nothing}
        <g transform="translate(${EDGE + this.room + 12} ${ends[seat]})">
          ${badgeAt(7, 0, 6, seat)}<text x="18" y="4">${totals[seat]}</text></g>`)}
      ${this.marks()}${this.over?.() ?? nothing}
      <g class="now"><line y1="0" y2=${HEIGHT}></line></g></svg>`, this.root);
  }

  /** Marks above the slider: where routes were claimed and tickets kept, and where the last turns began. */
  marks() {
    const { entries } = this.table;
    const of = (/** @type {string} */ kind, /** @type {number} */ height) => (this.jumps.byKind.get(kind) ?? []).map((version) => (
      svg`<line class="mark ${kind}" x1=${this.x(version)} x2=${this.x(version)} y1=${HEIGHT - height} y2=${HEIGHT}
        stroke=${seatPaint(entries[version - 1]?.seat ?? 0)}></line>`));
    const last = entries.find(({ events }) => events.some(({ type }) => type === LAST))?.version;
    return svg`${of("claims", 6)}${of("tickets", 11)}${last === undefined ? nothing : svg`
      <line class="mark last" x1=${this.x(last)} x2=${this.x(last)} y1="0" y2=${HEIGHT}></line>`}`;
  }

  /** Where a seat's score changed, and to what. @param {number} seat @returns {[number, number][]} */
  scores(seat) {
    const { table } = this;
    /** @type {[number, number][]} */ const steps = [];
    for (let version = table.isWhole ? 1 : table.version; version <= table.version; version++) {
      const score = table.at(version).seats[seat]?.score ?? 0;
      if (score !== steps.at(-1)?.[1]) steps.push([version, score]);
    }
    return steps;
  }

  /** @param {[number, number][]} scores @param {(score: number) => number} y */
  path(scores, y) {
    const steps = scores.map(([version, score]) => `H${this.x(version).toFixed(1)}V${y(score).toFixed(1)}`);
    return `M${EDGE} ${y(0).toFixed(1)}${steps.join("")}H${EDGE + this.room}`;
  }

  /** Stop: release listeners and timers. */
  close() {
    this.watching.disconnect();
  }
}

/** Heights moved apart, so that none lies on another. @param {number[]} heights */
const spread = (heights) => {
  const order = heights.map((_, seat) => seat).sort((one, other) => heights[one] - heights[other]);
  const placed = [...heights];
  order.forEach((seat, i) => {
    if (i) placed[seat] = Math.max(placed[seat], placed[order[i - 1]] + 14);
  });
  const over = Math.max(0, placed[order.at(-1) ?? 0] - (HEIGHT - 8));
  order.toReversed().forEach((seat, i) => {
    const above = i ? placed[order.at(-i) ?? 0] - 14 : HEIGHT - 8;
    if (over) placed[seat] = Math.min(placed[seat], above);
  });
  return placed;
};
