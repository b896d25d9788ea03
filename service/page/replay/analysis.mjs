/** The analysis of a finished game (GET /v1/games/ID/analysis): asked for by the first viewer, shown in the
 * plot and below the controls. */

import { html, nothing, render, svg } from "../vendor/lit-html/lit-html.js";
import { client, signedIn } from "../account.mjs";
import { declared, readers } from "../declared.mjs";
import { seatPaint } from "../marks.mjs";
import { number, percent } from "../records/words.mjs";
import { texts } from "../texts/texts.mjs";
import { why } from "../why.mjs";
import { own } from "../fold/own.mjs";

const PAUSE = 2000; // milliseconds between two looks at the progress
const HEIGHT = 160; // pixels of the curve

/** @typedef {import("fogg-api").components["schemas"]["Analysis"]} Job
 * @typedef {import("fogg-api").components["schemas"]["JudgedDecision"]} Judged */

export class Analysis {
  /** @param {HTMLElement} root @param {import("./bar.mjs").ReplayBar} bar */
  constructor(root, bar) {
    this.root = root;
    this.bar = bar;
    /** @type {Job | null} */
    this.job = null;
    this.problem = "";
    this.isOpen = false;
    this.pausing = 0;
  }

  /** Show the analysis, or hide it. */
  toggle() {
    this.isOpen = !this.isOpen;
    if (this.isOpen && this.job?.status !== "done") void this.look(true);
    this.draw();
  }

  /** Read the analysis, again and again until it is made. @param {boolean} asks whether to ask for one */
  async look(asks) {
    clearTimeout(this.pausing);
    const path = `/v1/games/${this.bar.table.id}/analysis`;
    try {
      this.problem = "";
      this.job = await client.get(path).catch((error) => {
        if (!asks || error.code !== "unknown-analysis") throw error;
      }) ?? null;
      if (asks && (!this.job || this.job.status === "failed")) {
        await signedIn();
        this.job = await client.post(path);
      }
    } catch (error) {
      this.problem = why(error);
    }
    const isUnderWay = this.job?.status === "queued" || this.job?.status === "running";
    if (this.isOpen && isUnderWay && !this.problem) this.pausing = setTimeout(() => this.look(false), PAUSE);
    this.draw();
  }

  /** Redraw, the plot too. */
  draw() {
    this.bar.plot.show(this.isOpen && this.job?.status === "done" ? () => this.curve() : null);
    this.update();
  }

  /** Redraw after a change of the table. */
  update() {
    render(this.isOpen ? this.template() : nothing, this.root);
  }

  /** The costliest moves, each with its seat. @returns {[number, number[]][]} */
  get costliest() {
    return Object.entries(this.job?.costliest ?? {}).map(([seat, versions]) => [Number(seat), versions]);
  }

  /** The chances of winning, in place of the scores. @returns {import("./plot.mjs").Drawn} */
  curve() {
    const { decisions = [], turning_point: turn } = /** @type {Job} */ (this.job);
    const { version } = this.bar.table;
    const lines = this.costliest.map(([seat]) => {
      const points = decisions.filter((row) => row.seat === seat && row.win !== undefined)
        .map(({ version, win = 0 }) => /** @type {import("../chart.mjs").Point} */ ([version, win]));
      return [...points, /** @type {import("../chart.mjs").Point} */ ([version, points.at(-1)?.[1] ?? 0])];
    });
    return { label: texts.analysis.curve, height: HEIGHT, up: { from: 0, to: 1 }, grid: [0, 0.5, 1], lines,
      ends: lines.map((points) => points.at(-1)?.[1] ?? 0), words: percent, over: (frame) => svg`
        ${typeof turn === "number" ? frame.upright("turning", turn) : nothing}
        ${this.costliest.map(([seat, versions]) => versions.map((version) => svg`<path class="costly" d="M-5 0h10l-5 8z"
          fill=${seatPaint(seat)} transform="translate(${frame.x(version).toFixed(1)})"><title>${this.cost(version)}. ${
            this.wordsAt(version)}</title></path>`))}` };
  }

  /** What is shown below the controls. */
  template() {
    const { analysis } = texts;
    return html`<section aria-label=${analysis.title}>
      <p class="problem" role="alert">${this.problem}</p>
      ${!this.job ? nothing : this.job.status === "failed" ? html`<p>${analysis.failed}</p>`
        : this.job.status === "done" ? this.result() : html`<label>${analysis[this.job.status]}
          <progress max="1" value=${this.job.progress}></progress></label>`}</section>`;
  }

  /** The whole analysis: the shown entry, the turning point, the costliest moves. */
  result() {
    const { bar } = this;
    const { analysis } = texts;
    const turn = this.job?.turning_point;
    return html`<p role="status">${this.wordsAt(bar.version)}</p>
      <div class="parts">${typeof turn === "number" ? this.jump(turn, analysis.turn(turn)) : nothing}
        ${this.costliest.map(([seat, versions]) => html`<span>${analysis.costliest(bar.name(seat))} ${
          versions.length ? versions.map((version) => this.jump(version, this.cost(version))) : analysis.none}</span>`)}</div>
      <p class="faint">${analysis.legend} <a href="/docs/analysis.md">${analysis.more}</a></p>`;
  }

  /** A button that shows an entry. @param {number} version @param {string} words */
  jump(version, words) {
    return html`<button @click=${() => this.bar.table.show(version)}>${words}</button> `;
  }

  /** A costly move in words. @param {number} version */
  cost(version) {
    const row = this.job?.decisions.find((one) => one.version === version);
    return texts.analysis.cost(version, number(row?.cost ?? 0, 1));
  }

  /** The decision of an entry in words. @param {number} version */
  wordsAt(version) {
    const row = this.job?.decisions.find((one) => one.version === version);
    return row ? this.words(row) : texts.analysis.nothing;
  }

  /** A judged decision in words. @param {Judged} row */
  words({ seat, played, best, cost, interval, win }) {
    const { analysis } = texts;
    const isSame = JSON.stringify(played) === JSON.stringify(best);
    const sentences = [isSame ? analysis.same(this.bar.name(seat)) : analysis.other(this.action(best))];
    if (!isSame && cost !== undefined && interval) {
      sentences.push(analysis.costs(number(cost, 1), number(interval[0], 1), number(interval[1], 1)));
    }
    if (win !== undefined) sentences.push(analysis.chance(this.bar.name(seat), percent(win)));
    return sentences.join(" ");
  }

  /** An action in words. Those that only some boards have are named as in the API, unless the board declares
   * a sentence. @param {Record<string, any>} action */
  action({ type, ...members }) {
    const { board } = this.bar.table;
    const { actions } = texts.analysis;
    const said = declared(board, "actions", type, members);
    if (said) return said;
    const read = readers(board);
    if (type === "keep_tickets") return actions.keep(members.tickets.map((/** @type {string} */ id) => read.route(id)));
    if (type === "draw_card") return members.card ? actions.draw(read.card(members.card)) : actions.deck;
    if (type === "draw_tickets") return actions.tickets;
    if (type === "claim_route") return actions.claim(read.route(members.route), read.cards(members.cards));
    return [type.replaceAll("_", " "), ...Object.entries(members).map(([name, value]) => (
      own(read, name) ?? read.other)(value))].join(" ");
  }

  /** Stop: release the timer. */
  close() {
    this.isOpen = false;
    clearTimeout(this.pausing);
  }
}
