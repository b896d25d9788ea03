/** Tickets: one's own with what they still need, and those to choose from. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { placeName } from "../map/places.mjs";
import { marksOf } from "../map/words.mjs";
import { nearest } from "./shortest.mjs";
import { texts } from "../texts/texts.mjs";

/** The facts of a ticket that are shown. @param {Table} table @param {any} view
 * @param {string} id */
export function read(table, view, id) {
  const { board } = table;
  const ticket = board.tickets.find((/** @type {any} */ one) => one.id === id);
  /** @type {number | null} */ const seat = view.you?.seat ?? null;
  const { way, a, b, points } = nearest(board, view, seat, ticket);
  const trains = view.seats[seat ?? 0]?.trains ?? 0;
  const isOver = view.status === "finished";
  // Which route a station borrows is known only after the final scoring.
  const mayBeLent =
    view.stations?.some((/** @type {any} */ one) => one.seat === seat) ||
    (!isOver && Boolean(view.seats[seat ?? 0]?.stations));
  const state =
    way && !way.routes.length
      ? "done"
      : isOver
        ? mayBeLent
          ? "over"
          : "missed"
        : way && way.trains <= trains
          ? "open"
          : mayBeLent
            ? "lent"
            : way
              ? "short"
              : "missed";
  return {
    ...ticket,
    a,
    b,
    points: state === "done" ? points : ticket.points,
    way,
    isOver,
    state,
    names: [placeName(board, ticket.a), placeName(board, ticket.b)],
    marks: marksOf(board, "tickets", ticket),
  };
}

/** @typedef {ReturnType<typeof read>} Read */

/** What a ticket still needs, in words. @param {Read} ticket @param {string} train */
export const needs = ({ state, way, isOver }, train) =>
  state === "done"
    ? texts.play.connected
    : state === "over"
      ? ""
      : state === "lent"
        ? texts.play.onlyLent
        : state === "missed"
          ? isOver
            ? texts.play.missed
            : texts.play.impossible
          : state === "short"
            ? texts.play.tooFew(way?.trains ?? 0, train)
            : texts.play.lacks(way?.trains ?? 0, train);

/** Whether a ticket can no longer be completed. @param {Read} ticket */
const isLost = ({ state, isOver }) => !isOver && ["missed", "short"].includes(state);

/** The classes of a ticket; one that can no longer be completed is grey. @param {Read} ticket */
const looks = (ticket) => `ticket ${ticket.state}${isLost(ticket) ? " lost" : ""}`;

/** @param {Read} ticket @param {string} train */
const line = (ticket, train) =>
  html`<span class="ends"
      >${ticket.names[0]} – ${ticket.names[1]}
      ${ticket.marks.map((/** @type {string} */ said) => html`<span class="faint">${said}</span> `)}</span
    >
    <span class="points"
      >${ticket.points}<span class="hidden-text"> ${texts.play.points}</span></span
    >
    <span class="needs">${needs(ticket, train)}</span>`;

/**
 * One's own tickets: pointing at one lights it on the map, a click keeps it lit.
 * @param {{ tickets: Read[], title: string, train: string, pinned: string | null,
 *   point: (id: string | null) => void, pin: (id: string) => void }} is
 */
export function own({ tickets, title, train, pinned, point, pin }) {
  return html`<section class="tickets">
    <h2>${title} <span class="faint">${tickets.length}</span></h2>
    <ul>
      ${tickets.map(
        (ticket) =>
          html`<li>
            <button
              type="button"
              class=${looks(ticket)}
              aria-pressed=${ticket.id === pinned}
              @click=${() => pin(ticket.id)}
              @pointerenter=${() => point(ticket.id)}
              @pointerleave=${() => point(null)}
              @focus=${() => point(ticket.id)}
              @blur=${() => point(null)}
            >
              ${line(ticket, train)}
            </button>
          </li>`,
      )}
    </ul>
    ${tickets.length ? nothing : html`<p class="faint">${texts.play.noneYet}</p>`}
  </section>`;
}

/**
 * The tickets to choose from.
 * @param {{ tickets: Read[], title: string, train: string, picked: string[],
 *   point: (id: string | null) => void, pick: (id: string) => void }} is
 */
export function offer({ tickets, title, train, picked, point, pick }) {
  return html`<fieldset class="offer">
    <legend>${title}</legend>
    <ul>
      ${tickets.map(
        (ticket) =>
          html`<li>
            <label
              class=${looks(ticket)}
              @pointerenter=${() => point(ticket.id)}
              @pointerleave=${() => point(null)}
              ><input
                type="checkbox"
                name="ticket"
                value=${ticket.id}
                .checked=${picked.includes(ticket.id)}
                @change=${() => pick(ticket.id)}
                @focus=${() => point(ticket.id)}
                @blur=${() => point(null)}
              />${line(ticket, train)}</label
            >
          </li>`,
      )}
    </ul>
  </fieldset>`;
}
