/** The player's controls: prompt, sources to draw from, hand and tickets. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { draws, hand } from "./hand.mjs";
import { lately } from "../log/lately.mjs";
import { next, START } from "./deciding.mjs";
import { deeds, isLoading, prompt, waiting } from "./prompt.mjs";
import { Notes } from "./notes.mjs";
import { easyFirst } from "../screens.mjs";
import { settings } from "../settings.mjs";
import { texts } from "../texts/texts.mjs";
import { waysAt } from "./legal.mjs";
import { loadPart, trouble, withPart } from "../waiting.mjs";

const SLOW = 2500; // milliseconds until the page shows that it waits for an answer

/** The parts that are loaded when they are first needed.
 * @satisfies {Record<string, () => Promise<any>>} */
const PARTS = {
  offers: () => import("./offers.mjs"),
  owned: () => import("./owned.mjs"),
  over: () => import("./over.mjs"),
  joining: () => import("../lobby/joining.mjs"),
  lesson: () => import("./lesson.mjs"),
  plan: () => import("./plan.mjs"),
};

/** @typedef {import("./deciding.mjs").Event} Event
 * @typedef {import("./deciding.mjs").Where} Where */

export class Tray {
  /** @param {HTMLElement} root @param {Table} table
   * @param {GameMap} map @param {{ go: (to: string) => void }} address */
  constructor(root, table, map, { go }) {
    this.root = root;
    this.body = document.createElement("div");
    this.body.className = "playing";
    root.replaceChildren(this.body);
    this.notes = new Notes(map);
    this.table = table;
    this.map = map;
    this.go = go;
    this.state = START;
    this.version = 0; // that was shown last
    this.isClosed = false;
    this.isLit = false;
    /** What had the focus before a payment. @type {Element | null} */
    this.before = null;
    /** @type {import("../lobby/joining.mjs").Joining | undefined} */ this.joining = undefined;
    /** @type {Map<string, any>} */ this._loaded = new Map();
    this._choose = (/** @type {any} */ event) => this.choose(event.detail);
    this._key = (/** @type {KeyboardEvent} */ event) => {
      const isFree =
        event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]");
      if (!isFree && !this.state.busy) this.back();
    };
    map.addEventListener("choose", this._choose);
    document.addEventListener("keydown", this._key);
  }

  /** The parts of a player's decision, once they are there. @returns {typeof import("./offers.mjs") | null} */
  get offers() {
    return this.table.view.you?.hand && !this.table.isOver ? this.#part("offers") : null;
  }

  /** Something has happened: change the state, and show it. @param {Event} event */
  send(event) {
    this.state = next(this.state, event, this.table);
    if (event.type === "point" || event.type === "aim")
      this.light(); // the rest stays: it has the focus
    else this.draw();
  }

  update() {
    if (this.table.view.status === "lobby") return this.#wait();
    if (this.joining) {
      this.joining = undefined;
      this.root.replaceChildren(this.body);
    }
    const isNew = this.version !== this.table.version;
    this.version = this.table.version;
    this.send({ type: "change", isNew });
  }

  /** A part, once it is there; the table is shown again then. @param {keyof typeof PARTS} name */
  #part(name) {
    if (!this._loaded.has(name)) {
      this._loaded.set(name, null);
      loadPart(/** @type {() => Promise<any>} */ (PARTS[name])).then(
        (loaded) => {
          this._loaded.set(name, loaded);
          if (!this.isClosed) this.update();
        },
        () => {
          // it is tried again with the next change or click
          this._loaded.delete(name);
          document.addEventListener("click", () => !this.isClosed && this.update(), { once: true });
        },
      );
    }
    return this._loaded.get(name);
  }

  #wait() {
    if (!this.joining && this.#part("joining")) {
      const body = document.createElement("div");
      this.root.replaceChildren(body);
      this.joining = new (this._loaded.get("joining").Joining)(body, this.table);
    }
    this.joining?.update();
  }

  /** Draw the parts that are loaded, and their highlights on the map. */
  draw() {
    const { table, offers, state } = this;
    const { board, view } = table;
    const cards = view.you?.hand;
    const isEnd = view.status === "finished" && table.isLatest;
    const waits = state.busy || (cards && !offers && !table.isOver) || isLoading(this);
    this.body.setAttribute("aria-busy", String(Boolean(waits)));
    this.body.dataset.version = String(view.version);
    render(
      html`${lately(table)} ${isEnd ? (this.#part("over")?.ending(this) ?? nothing) : prompt(this)}
        <div class="spread">
          <section class="scoring" aria-label=${texts.game.scoring}></section>
          ${
            isEnd
              ? nothing
              : (offers?.choice(this) ??
                draws(
                  board,
                  view,
                  table.actions,
                  waiting(this),
                  (action) => this.play(action),
                  (hint) => this.send({ type: "hint", hint }),
                  () => this.ask("draw_tickets"),
                ))
          }
          ${cards && !isEnd ? hand(board, cards) : nothing}
          ${(cards && this.#part("owned")?.owned(this)) || nothing}
        </div>
        ${isEnd ? nothing : deeds(this)}`,
      this.body,
    );
    this.light();
  }

  /** Highlight the choices and the pointed tickets on the map. */
  light() {
    const lights = this.offers?.lights(this) ?? { routes: new Map(), locations: new Map() };
    if (!this.offers) this._loaded.get("owned")?.lightTickets(this, lights);
    const isAnything = lights.routes.size + lights.locations.size > 0;
    if (isAnything || this.isLit) this.map.light({ ...lights, traced: [] });
    this.isLit = isAnything;
    this.#note();
  }

  #note() {
    const { table, offers, state } = this;
    const id = offers ? (state.pointed ?? state.pinned) : null;
    const { hint, where } = state;
    const isNew = settings().coached && !settings().taught;
    const about =
      table.board.tickets.find((/** @type {any} */ ticket) => ticket.id === id) ??
      (hint && table.board.routes.find((/** @type {any} */ route) => route.id === where.route));
    this.map.root.classList.toggle("asks", Boolean(hint) || state.mode === "paying"); // which says more than the map's own hint
    this.notes.show(
      html` ${(offers && isNew && table.board.id === easyFirst[0] && this.#part("lesson")?.lesson(this)) || nothing}
      ${id || this._loaded.has("plan") ? (this.#part("plan")?.plan(this, id) ?? nothing) : nothing}${this.#problem()}
      ${hint ? html`<p class="why" role="status">${hint}</p>` : nothing}`,
      about ? [about.a, about.b] : [where.location ?? ""],
    );
  }

  /** Something was clicked on the map. @param {Where} where */
  choose(where) {
    const { table, offers, state } = this;
    if (state.busy || !offers) return;
    if (!waysAt(table.actions, where).length) {
      void withPart(
        ({ refusal }) => this.send({ type: "hint", hint: refusal(table, where), where }),
        () => import("./refusals.mjs"),
      );
      return;
    }
    if (state.mode !== "paying") this.before = document.activeElement;
    this.send({ type: "choose", where });
    /** @type {HTMLElement | null} */ (this.body.querySelector(".deeds .main"))?.focus();
  }

  /** Ask whether to play an action that cannot be taken back. @param {string} asked its type */
  ask(asked) {
    this.send({ type: "ask", asked });
    /** @type {HTMLElement | null} */ (this.body.querySelector(".asks button"))?.focus();
  }

  back() {
    const wasPaying = this.state.mode === "paying";
    this.send({ type: "back" });
    if (wasPaying && this.before instanceof HTMLElement && this.before.isConnected)
      this.before.focus({ preventScroll: true });
  }

  /** Play an action; ignore further clicks until it is answered.
   * @param {Record<string, any>} action */
  play(action) {
    return this.attempt(async () => {
      await this.table.play(action);
      this.send({ type: "played" });
    });
  }

  /** Run a request; show an error if it fails. @param {() => Promise<unknown>} act */
  async attempt(act) {
    if (this.state.busy) return;
    this.send({ type: "send" });
    const slow = setTimeout(() => trouble(this, "slow"), SLOW);
    const problem = await act().then(() => null, explained);
    clearTimeout(slow);
    trouble(this, null);
    if (this.isClosed) return;
    this.state = next(this.state, { type: "answer", problem }, this.table);
    this.update();
    if (document.activeElement === document.body) {
      /** @type {HTMLElement | null} */ (this.root.querySelector(".prompt"))?.focus({
        preventScroll: true,
      });
    }
  }

  #problem() {
    if (!this.state.problem) return nothing;
    const { words, rule: number, text, link } = this.state.problem;
    return html`<div class="refused" role="alert">
      <p class="problem">${words}</p>
      ${number ? html`<p><a href=${link} target="_blank">${texts.play.rule(number)}</a> ${text}</p>` : nothing}
    </div>`;
  }

  close() {
    this.isClosed = true;
    this.map.removeEventListener("choose", this._choose);
    document.removeEventListener("keydown", this._key);
    this.notes.close();
  }
}

/** Why an action failed, and by which rule. @param {Error & { rule?: string, status?: number }} error
 * @returns {Promise<import("./deciding.mjs").Problem>} */
async function explained({ message, rule: number, status }) {
  const words = status === 0 ? texts.play.unreached : texts.play.refused(message);
  if (!number) return { words };
  // Where its text cannot be loaded, the number of the rule is told.
  const told = await loadPart(() => import("./rules.mjs"))
    .then(({ rule }) => rule(number))
    .catch(() => ({}));
  return { words, rule: number, ...told };
}
