/** Shows and sounds what has just happened: cards fly, points go from the track to the seat, a completed ticket is stamped.
 * Nothing takes room or clicks. Nothing moves for people who prefer reduced motion, nor where much happens at once. */

import { html, render } from "../vendor/lit-html/lit-html.js";
import { back, face } from "./cards.mjs";
import { BEAT } from "../map/map.mjs";
import { play } from "../sound.mjs";

const TAKES = 500; // milliseconds
const MANY = 3; // entries at once: too many to show
const PAUSE = 200; // milliseconds: nor are quicker steps shown

export class Motion {
  #still = matchMedia("(prefers-reduced-motion: reduce)");
  #shown = { version: 0, when: 0 };
  /** The points of the viewer's connected tickets. @type {Element[]} */ #done = [];

  /** @param {Table} table @param {GameMap} map */
  constructor(table, map) {
    this.table = table;
    this.map = map;
  }

  /** Show what has happened since the last version; the screen shows the result already. */
  update() {
    const {
      view: { version },
      entries,
    } = this.table;
    const [last, when, before] = [this.#shown, performance.now(), this.#done];
    this.#done = [...document.querySelectorAll(".tickets .done .points")];
    if (version === last.version) return;
    this.#shown = { version, when };
    const count = version - last.version;
    if (!last.version || count < 1 || count > MANY || when - last.when < PAUSE || document.hidden)
      return;
    for (const event of entries.slice(last.version, version).flatMap(({ events }) => events))
      this.#show(event);
    for (const points of this.#done.filter((one) => !before.includes(one))) {
      play("whistle", BEAT);
      this.#animate(points, [{ opacity: 0, transform: "rotate(-12deg) scale(3)" }, {}], {
        pseudoElement: "::after",
      });
    }
  }

  /** @param {any} event */
  #show({ type, seat, card, cards, from, place, route, points }) {
    const { table, map } = this;
    const mover = `[data-seat="${seat}"]`;
    if (type === "final_turns_began") play("drum");
    else if (type === "card_drawn") {
      const source = from === "deck" ? "[data-deck] .face" : `[data-place="${place}"] .face`;
      play("card");
      this.#fly(
        card ? face(table.board, card) : back("cards"),
        boxOf(source),
        seat === table.seat && card ? `[data-card="${card}"] .face` : mover,
      );
      if (from === "row") this.#animate(document.querySelector(source), [{ opacity: 0 }, {}]);
    } else if (type === "tickets_drawn") {
      play("card");
      this.#fly(back("tickets"), boxOf("[data-tickets] .face"), mover);
    } else if (type === "route_claimed") {
      const [spaces, { left, top }] = [map.boxesOf({ route }), map.root.getBoundingClientRect()];
      const middle = spaces[spaces.length >> 1];
      spaces.forEach((_, i) => play("wagon", i * BEAT));
      this.#fly(
        html`<b>+${points}</b>`,
        new DOMRect(left + middle.left, top + middle.top, 44, 32),
        `${mover} .score`,
        { duration: 2 * TAKES, delay: spaces.length * BEAT * 1000, fill: "backwards" },
      );
    } else if (!cards && type !== "passed") return; // nothing was paid
    this.#animate(
      document.querySelector(mover),
      [{ backgroundColor: "color-mix(in srgb, var(--accent) 9%, transparent)" }, {}],
      { duration: 2 * TAKES },
    );
  }

  /** Let something fly. @param {unknown} content @param {DOMRect | undefined} from @param {string} to a selector
   * @param {KeyframeAnimationOptions} [options] */
  #fly(content, from, to, options) {
    const goal = boxOf(to);
    if (!from || !goal || this.#still.matches) return;
    const ghost = document.createElement("div");
    ghost.className = "flying";
    ghost.ariaHidden = "true";
    for (const side of /** @type {const} */ (["left", "top", "width"]))
      ghost.style.setProperty(side, `${from[side]}px`);
    render(content, ghost);
    document.querySelector(".screen")?.append(ghost); // within reach of its styles
    const [x, y] = [
      goal.left - from.left + (goal.width - from.width) / 2,
      goal.top - from.top + (goal.height - from.height) / 2,
    ];
    const flight = this.#animate(
      ghost,
      [
        {},
        { opacity: 1, offset: 0.7 },
        { transform: `translate(${x}px, ${y}px) scale(.7)`, opacity: 0.3 },
      ],
      options,
    );
    if (flight) flight.onfinish = flight.oncancel = () => ghost.remove();
  }

  /** @param {Element | null} element @param {Keyframe[]} frames @param {KeyframeAnimationOptions} [options] */
  #animate(element, frames, options) {
    return this.#still.matches
      ? undefined
      : element?.animate(frames, { duration: TAKES, easing: "ease-in-out", ...options });
  }
}

/** @param {string} selector */
const boxOf = (selector) => document.querySelector(selector)?.getBoundingClientRect();
