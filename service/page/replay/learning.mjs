/** Learn from a seat's mistakes: stop before each, try another move, and see what the bot found. */

import { html } from "../vendor/lit-html/lit-html.js";
import { linesOf } from "../files.mjs";
import { texts } from "../texts/texts.mjs";
import { why } from "../why.mjs";

const { analysis } = texts;

/** @typedef {import("./analysis.mjs").Judged} Judged */

export class Learning {
  /** @param {import("./analysis.mjs").Analysis} analysis @param {number} seat @param {Judged[]} rows its mistakes, one at least */
  constructor(analysis, seat, rows) {
    this.analysis = analysis;
    this.name = analysis.bar.name(seat);
    this.rows = rows;
    this.at = 0;
    /** The moves that were legal, by version and words. @type {Map<number, Map<string, Record<string, any>>>} */
    this.legal = new Map();
    this.stop();
    void this.load();
  }

  /** The mistake that is learned from. */
  get row() {
    return this.rows[this.at];
  }

  /** A move in words, without the cards that pay for it. @param {Record<string, any>} move */
  called({ cards: _, ...move }) {
    return this.analysis.action(move);
  }

  /** Fetch which moves were legal: the decisions of the whole game, once. */
  async load() {
    try {
      const lines = await linesOf(`/v1/games/${this.analysis.bar.table.id}/decisions`);
      for (const { version, view } of lines.map((one) => JSON.parse(one))) {
        this.legal.set(
          version,
          new Map(
            view.you.legal_actions.map((/** @type {any} */ move) => [this.called(move), move]),
          ),
        );
      }
    } catch (error) {
      this.words = why(error);
    }
    this.analysis.update();
  }

  /** Show the position before a mistake, and ask for a better move. */
  stop() {
    const { row } = this;
    /** Whether the better move is found or shown. */
    this.isOver = false;
    this.chosen = "";
    this.words = analysis.task(this.name, this.analysis.action(row.played));
    this.analysis.bar.table.show(row.version - 1);
  }

  /** Try the move at a track or location that was chosen on the map. @param {Where} where */
  choose(where) {
    const [called] =
      [...(this.legal.get(this.row.version) ?? [])].find(([, move]) =>
        "route" in where ? move.route === where.route : move.location === where.location,
      ) ?? [];
    if (!called || this.isOver) return;
    this.chosen = called;
    this.try();
  }

  /** Say whether the chosen move is the one that the bot found. */
  try() {
    if (this.chosen === this.called(this.row.best)) this.tell(analysis.found);
    else this.words = this.chosen ? analysis.missed(this.chosen) : analysis.choose;
    this.analysis.update();
  }

  /** Show the better move. @param {string} [words] */
  tell(words = "") {
    this.isOver = true;
    this.chosen = this.called(this.row.best);
    this.words = `${words} ${this.analysis.words(this.row)}`;
    this.analysis.update();
  }

  /** Go on to the next mistake; after the last, back to the whole analysis. */
  next() {
    this.at += 1;
    if (this.at === this.rows.length) return this.analysis.learn(null);
    this.stop();
    this.analysis.root.querySelector("select")?.focus();
    return undefined;
  }

  template() {
    return html`<div class="learning">
      <h3>
        ${analysis.learn(this.name)}
        <span class="faint">${`${this.at + 1} ${texts.replay.of(this.rows.length)}`}</span>
      </h3>
      <label
        ><span class="hidden-text">${analysis.choose}</span
        ><select
          .value=${this.chosen}
          ?disabled=${this.isOver}
          @change=${(/** @type {any} */ { target }) => {
            this.chosen = target.value;
          }}
        >
          <option value="">${analysis.choose}</option>
          ${[...(this.legal.get(this.row.version)?.keys() ?? [])].map(
            (called) => html`<option ?selected=${called === this.chosen}>${called}</option>`,
          )}
        </select></label
      >
      <div class="row">
        <button class="main" @click=${() => (this.isOver ? this.next() : this.try())}>
          ${this.isOver ? analysis.next : analysis.try}
        </button>
        <button ?disabled=${this.isOver} @click=${() => this.tell()}>${analysis.show}</button>
        <button @click=${() => this.analysis.learn(null)}>${analysis.end}</button>
      </div>
    </div>`;
  }
}
