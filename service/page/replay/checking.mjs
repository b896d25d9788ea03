/** Checks a game in the browser with the very program of docs/fairness.md, entry by entry: the chain
 * of hashes, the commitment, every shuffle. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { client } from "../account.mjs";
import { texts } from "../texts/texts.mjs";

const SLICE = 12; // milliseconds of checking between two pictures
/** What is checked of an entry beside its hash, by the events in it.
 * @type {Record<string, "commitment" | "firstSeat" | "tickets" | "cards" | "undrawn">} */
const CHECKED = { game_created: "commitment", game_started: "firstSeat", tickets_shuffled: "tickets",
  deck_shuffled: "cards", undrawn_shuffled: "undrawn" };

export class Checking {
  /** @param {import("../table.mjs").Table} table @param {() => void} draw */
  constructor(table, draw) {
    this.table = table;
    this.draw = draw;
    /** @type {{ version: number, text: string }[]} */
    this.found = [];
    this.version = 0;
    this.of = 0;
    this.state = ""; // or "running", "right", "wrong", "problem"
    this.wrong = "";
    this.hash = "";
    this.stopped = false;
  }

  /** Fetch the history, and check it. */
  async check() {
    Object.assign(this, { found: [], version: 0, of: 0, state: "running", wrong: "" });
    this.draw();
    try {
      const answer = await client.fetch(new Request(`/v1/games/${this.table.id}/history`));
      if (!answer.ok) throw new Error((await answer.json()).detail);
      const lines = (await answer.text()).split("\n").filter((line) => line.trim());
      this.of = lines.length;
      await this.go(lines);
    } catch (error) {
      this.state = "problem";
      this.wrong = error instanceof Error ? error.message : String(error);
    }
    this.draw();
  }

  /** Check these lines one after the other, and let the browser draw in between.
   * @param {string[]} lines */
  async go(lines) {
    const { checked } = await import("../verify.mjs");
    let next = performance.now() + SLICE;
    for (const { version, hash, problem } of checked(lines, this.table.board)) {
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
      if (this.stopped) return;
      next = performance.now() + SLICE;
    }
    this.state = "right";
  }

  /** Note what was right of an entry. @param {any} entry */
  note({ version, events }) {
    for (const { type } of events) {
      if (Object.hasOwn(CHECKED, type)) this.found.push({ version, text: texts.more.right[CHECKED[type]] });
    }
  }

  /** Check no further. */
  stop() {
    this.stopped = true;
  }

  /** What is shown. */
  template() {
    const { more } = texts;
    if (!this.table.isOpenBook) return nothing;
    return html`<section class="checking"><h3>${more.check}</h3><p class="faint">${more.checks}</p>
      ${this.state && this.state !== "problem" ? html`
        <label class="row"><progress max=${this.of || 1} value=${this.version}></progress>
          <span>${more.checked(this.version, this.of)}</span></label>
        <ol>${this.found.map(({ version, text }) => html`<li value=${version}>✓ ${text}</li>`)}</ol>` : nothing}
      <p role="status" class=${this.state === "wrong" || this.state === "problem" ? "problem" : "good"}>${this.result()}</p>
      ${this.state === "running" ? nothing : html`<button @click=${() => this.check()}>${more.checkNow}</button>`}
    </section>`;
  }

  /** The result in words. */
  result() {
    const { more } = texts;
    if (this.state === "right") return more.allRight(this.of, this.hash);
    if (this.state === "wrong") return more.isWrong(this.version, this.wrong);
    return this.state === "problem" ? this.wrong : "";
  }
}
