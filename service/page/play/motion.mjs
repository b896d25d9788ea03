/** Shows and sounds what has just happened: cards fly, points go from the track to the seat, a completed ticket is stamped.
 * Nothing takes room or clicks. Nothing moves for people who prefer reduced motion, nor where much happens at once. */

import { html, render } from "../vendor/lit-html/lit-html.js";
import { back, face } from "./cards.mjs";
import { play } from "../sound.mjs";

const TAKES = 500; // milliseconds
const MANY = 3; // entries at once: too many to show
const PAUSE = 200; // milliseconds: nor are quicker steps shown
const BEAT = 0.09; // seconds from a wagon that drops to the next

/** @typedef {{ left: number, top: number, width: number, height: number }} Box */

export class Motion {
  /** @param {import("../table.mjs").Table} table @param {import("../map/map.mjs").GameMap} map */
  constructor(table, map) {
    this.table = table;
    this.map = map;
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.shown = { version: 0, when: 0 };
    /** The viewer's tickets that are connected. @type {Set<Element>} */
    this.done = new Set();
  }

  /** Show what has happened since the last version; the screen shows the result already. */
  update() {
    const { view: { version }, entries } = this.table;
    const [last, now] = [this.shown, performance.now()];
    if (version === last.version) return this.#completed();
    this.shown = { version, when: now };
    const count = version - last.version;
    const fresh = this.#completed();
    if (!last.version || count < 1 || count > MANY || now - last.when < PAUSE || document.hidden) return;
    for (const event of entries.slice(last.version, version).flatMap(({ events }) => events)) this.#show(event);
    for (const ticket of fresh) {
      play("whistle", BEAT);
      this.#animate(ticket, [{ opacity: 0, transform: "rotate(-12deg) scale(3)" }, {}], { pseudoElement: "::after" });
    }
  }

  close() {}

  /** The tickets that were not connected before. */
  #completed() {
    const before = this.done;
    this.done = new Set(document.querySelectorAll(".tickets .done .points"));
    return [...this.done].filter((one) => !before.has(one));
  }

  /** @param {any} event */
  #show(event) {
    const { table: { board, seat: mine } } = this;
    const seat = `[data-seat="${event.seat}"]`;
    if (event.type === "final_turns_began") play("drum");
    if (event.type === "card_drawn") {
      play("card");
      const from = event.from === "deck" ? "[data-deck] .face" : `[data-place="${event.place}"] .face`;
      this.#fly(event.card ? face(board, event.card) : back("cards"), boxOf(from),
        event.seat === mine && event.card ? `[data-card="${event.card}"] .face` : seat);
      if (event.from === "row") this.#animate(document.querySelector(from), [{ opacity: 0 }, {}]);
    } else if (event.type === "tickets_drawn") {
      play("card");
      this.#fly(back("tickets"), boxOf("[data-tickets] .face"), seat);
    } else if (event.type === "route_claimed") this.#claimed(event);
    else if (!event.cards && event.type !== "passed") return; // nothing was paid
    this.#animate(document.querySelector(seat), [{ backgroundColor: "var(--line)" }, {}], { duration: 2 * TAKES });
  }

  /** @param {{ seat: number, route: string, points: number }} event */
  #claimed({ seat, route, points }) {
    const spaces = this.map.boxesOf({ route });
    spaces.forEach((_, i) => play("wagon", i * BEAT));
    const { left, top } = this.map.root.getBoundingClientRect();
    const middle = spaces[spaces.length >> 1];
    this.#fly(html`<b>+${points}</b>`, { left: left + middle.left, top: top + middle.top, width: 44, height: 32 },
      `[data-seat="${seat}"] .score`, { duration: 2 * TAKES, delay: spaces.length * BEAT * 1000, fill: "backwards" });
  }

  /** Let something fly. @param {unknown} content @param {Box | undefined} from @param {string} to a selector
   * @param {KeyframeAnimationOptions} [options] */
  #fly(content, from, to, options) {
    const goal = boxOf(to);
    if (!from || !goal || this.still.matches) return;
    const ghost = document.createElement("div");
    ghost.className = "flying";
    ghost.ariaHidden = "true";
    for (const side of /** @type {const} */ (["left", "top", "width"])) ghost.style.setProperty(side, `${from[side]}px`);
    render(content, ghost);
    document.querySelector(".screen")?.append(ghost); // within reach of its styles
    const [x, y] = [goal.left - from.left + (goal.width - from.width) / 2, goal.top - from.top + (goal.height - from.height) / 2];
    const flight = this.#animate(ghost, [{}, { opacity: 1, offset: 0.7 }, { transform: `translate(${x}px, ${y}px) scale(.7)`, opacity: 0.3 }], options);
    if (flight) flight.onfinish = flight.oncancel = () => ghost.remove();
  }

  /** @param {Element | null} element @param {Keyframe[]} frames @param {KeyframeAnimationOptions} [options] */
  #animate(element, frames, options) {
    return this.still.matches ? undefined : element?.animate(frames, { duration: TAKES, easing: "ease-in-out", ...options });
  }
}

/** @param {string} selector */
const boxOf = (selector) => document.querySelector(selector)?.getBoundingClientRect();
