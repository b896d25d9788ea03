/** The chart of a whole game, a line for each seat: the scores, or what the analysis shows in their place.
 * A click shows the game at that version; the slider below does the same by keyboard. */

import { html, nothing, render, svg } from "../vendor/lit-html/lit-html.js";
import { Frame } from "../chart.mjs";
import { isolated } from "../declared.mjs";
import { badgeAt, seatDash, seatPaint } from "../marks.mjs";
import { nameOn } from "../seats.mjs";
import { texts } from "../texts/texts.mjs";

const LAST = "final_turns_began";
const EDGES = [10, 72, 10, 8]; // pixels: top, right, bottom, left; the last is half of the slider's thumb

/** What is drawn: lines of seats, the value at the end of each, and more over or under them.
 * @typedef {{ label: string, height: number, up: ChartScale, grid: number[],
 *   lines: ChartPoint[][], ends: number[], isStepped?: boolean,
 *   words: (value: number) => string, over: (frame: Frame) => unknown }} Drawn */

export class GamePlot {
  /** @param {HTMLElement} root @param {Table} table
   * @param {import("./jumps.mjs").Jumps} jumps what happened where */
  constructor(root, table, jumps) {
    this.root = root;
    this.table = table;
    this.jumps = jumps;
    this.drawn = "";
    this.shows = () => this.scores();
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

  /** Draw something in place of the scores; null draws them again. @param {(() => Drawn) | null} shows */
  show(shows) {
    this.shows = shows ?? (() => this.scores());
    this.drawn = "";
    this.update();
  }

  /** Show the version that is pointed at. @param {PointerEvent} event */
  point(event) {
    this.table.show(this.frame(1, { from: 0, to: 1 }).at(event));
  }

  /** The room of a chart. @param {number} height @param {Drawn["up"]} up */
  frame(height, up) {
    return new Frame(this.width, height, EDGES, { from: 1, to: this.table.version }, up);
  }

  /** Redraw after a change: the lines once, the mark of the shown version each time. */
  update() {
    if (!this.width) return;
    const { table } = this;
    const drawn = `${this.width} ${table.version} ${table.isOver} ${table.isCounting} ${table.isWhole}`;
    if (drawn !== this.drawn) this.draw();
    this.drawn = drawn;
    const x = this.frame(1, { from: 0, to: 1 })
      .x(table.shown ?? table.version)
      .toFixed(1);
    this.root.querySelector(".now")?.setAttribute("transform", `translate(${x})`);
  }

  draw() {
    const { label, height, up, grid, lines, ends, isStepped, words, over } = this.shows();
    const frame = this.frame(height, up);
    const { right } = frame.box;
    const places = spread(
      ends.map((value) => frame.y(value)),
      height,
    );
    render(
      html`<svg role="img" aria-label=${label} width=${this.width} height=${height}>
        ${frame.grid(grid)}
        ${lines.map(
          (points, seat) => svg`<path class="score" d=${frame.line(points, isStepped)}
        stroke=${seatPaint(seat)} stroke-dasharray=${seatDash(seat)}></path>
        <line class="score" x1=${right} x2=${right + 8} y1=${frame.y(points.at(-1)?.[1] ?? 0)} y2=${places[seat]}
          stroke=${seatPaint(seat)}></line>
        <g transform="translate(${right + 12} ${places[seat]})">${badgeAt(7, 0, 6, seat)}<text x="18" y="4">${words(
          ends[seat],
        )}</text></g>`,
        )}
        ${over(frame)}
        <g class="now"><line y1="0" y2=${height}></line></g>
      </svg>`,
      this.root,
    );
  }

  /** The scores of all seats, and at the end their totals. @returns {Drawn} */
  scores() {
    const { table } = this;
    const { seats } = table.now;
    const lines = seats.map((_, /** @type {number} */ seat) => this.points(seat));
    const ends = seats.map(
      ({ result, score }) => (table.isCounting ? undefined : result?.total) ?? score ?? 0,
    );
    const all = [...lines.flat().map(([, score]) => score), ...ends];
    const up = { from: Math.min(0, ...all), to: Math.max(10, ...all) };
    const names = seats.map((_, /** @type {number} */ seat) =>
      texts.replay.score(isolated(nameOn({ seats }, seat)), ends[seat]),
    );
    return {
      label: texts.replay.scored(names.join(", ")),
      height: 76,
      up,
      grid: [up.from, Math.round(up.to / 2), up.to],
      lines,
      ends,
      isStepped: true,
      words: String,
      over: (frame) => this.marks(frame),
    };
  }

  /** Marks above the slider: where routes were claimed and tickets kept, and where the last turns began.
   * @param {Frame} frame */
  marks(frame) {
    const { entries } = this.table;
    const of = (/** @type {string} */ kind, /** @type {number} */ height) =>
      (this.jumps.byKind.get(kind) ?? []).map(
        (version) =>
          svg`<line class="mark ${kind}" x1=${frame.x(version)} x2=${frame.x(version)} y1=${76 - height} y2="76"
        stroke=${seatPaint(entries[version - 1]?.seat ?? 0)}></line>`,
      );
    const last = entries.find(({ events }) => events.some(({ type }) => type === LAST))?.version;
    return svg`${of("claims", 6)}${of("tickets", 11)}${last === undefined ? nothing : frame.upright("mark last", last)}`;
  }

  /** Where a seat's score changed, and to what. @param {number} seat @returns {ChartPoint[]} */
  points(seat) {
    const { table } = this;
    const first = table.isWhole ? 1 : table.version;
    /** @type {ChartPoint[]} */ const steps = [[first, 0]];
    for (let version = first; version <= table.version; version++) {
      const score = table.at(version).seats[seat]?.score ?? 0;
      if (score !== steps.at(-1)?.[1] || version === table.version) steps.push([version, score]);
    }
    return steps;
  }

  close() {
    this.watching.disconnect();
  }
}

/** Heights moved apart, so that none lies on another. @param {number[]} heights @param {number} most */
const spread = (heights, most) => {
  const placed = [...heights];
  const order = heights.map((_, seat) => seat).sort((one, other) => heights[one] - heights[other]);
  order.forEach((seat, i) => {
    const lowest = most - 8 - 14 * (order.length - 1 - i); // the others need room below it
    placed[seat] = Math.max(i ? placed[order[i - 1]] + 14 : 8, Math.min(heights[seat], lowest));
  });
  return placed;
};
