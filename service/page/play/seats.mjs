/** The seats: their players and public members. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { bundle, face, inWords, word } from "./cards.mjs";
import { decisionWords, declared } from "../declared.mjs";
import { named } from "../names.mjs";
import { now } from "../account.mjs";
import { nameOn } from "../seats.mjs";
import { placeNames } from "../map/places.mjs";
import { seatBadge } from "../marks.mjs";
import { texts } from "../texts/texts.mjs";
import { own } from "../own.mjs";

const SHORT = 30; // seconds left at which it is said
const LATE = 3600; // seconds left at which a clock is shown that concerns only its player

export class Seats {
  /** @param {HTMLElement} root @param {Table} table @param {GameMap} map */
  constructor(root, table, map) {
    this.root = root;
    this.table = table;
    this.map = map;
    this.told = "";
    this.teller = document.createElement("p");
    this.teller.className = "hidden-text";
    this.teller.setAttribute("role", "status");
    root.after(this.teller);
    this.timer = setInterval(() => this.#countDown(), 500);
  }

  update() {
    const { view } = this.table;
    this.root.hidden = view.status === "lobby";
    if (this.root.hidden) return;
    render(
      html`<ol class="seats-list">
        ${view.seats.map((seat) => this.#seat(view, seat))}
      </ol>`,
      this.root,
    );
    this.#countDown();
  }

  /** @param {any} view @param {any} seat */
  #seat(view, seat) {
    const { board, now, seat: mine, isLatest } = this.table;
    const decides = view.deciding.find((/** @type {any} */ one) => one.seat === seat.seat);
    const known = isLatest && now.version === view.version ? now : null;
    // If only built-in bots wait, show the clock only when little time is left.
    const isAlone = view.seats.every(
      (/** @type {any} */ one) =>
        one.seat === mine || one.left || (one.player?.bot ?? "external") !== "external",
    );
    const deadline = known?.deciding.find((one) => one.seat === seat.seat)?.deadline;
    const bank = known?.clock?.total ? undefined : known?.seats[Number(seat.seat)]?.bank; // the deadline tells a total
    const result = this.table.isCounting ? undefined : seat.result;
    return html`<li class="seat" data-seat=${seat.seat} aria-current=${decides ? "true" : nothing}>
      <p class="who">
        ${seatBadge(seat.seat)}
        <span class="name"
          >${seat.player ? named(seat.player, nameOn(view, seat.seat)) : texts.app.openSeat}</span
        >
        ${seat.seat === mine ? html`<span class="faint">${texts.play.you}</span>` : nothing}
        ${result ? html`<strong class="rank">${texts.play.rank(result.rank)}</strong>` : nothing}
        <span class="score"
          >${result?.total ?? seat.score}<span class="hidden-text">
            ${texts.play.points}</span
          ></span
        >
      </p>
      <p class="has">${this.#has(seat)}</p>
      ${
        seat.flag?.length
          ? html`<p class="flag">
              ${word(board, "flag")}
              ${seat.flag.map(
                (/** @type {string} */ color) =>
                  html`<span class="small"
                    >${face(board, color)}<span class="hidden-text"
                      >${inWords(board, { [color]: 1 })}</span
                    ></span
                  >`,
              )}
            </p>`
          : nothing
      }
      ${seat.revealed?.hand && (seat.seat !== view.you?.seat || isLatest) ? revealed(board, seat.revealed, this.map) : nothing}
      ${
        decides
          ? html`<p class="decides">
              ${own(texts.play.decides, decides.decision) ?? decisionWords(board, decides.decision)}
              ${
                deadline
                  ? html`<span class="until"
                      >${texts.play.timeLeft}
                      <time
                        class="clock"
                        role="timer"
                        data-until=${deadline}
                        ?data-late=${isAlone}
                      ></time
                    ></span>`
                  : nothing
              }
              ${bank === undefined ? nothing : html`<span class="bank">${texts.play.bank} <span data-bank=${bank}></span></span>`}
            </p>`
          : nothing
      }
      ${seat.left ? html`<p class="left problem">${own(texts.play.left, seat.left)}</p>` : nothing}
    </li>`;
  }

  /** Write on each clock how much is left. Screen readers announce only that time is short, once. */
  #countDown() {
    for (const clock of this.root.querySelectorAll("[data-until]")) {
      const until = clock.getAttribute("data-until") ?? "";
      const left = (Date.parse(until) - now()) / 1000;
      clock.toggleAttribute("hidden", clock.hasAttribute("data-late") && left > LATE);
      write(clock, left > 0 ? texts.play.span(left) : texts.play.timeIsUp);
      clock.classList.toggle("short", left < SHORT);
      const isMine =
        clock.closest("[data-seat]")?.getAttribute("data-seat") === String(this.table.seat);
      if (isMine && left < SHORT && this.told !== until) {
        this.told = until;
        this.teller.textContent = texts.play.hurry(SHORT);
      }
    }
    for (const bank of this.root.querySelectorAll("[data-bank]")) {
      write(bank, texts.play.span(Number(bank.getAttribute("data-bank"))));
    }
  }

  /** The members of a seat that rules declare, in words. @param {any} seat */
  #declared(seat) {
    const { board } = this.table;
    return Object.keys(board.declared.seat_view)
      .filter((name) => own(seat, name) !== undefined)
      .flatMap((name) => declared(board, "seat_view", name, seat) ?? []);
  }

  /** The counts of a seat's cards, tickets and pieces, in words. @param {any} seat */
  #has(seat) {
    const { board } = this.table;
    const count = (/** @type {number | undefined} */ number, /** @type {string} */ thing) =>
      number === undefined ? [] : [texts.play.count(number, thing)];
    return [
      ...count(seat.trains, word(board, "train")),
      ...count(seat.cards, texts.play.words.card),
      ...count(seat.tickets, texts.play.words.ticket),
      ...this.#declared(seat),
    ].join(" · ");
  }

  close() {
    clearInterval(this.timer);
    this.teller.remove();
  }
}

/** The cards and tickets of a seat, once the game is an open book. Pointing at a ticket lights its two locations.
 * @param {any} board @param {{ hand: Record<string, number>, tickets: string[] }} held
 * @param {GameMap} map */
function revealed(board, { hand, tickets }, map) {
  const names = placeNames(board);
  const held = board.tickets.filter((/** @type {any} */ { id }) => tickets.includes(id));
  const light =
    (/** @type {string[]} */ ...places) =>
    () =>
      map.light({ locations: new Map(places.map((id) => [id, "wanted"])) });
  return html`<div class="holds">
    <p class="revealed">${bundle(board, hand)}</p>
    ${
      held.length
        ? html`<details class="held">
            <summary>${texts.play.count(held.length, texts.play.words.ticket)}</summary>
            <ul>
              ${held.map(
                (/** @type {any} */ { a, b, points }) =>
                  html`<li>
                    <button
                      @pointerenter=${light(a, b)}
                      @pointerleave=${light()}
                      @focus=${light(a, b)}
                      @blur=${light()}
                    >
                      ${names.get(a)} – ${names.get(b)} <strong>${points}</strong>
                    </button>
                  </li>`,
              )}
            </ul>
          </details>`
        : nothing
    }
  </div>`;
}

/** @param {Element} element @param {string} words */
function write(element, words) {
  if (element.textContent !== words) element.textContent = words;
}
