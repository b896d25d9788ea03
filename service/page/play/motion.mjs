/** Animates moves: cards fly to the seat that took them, and the seat that moved lights up.
 * Disabled if the browser prefers reduced motion. */

const TAKES = 500; // milliseconds
const MANY = 3; // entries at once: too many to animate

export class Motion {
  /** @param {import("../table.mjs").Table} table */
  constructor(table) {
    this.table = table;
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
  }

  /** Show what has just happened. */
  update() {
    const { news, isLatest } = this.table;
    if (this.still.matches || document.hidden || !isLatest || news.length > MANY) return;
    for (const event of news.flatMap((entry) => entry.events)) this.#show(event);
  }

  /** @param {any} event */
  #show(event) {
    const seat = `[data-seat="${event.seat}"]`;
    if (event.type === "card_drawn") {
      const from = event.from === "deck" ? "[data-deck] .face" : `[data-place="${event.place}"] .face`;
      fly(from, event.seat === this.table.seat && event.card ? `[data-card="${event.card}"] .face` : seat);
    } else if (event.type === "tickets_drawn") fly("[data-tickets] .face", seat);
    else if (!event.cards && event.type !== "passed") return; // nothing was paid
    document.querySelector(seat)?.animate([{ backgroundColor: "var(--line)" }, {}], { duration: 2 * TAKES });
  }
}

/** Animate a copy of one element from its place to another element. Both are selectors.
 * @param {string} from @param {string} to */
function fly(from, to) {
  const thing = document.querySelector(from);
  const goal = document.querySelector(to)?.getBoundingClientRect();
  if (!thing || !goal) return;
  const here = thing.getBoundingClientRect();
  const ghost = /** @type {HTMLElement} */ (thing.cloneNode(true));
  ghost.classList.add("flying");
  ghost.setAttribute("aria-hidden", "true");
  const { style } = ghost;
  style.setProperty("left", `${here.x}px`);
  style.setProperty("top", `${here.y}px`);
  style.setProperty("width", `${here.width}px`);
  document.querySelector(".screen")?.append(ghost); // within reach of its styles
  const [x, y] = [goal.x + goal.width / 2 - here.x - here.width / 2, goal.y + goal.height / 2 - here.y - here.height / 2];
  const flight = ghost.animate([{}, { transform: `translate(${x}px, ${y}px) scale(.6)`, opacity: .4 }],
    { duration: TAKES, easing: "ease-in-out" });
  flight.onfinish = flight.oncancel = () => ghost.remove();
}
