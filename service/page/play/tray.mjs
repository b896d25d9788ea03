/** The player's controls: prompt, sources to draw from, hand and tickets. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { draws, hand } from "./hand.mjs";
import { lately } from "../log/lately.mjs";
import { deeds, isLoading, prompt, waiting } from "./prompt.mjs";
import { easyFirst } from "../screens.mjs";
import { Notes } from "./notes.mjs";
import { settings } from "../settings.mjs";
import { texts } from "../texts/texts.mjs";
import { loadPart, trouble } from "../waiting.mjs";

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

export class Tray {
  /** @param {HTMLElement} root @param {import("../table.mjs").Table} table
   * @param {import("../map/map.mjs").GameMap} map @param {{ go: (to: string) => void }} address */
  constructor(root, table, map, { go }) {
    this.root = root;
    this.body = document.createElement("div");
    this.body.className = "playing";
    root.replaceChildren(this.body);
    this.notes = new Notes(map);
    this.table = table;
    this.map = map;
    this.go = go;
    /** Whether an action is under way. */
    this.busy = false;
    this.isClosed = false;
    /** The last error.
     * @type {{ words: string, rule?: string, text?: string, link?: string } | null} */
    this.problem = null;
    /** The ticket that is pointed at, and the one that stays lit. @type {string | null} */
    this.pointed = null;
    /** @type {string | null} */
    this.pinned = null;
    /** A hint about the last click, and what was clicked. */
    this.hint = "";
    /** @type {{ route?: string, location?: string }} */
    this.clicked = {};
    this.said = 0; // the version at which it was given
    this.isLit = false;
    /** The action that the player is asked about. @type {{ type: string } | null} */
    this.asks = null;
    /** @type {import("./offers.mjs").Offers | undefined} */
    this.offers = undefined;
    /** @type {import("../lobby/joining.mjs").Joining | undefined} */
    this.joining = undefined;
    /** @type {Map<string, any>} */
    this._loaded = new Map();
    this._choose = (/** @type {any} */ event) => this.offers?.choose(event.detail);
    map.addEventListener("choose", this._choose);
  }

  /** Redraw after a change of the table. */
  update() {
    if (this.table.view.status === "lobby") return this.#wait();
    if (this.said !== this.table.version) this.hint = "";
    if (this.joining) {
      this.joining.close();
      this.joining = undefined;
      this.root.replaceChildren(this.body);
    }
    if (this.table.view.you?.hand && !this.table.isOver && this.#part("offers")) {
      this.offers ??= new (this._loaded.get("offers").Offers)(this);
    }
    this.offers?.update();
    this.draw();
  }

  /** A part, once it is there; the table is shown again then. @param {keyof typeof PARTS} name */
  #part(name) {
    if (!this._loaded.has(name)) {
      this._loaded.set(name, null);
      loadPart(/** @type {() => Promise<any>} */ (PARTS[name])).then((loaded) => {
        this._loaded.set(name, loaded);
        if (!this.isClosed) this.update();
      }, () => { // it is tried again with the next change or click
        this._loaded.delete(name);
        document.addEventListener("click", () => !this.isClosed && this.update(), { once: true });
      });
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
    const { table, offers } = this;
    const { board, view } = table;
    const cards = view.you?.hand;
    const waits = this.busy || cards && !offers && !table.isOver || isLoading(this);
    this.body.setAttribute("aria-busy", String(Boolean(waits)));
    this.body.dataset.version = String(view.version);
    const isEnd = view.status === "finished" && table.isLatest;
    render(html`${lately(table)}
      ${isEnd ? this.#part("over")?.ending(this) ?? nothing : prompt(this)}
      <div class="spread"><section class="scoring" aria-label=${texts.game.scoring}></section>
        ${isEnd ? nothing : offers?.shown() ?? draws(board, view, table.actions, waiting(this), (action) => this.play(action),
          (why) => this.say(why), () => this.ask({ type: "draw_tickets" }))}
        ${cards && !isEnd ? hand(board, cards) : nothing}
        ${cards && this.#part("owned")?.owned(this) || nothing}
      </div>
      ${isEnd ? nothing : deeds(this)}`, this.body);
    this.light();
  }

  /** Show what floats over the map. */
  #note() {
    const { table, offers } = this;
    const isNew = settings().coached && !settings().taught;
    const id = !offers || table.isOver ? null : this.pointed ?? this.pinned;
    const said = id ? table.board.tickets.find((/** @type {any} */ one) => one.id === id)
      : this.hint && table.board.routes.find((/** @type {any} */ one) => one.id === this.clicked.route);
    this.map.root.classList.toggle("asks", Boolean(this.hint || offers?.due)); // which say more than the map's own hint
    this.notes.show(html`
      ${offers && isNew && table.board.id === easyFirst[0] && this.#part("lesson")?.lesson(this) || nothing}
      ${id || this._loaded.has("plan") ? this.#part("plan")?.plan(this, id) ?? nothing : nothing}${this.#problem()}
      ${this.hint ? html`<p class="why" role="status">${this.hint}</p>` : nothing}`,
    said ? [said.a, said.b] : [this.clicked.location ?? ""]);
  }

  /** Highlight the choices and the pointed tickets on the map. */
  light() {
    const lights = this.offers?.lights() ?? { routes: new Map(), locations: new Map() };
    if (!this.offers) this._loaded.get("owned")?.lightTickets(this, [], lights);
    this.#note();
    const isAnything = lights.routes.size + lights.locations.size > 0;
    if (isAnything || this.isLit) this.map.light({ ...lights, traced: [] });
    this.isLit = isAnything;
  }

  /** Light a ticket on the map. @param {string | null} id */
  point(id) {
    this.pointed = id;
    this.light();
  }

  /** Show a hint, until the next click that does something or the next entry. @param {string} hint
   * @param {{ route?: string, location?: string }} clicked what it is about */
  say(hint, clicked = {}) {
    this.hint = hint;
    this.clicked = clicked;
    this.said = this.table.version;
    this.draw();
  }

  /** Ask whether to play an action that cannot be taken back; null takes the question back.
   * @param {{ type: string } | null} action */
  ask(action) {
    this.asks = action;
    this.draw();
    /** @type {HTMLElement | null} */ (this.root.querySelector(".asks button"))?.focus();
  }

  /** Play an action; ignore further clicks until it is answered.
   * @param {Record<string, any>} action */
  async play(action) {
    this.asks = null;
    await this.attempt(async () => {
      await this.table.play(action);
      this.offers?.clear();
    });
  }

  /** Run a request; show an error if it fails. @param {() => Promise<unknown>} act */
  async attempt(act) {
    if (this.busy) return;
    this.busy = true;
    this.problem = null;
    this.hint = "";
    this.draw();
    const slow = setTimeout(() => trouble(this, "slow"), SLOW);
    try {
      await act();
    } catch (error) {
      await this.#explain(/** @type {any} */ (error));
    }
    clearTimeout(slow);
    trouble(this, null);
    this.busy = false;
    if (this.isClosed) return;
    this.update();
    if (document.activeElement === document.body) {
      /** @type {HTMLElement | null} */ (this.root.querySelector(".prompt"))?.focus({ preventScroll: true });
    }
  }

  /** @param {Error & { rule?: string, status?: number }} error */
  async #explain(error) {
    this.problem = { words: error.status === 0 ? texts.play.unreached : texts.play.refused(error.message), rule: error.rule };
    if (!error.rule) return;
    try {
      const { rule } = await loadPart(() => import("./rules.mjs"));
      Object.assign(this.problem, await rule(error.rule));
    } catch {
      return; // the number of the rule is told in any case
    }
  }

  #problem() {
    if (!this.problem) return nothing;
    const { words, rule: number, text, link } = this.problem;
    return html`<div class="refused" role="alert"><p class="problem">${words}</p>
      ${number ? html`<p><a href=${link} target="_blank">${texts.play.rule(number)}</a> ${text}</p>` : nothing}</div>`;
  }

  /** Stop: release listeners and timers. */
  close() {
    this.isClosed = true;
    this.map.removeEventListener("choose", this._choose);
    this.joining?.close();
    this.offers?.close();
    this.notes.close();
  }
}
