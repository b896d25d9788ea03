/** The analysis of a finished game (GET /v1/games/ID/analysis): asked for by the first viewer. It shows everybody's
 * chances of winning as a curve in place of the scores, marks costly moves there and in the log, and draws the better
 * move on the map. */

import { html, nothing, render, svg } from "../vendor/lit-html/lit-html.js";
import { client, signedIn } from "../account.mjs";
import { declared, readers } from "../declared.mjs";
import { own } from "../own.mjs";
import { byId, line } from "../map/drawing.mjs";
import { Learning } from "./learning.mjs";
import { face } from "../play/cards.mjs";
import { number, percent } from "../records/words.mjs";
import { seatBadge, seatPaint } from "../marks.mjs";
import { texts } from "../texts/texts.mjs";
import { why } from "../why.mjs";

const { analysis } = texts;
const PAUSE = 2000; // milliseconds between two looks at the progress
const HEIGHT = 180; // pixels of the curve
const RING = 15; // radius of a ghost around a location, in the map's units

/** What is said of moves that certainly cost so many points at least: the sign, and its words. docs/analysis.md
 * tells them. @type {[number, "inaccuracy" | "mistake" | "blunder", string][]} */
const MARKS = [
  [20, "blunder", "??"],
  [10, "mistake", "?"],
  [4, "inaccuracy", "?!"],
];

/** @typedef {API["Analysis"]} Job
 * @typedef {API["JudgedDecision"]} Judged */

/** A certain cost in points, or 0. @param {Judged} row */
const costOf = ({ cost = 0, interval = [0, 0] }) => (interval[0] >= 0.05 ? cost : 0); // less is shown as 0.0

/** The mark of a move, if it has one. @param {Judged} row */
const markOf = (row) => MARKS.find(([least]) => costOf(row) >= least);

export class Analysis {
  /** @param {HTMLElement} root @param {import("./bar.mjs").ReplayBar} bar */
  constructor(root, bar) {
    this.root = root;
    this.bar = bar;
    /** @type {Job | null} */ this.job = null;
    /** The judged decisions by version. @type {Map<number, Judged>} */
    this.rows = new Map();
    /** Those with marks. @type {Judged[]} */
    this.marked = [];
    this.problem = "";
    this.isOpen = false;
    this.pausing = 0;
    /** @type {Learning | null} */ this.learning = null;
    const { map } = bar;
    this.game = /** @type {HTMLElement} */ (root.closest(".game"));
    this.ghost = document.createElementNS("http://www.w3.org/2000/svg", "path");
    this.ghost.setAttribute("class", "ghost");
    map.root.querySelector(".chart > .over")?.after(this.ghost);
    this.onChoose = (/** @type {any} */ { detail }) => this.learning?.choose(detail);
    map.addEventListener("choose", this.onChoose);
  }

  /** Whether all is judged and shown. */
  get isShown() {
    return this.isOpen && this.job?.status === "done";
  }

  toggle() {
    this.isOpen = !this.isOpen;
    this.learning = null;
    if (this.isOpen && this.job?.status !== "done") void this.look(true);
    this.draw();
  }

  /** Read the analysis, again and again until it is made. @param {boolean} asks whether to ask for one */
  async look(asks) {
    clearTimeout(this.pausing);
    const path = `/v1/games/${this.bar.table.id}/analysis`;
    try {
      this.problem = "";
      this.job =
        (await client.get(path).catch((error) => {
          if (!asks || error.code !== "unknown-analysis") throw error;
        })) ?? null;
      if (asks && (!this.job || this.job.status === "failed")) {
        await signedIn();
        this.job = await client.post(path);
      }
    } catch (error) {
      this.problem = why(error);
    }
    this.rows = new Map(this.job?.decisions.map((row) => [row.version, row]));
    this.marked = this.job?.decisions.filter(markOf) ?? [];
    const isUnderWay = this.job?.status === "queued" || this.job?.status === "running";
    if (this.isOpen && isUnderWay && !this.problem)
      this.pausing = setTimeout(() => this.look(false), PAUSE);
    this.draw();
  }

  /** Learn from the mistakes of a seat, or no longer. @param {number | null} seat */
  learn(seat) {
    this.learning =
      seat === null
        ? null
        : new Learning(
            this,
            seat,
            this.marked.filter((row) => row.seat === seat),
          );
    this.draw();
    /** @type {HTMLElement | null} */ (
      this.root.querySelector("select, .judged-seats button")
    )?.focus();
  }

  /** Redraw, the curve too. */
  draw() {
    this.bar.plot.show(this.isShown ? () => this.curve() : null);
    this.game.classList.toggle("analysed", this.isShown);
    this.update();
  }

  update() {
    render(this.isOpen ? this.template() : nothing, this.root);
    const row = this.isShown ? this.advised : undefined;
    this.ghost.setAttribute("d", row ? this.outline(row.best) : "");
    this.ghost.setAttribute("stroke", seatPaint(row?.seat ?? 0));
    this.markLog();
  }

  /** Write the marks into the log, unless they are there: it rewrites its lines when another view is shown. */
  markLog() {
    const old = this.game.querySelectorAll(".log .judged");
    const marked = this.isShown ? this.marked : [];
    if (old.length === marked.length) return;
    for (const mark of old) mark.remove();
    for (const row of marked) {
      const [, name, textContent] = markOf(row) ?? MARKS[0];
      const mark = Object.assign(document.createElement("b"), {
        className: "judged",
        textContent,
        title: analysis[name],
      });
      this.game.querySelector(`.log [data-version="${row.version}"] .number`)?.prepend(mark);
    }
  }

  /** The decision whose better move is shown: that of the shown entry, or the one to learn from. */
  get advised() {
    if (this.learning) return this.learning.isOver ? this.learning.row : undefined;
    const row = this.rows.get(this.bar.version);
    return row && costOf(row) ? row : undefined;
  }

  /** A move's path on the map: along a track, around a location, from end to end of tickets.
   * @param {Record<string, any>} move */
  outline({ route, location, tickets }) {
    const { board, layout } = this.bar.table;
    const at = byId(layout.locations);
    const { x = 0, y = 0 } = at.get(location) ?? {};
    if (route) return line(byId(layout.routes).get(route).spaces);
    if (location)
      return `M${x - RING} ${y}a${RING} ${RING} 0 1 0 ${2 * RING} 0a${RING} ${RING} 0 1 0 ${-2 * RING} 0`;
    return (tickets ?? [])
      .map((/** @type {string} */ id) => {
        const { a, b } = byId(board.tickets).get(id);
        return `M${at.get(a).x} ${at.get(a).y}L${at.get(b).x} ${at.get(b).y}`;
      })
      .join("");
  }

  /** The chances of winning, in place of the scores. @returns {import("./plot.mjs").Drawn} */
  curve() {
    const { table } = this.bar;
    const lines = table.view.seats.map((_, /** @type {number} */ seat) => {
      const points = [...this.rows.values()]
        .filter((row) => row.seat === seat && row.win !== undefined)
        .map(({ version, win = 0 }) => /** @type {ChartPoint} */ ([version, win]));
      return [...points, /** @type {ChartPoint} */ ([table.version, points.at(-1)?.[1] ?? 0])];
    });
    const turn = this.job?.turning_point;
    return {
      label: analysis.curve,
      height: HEIGHT,
      up: { from: 0, to: 1 },
      grid: [0, 0.5, 1],
      lines,
      ends: lines.map((points) => points.at(-1)?.[1] ?? 0),
      words: percent,
      over: (frame) => svg`
        ${turn ? frame.upright("turning", turn) : nothing}
        ${this.marked.map(
          (
            row,
          ) => svg`<g class="judged" transform="translate(${frame.x(row.version)} ${frame.y(row.win ?? 0)})">
          <title>${this.wordsAt(row.version)}</title><circle r="8" stroke=${seatPaint(row.seat)}></circle>
          <text y="4" text-anchor="middle">${markOf(row)?.[2]}</text></g>`,
        )}`,
    };
  }

  template() {
    return html`<section aria-label=${analysis.title}>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      ${
        !this.job
          ? nothing
          : this.job.status === "failed"
            ? html`<p>${analysis.failed}</p>`
            : this.job.status === "done"
              ? this.result()
              : html`<label
                  >${analysis[this.job.status]}
                  <progress max="1" value=${this.job.progress}></progress
                ></label>`
      }
    </section>`;
  }

  /** The whole analysis: the shown entry in words, and each seat's costliest moves, or what there is to learn. */
  result() {
    const { bar, learning } = this;
    const turn = this.job?.turning_point;
    return html`<p class="verdict" role="status">
        ${learning ? learning.words : this.wordsAt(bar.version)}${this.places()}
      </p>
      ${
        learning
          ? learning.template()
          : html`<ul class="judged-seats">
                ${Object.entries(this.job?.costliest ?? {}).map(([seat, versions]) =>
                  this.seat(Number(seat), versions),
                )}
              </ul>
              <p>
                ${turn ? html`<button @click=${() => bar.table.show(turn)}>${analysis.turn(turn)}</button> ` : nothing}
                <a href="/docs/analysis.md">${analysis.more}</a>
              </p>`
      }`;
  }

  /** A seat with its costliest moves, and the way to learn from its mistakes. @param {number} seat @param {number[]} versions */
  seat(seat, versions) {
    const { bar, marked } = this;
    const name = bar.name(seat);
    const button = (
      /** @type {string} */ words,
      /** @type {unknown} */ content,
      /** @type {() => void} */ act,
      kind = "",
    ) =>
      html` <button class=${kind} aria-label=${words} title=${words} @click=${act}>
        ${content}
      </button>`;
    return html`<li>
      <span class="who" title=${name}>${seatBadge(seat)} <bdi>${name}</bdi></span> ${versions.map(
        (version) => {
          const row = /** @type {Judged} */ (this.rows.get(version));
          const cost = number(row.cost ?? 0, 1);
          return button(
            analysis.cost(version, cost),
            html`<b>${markOf(row)?.[2]}</b> ${cost}`,
            () => bar.table.show(version),
          );
        },
      )}${versions.length ? nothing : html`<span class="faint">${analysis.none}</span>`}
      ${
        marked.some((row) => row.seat === seat)
          ? button(
              analysis.learn(name),
              analysis.learnShort,
              () => this.learn(seat),
              seat === bar.table.seat ? "main learn" : "learn",
            )
          : nothing
      }
    </li>`;
  }

  /** The cards that lay open before a better draw, its place marked. */
  places() {
    const row = this.advised;
    if (row?.best.type !== "draw_card") return nothing;
    const { table } = this.bar;
    const cards = table.at(row.version - 1).row ?? [];
    const at = cards.indexOf(row.best.card ?? "");
    return html`<span class="places" aria-hidden="true"
      >${cards.map(
        (card, i) => html`<span class=${i === at ? "ghost" : ""}>${face(table.board, card)}</span>`,
      )}</span
    >`;
  }

  /** An entry in words. The last one, if it has no mark, explains the marks. @param {number} version */
  wordsAt(version) {
    const row = this.rows.get(version);
    const turn = version === this.job?.turning_point ? `${analysis.turned} ` : "";
    if (row && costOf(row)) return turn + this.words(row);
    if (version === this.bar.table.version)
      return analysis.legend(
        MARKS.map(([least, name, sign]) => `${sign} ${analysis[name]} (${least})`),
      );
    if (!row) return turn + analysis.nothing;
    return `${turn}${analysis.same}${row.win === undefined ? "" : ` ${analysis.chance(percent(row.win))}`}`;
  }

  /** A decision for which there was certainly a better one, in words. @param {Judged} row */
  words(row) {
    const [, name, sign] = markOf(row) ?? [];
    const [cost, least, most] = [row.cost, ...(row.interval ?? [])].map((points = 0) =>
      number(points, 1),
    );
    return `${name ? `${sign} ${analysis[name]}. ` : ""}${analysis.other(this.action(row.best))} ${analysis.costs(
      cost,
      least,
      most,
    )}`;
  }

  /** An action in words. Those that only some boards have are named as in the API, unless the board declares
   * a sentence. @param {Record<string, any>} action */
  action({ type, ...members }) {
    const { board } = this.bar.table;
    const { actions } = analysis;
    const said = declared(board, "actions", type, members);
    if (said) return said;
    const read = readers(board);
    if (type === "keep_tickets")
      return actions.keep(members.tickets.map((/** @type {string} */ id) => read.route(id)));
    if (type === "draw_card")
      return members.card ? actions.draw(read.card(members.card)) : actions.deck;
    if (type === "draw_tickets") return actions.tickets;
    if (type === "claim_route")
      return actions.claim(read.route(members.route), members.cards && read.cards(members.cards));
    return [
      type.replaceAll("_", " "),
      ...Object.entries(members).map(([name, value]) => (own(read, name) ?? read.other)(value)),
    ].join(" ");
  }

  /** Stop: release the timer, and leave the map, the log and the screen as they were. */
  close() {
    this.isOpen = false;
    clearTimeout(this.pausing);
    this.update();
    this.ghost.remove();
    this.game.classList.remove("analysed");
    this.bar.map.removeEventListener("choose", this.onChoose);
  }
}
