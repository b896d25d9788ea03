/** The words that a board declares for its rules' events, actions and marks. */

import { html } from "./vendor/lit-html/lit-html.js";
import { cardColor } from "./marks.mjs";
import { placeName as place } from "./map/places.mjs";
import { sentence } from "./sentences.mjs";
import { texts } from "./texts/texts.mjs";
import { colorsOf, counted, own } from "./own.mjs";

/** @typedef {Record<string, number>} Cards */

const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Wrap a name in bidi isolates, so that it cannot reorder the text around it.
 * @param {string} name */
export const isolated = (name) => `\u2068${name.replace(BIDI, "")}\u2069`;

/** A text as markup, each isolated name in an element of its own. @param {string} text */
export const marked = (text) =>
  text
    .split(/\u2068([^\u2069]*)\u2069/)
    .map((part, i) => (i % 2 ? html`<bdi class="who">${part}</bdi>` : part));

/** Cards in words, in the board's order. @param {any} board @param {Cards} cards */
const cardWords = (board, cards) =>
  texts.log.and(
    colorsOf(board).flatMap((color) =>
      own(cards, color)
        ? texts.log.card(cardColor(board, color).name, own(cards, color) ?? 0, color === "wild")
        : [],
    ),
  );

/** Where a route or a ticket runs. @param {any} board @param {string} id @returns {string} */
export const way = (board, id) => {
  const { a, b } = [...board.routes, ...board.tickets].find((one) => one.id === id) ?? {
    a: id,
    b: "",
  };
  return texts.log.way(place(board, a), place(board, b));
};

/** Functions that put the members of a template into words. @param {any} board
 * @param {(seat: number) => string} [name] @returns {import("./sentences.mjs").Readers} */
export const readers = (board, name = texts.app.seat) => ({
  board: () => board.name,
  player: (player) => isolated(player.name),
  seat: (seats) => texts.log.and([seats].flat().map(name)),
  route: (ids) =>
    [ids]
      .flat()
      .map((id) => way(board, id))
      .join(", "),
  location: (id) => place(board, id),
  card: (cards) => cardWords(board, counted([cards].flat())),
  cards: (cards) => cardWords(board, cards),
  other: (value) => texts.log.and([value].flat().map(String)),
  wild: (count) => cardWords(board, { wild: count }),
  counts: (counts) => texts.log.and(Object.entries(counts).map(([of, count]) => `${count} ${of}`)),
});

/** Describe a decision in words that continue "you have to". @param {any} board
 * @param {string} name */
export const decisionWords = (board, name) =>
  own(board.declared.decisions, name) ?? name.replaceAll("_", " ");

/** Describe an event, an action or a mark of the map. Use the template of the language, else the
 * board's. @param {any} board
 * @param {"events" | "actions" | "routes" | "locations" | "tickets" | "seat_view" | "rules"} what
 * @param {string} name @param {Record<string, any>} value @param {(seat: number) => string} [called] */
export function declared(board, what, name, value, called) {
  const templates =
    own(texts.log.declared, `${what} ${name}`) ?? own(board.declared[what], name)?.says;
  return templates && sentence(templates, value, readers(board, called), texts.log.count);
}
