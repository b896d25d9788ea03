/** Clocks that count down. Screen readers announce only that time is short, once. */

import { now } from "../account.mjs";
import { texts } from "../texts/texts.mjs";

const SHORT = 30; // seconds left at which it is said
const LATE = 3600; // seconds left at which a clock is shown that concerns only its player

export class Clocks {
  /** @param {HTMLElement} root @param {Table} table */
  constructor(root, table) {
    this.root = root;
    this.table = table;
    this.told = "";
    this.teller = document.createElement("p");
    this.teller.className = "hidden-text";
    this.teller.setAttribute("role", "status");
    root.after(this.teller);
    this.timer = setInterval(() => this.update(), 500);
  }

  update() {
    for (const clock of this.root.querySelectorAll("[data-until]")) {
      const until = clock.getAttribute("data-until") ?? "";
      const left = (Date.parse(until) - now()) / 1000;
      clock.toggleAttribute("hidden", clock.hasAttribute("data-late") && left > LATE);
      write(clock, left > 0 ? texts.play.span(left) : texts.play.timeIsUp);
      clock.classList.toggle("short", left < SHORT);
      const isMine = clock.closest("[data-seat]")?.getAttribute("data-seat") === String(this.table.seat);
      if (isMine && left < SHORT && this.told !== until) {
        this.told = until;
        this.teller.textContent = texts.play.hurry(SHORT);
      }
    }
    for (const bank of this.root.querySelectorAll("[data-bank]")) {
      write(bank, texts.play.span(Number(bank.getAttribute("data-bank"))));
    }
  }

  close() {
    clearInterval(this.timer);
    this.teller.remove();
  }
}

/** @param {Element} element @param {string} words */
function write(element, words) {
  if (element.textContent !== words) element.textContent = words;
}
