/** The final scoring, step by step; the map highlights the objects that a step counts. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { nameOn } from "../seats.mjs";
import { nameOfPart, partsOf, stepsOf } from "./steps.mjs";
import { play } from "../sound.mjs";
import { seatBadge } from "../marks.mjs";
import { story, won } from "./story.mjs";
import { texts } from "../texts/texts.mjs";
import { own } from "../own.mjs";

const PACE = 1400; // milliseconds for a step

export class Scoring {
  /** @param {HTMLElement} root @param {Table} table @param {GameMap} map */
  constructor(root, table, map) {
    this.root = root;
    this.table = table;
    this.map = map;
    /** The view that is scored. @type {View | null} */
    this._scored = null;
    /** The steps of a result, made when one of them is shown. @type {WeakMap<any, import("./steps.mjs").Step[]>} */
    this._made = new WeakMap();
    this._done = Infinity; // steps counted; initially all of them
    this._isFirst = false; // the game has just ended, and the count is not over
    /** @type {ReturnType<typeof setInterval> | undefined} */ this._timer = undefined;
  }

  update() {
    const { view } = this.table;
    const isScored =
      view.status === "finished" && view.seats.some((/** @type {any} */ { result }) => result);
    if (!isScored) {
      this._stop();
      this._scored = null;
      return render(nothing, this.root);
    }
    if (!this._scored) {
      this._scored = view;
      this._done = Infinity;
      if (this.table.isCounting) this._play();
      this._isFirst = this.table.isCounting;
    } else if (this._isFirst && !this.table.isCounting) {
      this._isFirst = false;
      this._done = Infinity;
      this._stop();
      play("whistle");
      this.map.light(this._steps.at(-1)?.lights ?? {});
    }
    this._draw();
  }

  close() {
    clearInterval(this._timer);
  }

  /** All steps, cached. */
  get _steps() {
    const view = /** @type {View} */ (this._scored);
    const made = this._made.get(view.seats);
    if (made) return made;
    const counted = stepsOf(this.table.board, view);
    const steps = [...counted, ...story(this.table.board, view, counted)];
    this._made.set(view.seats, steps);
    return steps;
  }

  get _count() {
    return Math.min(this._done, this._steps.length);
  }

  /** Add up from the beginning. */
  _play() {
    clearInterval(this._timer);
    this._timer = setInterval(() => this._go(this._done + 1), PACE);
    this._go(0);
    if (!matchMedia("(min-width: 60rem)").matches) this.map.root.scrollIntoView(); // the count is below it
  }

  _stop() {
    clearInterval(this._timer);
    this._timer = undefined;
  }

  /** Show the state after a number of steps. @param {number} done */
  _go(done) {
    const steps = this._steps;
    this._done = Math.max(0, Math.min(steps.length, done));
    if (done > steps.length) this._stop();
    this.map.light(this._done ? steps[this._done - 1].lights : {});
    this._draw();
    if (this._count === steps.length && !this._timer) this.table.counted();
  }

  /** A step by hand. @param {number} done */
  _step(done) {
    this._stop();
    this._go(done);
  }

  _draw() {
    const { board, view } = this.table;
    const isWhole = this._done === Infinity || this._done === this._steps.length;
    const done = isWhole && !this._timer ? [] : this._steps.slice(0, this._done);
    const parts = partsOf(board, view);
    const sum = (/** @type {number} */ seat, /** @type {string} */ part) =>
      isWhole
        ? (own(view.seats[seat].result, part) ?? 0)
        : done
            .filter((step) => part === "total" || step.part === part)
            .reduce((all, step) => all + step.points[seat], 0);
    const at = done.at(-1)?.part;
    const seats = isWhole
      ? view.seats.toSorted((one, other) => (one.result?.rank ?? 9) - (other.result?.rank ?? 9))
      : view.seats;
    const button = (
      /** @type {string} */ words,
      /** @type {string} */ sign,
      /** @type {() => void} */ act,
      isOff = false,
    ) =>
      html`<button aria-label=${words} title=${words} ?disabled=${isOff} @click=${act}>
        ${sign}
      </button>`;
    render(
      html`<h2>${texts.game.scoring}</h2>
        <div class="steps" role="group" aria-label=${texts.game.scoring}>
          <button @click=${() => (this._timer ? this._step(this._count) : this._play())}>
            ${this._timer ? texts.scoring.stop : texts.scoring.play}
          </button>
          ${button(texts.scoring.back, "‹", () => this._step(this._count - 1), !this._done)}
          ${button(texts.scoring.step, "›", () => this._step(this._count + 1), isWhole)}
          ${button(texts.replay.last, "»", () => this._step(this._steps.length), isWhole)}
        </div>
        <p class="said" aria-live="polite">
          <bdi
            >${isWhole && !this._timer ? won(view) : (done.at(-1)?.words ?? texts.scoring.begin)}</bdi
          >
        </p>
        <table>
          <thead>
            <tr>
              <th scope="col">${texts.app.rank}</th>
              <td></td>
              ${parts.map(
                (part) =>
                  html` <th scope="col" class=${part === at && !isWhole ? "number now" : "number"}>
                    ${nameOfPart(part)}
                  </th>`,
              )}
              <th scope="col" class="number">${texts.scoring.total}</th>
            </tr>
          </thead>
          <tbody>
            ${seats.map(
              ({ seat, result }) =>
                html`<tr class=${isWhole && result?.rank === 1 ? "first" : nothing}>
                  <td class="number">${isWhole ? result?.rank : ""}</td>
                  <th scope="row" title=${nameOn(view, seat)}>
                    ${seatBadge(seat)} <bdi>${nameOn(view, seat)}</bdi>
                  </th>
                  ${[...parts, "total"].map((part) => html`<td class="number">${sum(seat, part)}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>`,
      this.root,
    );
  }
}
