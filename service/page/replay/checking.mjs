/** Checks a game in the browser with the program of docs/fairness.md, entry by entry: the chain of
 * hashes, the commitment and every shuffle; then whether the log of finished games contains it. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { linesOf } from "../files.mjs";
import { client } from "../account.mjs";
import { texts } from "../texts/texts.mjs";
import { why, wordsOf } from "../why.mjs";
import { loadPart } from "../waiting.mjs";
import { own } from "../own.mjs";

const { more } = texts;
const PAGE = 1000; // lines of the log in an answer
const SLICE = 12; // milliseconds of checks between two frames
/** The check of an entry in addition to its hash, by type of event.
 * @type {Record<string, "commitment" | "firstSeat" | "tickets" | "cards" | "undrawn">} */
const CHECKED = {
  game_created: "commitment",
  game_started: "firstSeat",
  tickets_shuffled: "tickets",
  deck_shuffled: "cards",
  undrawn_shuffled: "undrawn",
};

export class Checking {
  /** @param {Table} table @param {() => void} draw
   * @param {() => boolean} isGone whether nobody looks at the game any more */
  constructor(table, draw, isGone) {
    this.table = table;
    this.draw = draw;
    this.isGone = isGone;
    /** @type {{ version: number, text: string }[]} */ this.passed = [];
    /** What was found in the log. @type {{ version: number, text: string }[]} */
    this.lines = [];
    this.version = 0;
    this.of = 0;
    this.state = ""; // or "running", "right", "wrong", "problem"
    this.wrong = "";
    this.log = ""; // result for the log: or "running", "found", "lacking", "none", "wrong"
    this.wrongLog = "";
    this.hash = "";
  }

  async check() {
    Object.assign(this, {
      passed: [],
      lines: [],
      version: 0,
      of: 0,
      state: "running",
      wrong: "",
      log: "",
      wrongLog: "",
    });
    this.draw();
    try {
      if (!globalThis.crypto?.subtle)
        throw new Error(more.needsHttps(`${location.origin}/v1/games/${this.table.id}`));
      const lines = await linesOf(`/v1/games/${this.table.id}/history`);
      this.of = lines.length;
      await this.go(lines);
    } catch (error) {
      this.state = "problem";
      this.wrong = why(error);
    }
    this.draw();
    if (this.state === "right") await this.look();
  }

  /** Check these lines one after the other; yield to the browser in between.
   * @param {string[]} lines */
  async go(lines) {
    const { checked } = await loadPart(() => import("../verify.mjs"));
    let next = performance.now() + SLICE;
    for await (const { version, hash, problem } of checked(lines, this.table.board)) {
      Object.assign(this, { version, hash });
      if (problem) {
        this.state = "wrong";
        this.wrong = problem;
        return;
      }
      this.note(JSON.parse(lines[version - 1]));
      if (performance.now() < next) continue;
      this.draw();
      await new Promise(requestAnimationFrame);
      if (this.isGone()) return;
      next = performance.now() + SLICE;
    }
    this.state = "right";
  }

  /** Look for the game in the log of finished games: line by line, from the one that its first entry names to its own. */
  async look() {
    const { log } = more;
    const [{ log_head: named }] = /** @type {any[]} */ (this.table.entries);
    const begun = this.table.entries.some(({ events }) =>
      events.some(({ type }) => type === "game_started"),
    );
    this.log = begun ? "running" : "none";
    const note = (/** @type {number} */ version, /** @type {string} */ text) =>
      this.lines.push({ version, text });
    let [after, hash, first] = [named ? named.n - 1 : 0, "", 0];
    try {
      const { followed } = await loadPart(() => import("../verify.mjs"));
      while (this.log === "running") {
        const { items } = await client.get("/v1/log", { query: { after, limit: PAGE } });
        if (named && !first && !items.length) throw new Error(log.gone(named.n));
        if (named && !first) hash = items[0].previous;
        for await (const line of followed(
          items.map((/** @type {any} */ one) => JSON.stringify(one)),
          after,
          hash,
        )) {
          if (this.isGone()) return;
          first ||= line.n;
          if (line.n === named?.n && line.hash !== named.hash) throw new Error(log.gone(line.n));
          if (line.n === named?.n) note(line.n, log.named);
          if (line.last === this.hash) {
            if (after > first) note(after, log.follow(first));
            note(line.n, log.own(line.hash));
            this.log = "found";
            break;
          }
          ({ n: after, hash } = line);
        }
        if (this.log === "running" && items.length < PAGE)
          [this.log, this.wrongLog] = ["lacking", log.lacking(after)];
      }
    } catch (error) {
      this.log = "wrong";
      this.wrongLog = wordsOf(error);
    }
    this.draw();
  }

  /** Record the passed checks of an entry. @param {any} entry */
  note({ version, events }) {
    for (const { type } of events) {
      const check = own(CHECKED, type);
      if (check) this.passed.push({ version, text: more.right[check] });
    }
  }

  template() {
    return html`<section class="checking">
      <p class="faint">${more.checks}</p>
      ${
        this.state && this.state !== "problem"
          ? html` <label class="row"
                ><progress max=${this.of || 1} value=${this.version}></progress>
                <span>${more.checked(this.version, this.of)}</span></label
              >
              <ol>
                ${this.passed.map(({ version, text }) => html`<li value=${version}>✓ ${text}</li>`)}
              </ol>`
          : nothing
      }
      <p
        role="status"
        class=${this.state === "wrong" || this.state === "problem" ? "problem" : "good"}
      >
        ${this.result()}
      </p>
      ${
        this.log && this.log !== "none"
          ? html`<h3>${more.log.title}</h3>
              <ol>
                ${this.lines.map(({ version, text }) => html`<li value=${version}>✓ ${text}</li>`)}
              </ol>
              <p role="status" class=${this.log === "found" ? "good" : "problem"}>
                ${this.logResult()}
              </p>`
          : nothing
      }
      ${
        this.state === "right" && this.log !== "running"
          ? html`<h3>${more.unchecked}</h3>
              <ul>
                ${more.uncheckedList(this.log === "found").map((one) => html`<li>${one}</li>`)}
              </ul>
              <p><a href="/docs/fairness.md">${more.fairness}</a></p>`
          : nothing
      }
      ${this.state === "running" ? nothing : html`<button @click=${() => this.check()}>${more.checkNow}</button>`}
    </section>`;
  }

  logResult() {
    const { log } = more;
    return this.log === "found"
      ? log.right
      : this.log === "running"
        ? log.looking
        : this.log === "wrong"
          ? log.wrong(this.wrongLog)
          : this.wrongLog;
  }

  result() {
    if (this.state === "right") return more.allRight(this.of, this.hash);
    if (this.state === "wrong") return more.isWrong(this.version, this.wrong);
    return this.state === "problem" ? this.wrong : "";
  }
}
