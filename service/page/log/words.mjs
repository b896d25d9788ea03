/** What an entry says, in words: one sentence for each thing that happened. */

import { cardColor } from "../marks.mjs";
import { placeName as place } from "../map/places.mjs";
import { texts } from "../texts/texts.mjs";

/**
 * `seat` is who it is about, null for nobody. In `text`, which is plain, names stand between the
 * characters that keep other directions of writing apart (see ../log/bidi.mjs).
 * @typedef {{ seat: number | null, text: string }} Sentence
 * `viewer` is the seat for which an open book is told as the seat saw the game; else all of it is.
 * @typedef {{ board: any, name: (seat: number) => string, viewer: number | null }} Told
 * @typedef {Record<string, number>} Cards
 */

const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A name within a sentence: whatever it is made of, what is around it stays where it is.
 * @param {string} name */
export const isolated = (name) => `\u2068${name.replace(BIDI, "")}\u2069`;

/** @param {string[]} colors @returns {Cards} */
const counted = (colors) => {
  /** @type {Cards} */ const counts = {};
  for (const color of colors) counts[color] = (counts[color] ?? 0) + 1;
  return counts;
};

/** Cards in words, in the board's order. @param {any} board @param {Cards} cards */
export const cardWords = (board, cards) => texts.log.and(Object.keys(board.cards)
  .filter((color) => cards[color]).map((color) => texts.log.card(cardColor(board, color).name, cards[color], color === "wild")));

/** Where a route or a ticket runs. @param {any} board @param {string} id @returns {string} */
export const way = (board, id) => {
  const { a, b } = [...board.routes, ...board.tickets].find((one) => one.id === id) ?? { a: id, b: "" };
  return texts.log.way(place(board, a), place(board, b));
};

/** @type {Record<string, (event: any, told: Told) => string | undefined>} */
const SAID = {
  game_created: (event, { board }) => texts.log.created(board.name, event.seats),
  game_forked: (event) => texts.log.forked(event.version),
  seat_taken: (event) => texts.log.sits(isolated(event.player.name)),
  seat_left: (event, { name }) => texts.log.leaves(name(event.seat)),
  open_seats_closed: () => texts.log.closed,
  game_started: (event, { name }) => texts.log.started(name(event.first_seat)),
  row_discarded: () => texts.log.rowDiscarded,
  deck_shuffled: () => texts.log.shuffled,
  card_drawn: (event, { board, name }) => (event.from === "row"
    ? texts.log.takes(name(event.seat), cardWords(board, { [event.card]: 1 }))
    : texts.log.draws(name(event.seat), event.card && cardWords(board, { [event.card]: 1 }))),
  tickets_drawn: (event, { name }) => texts.log.drawsTickets(name(event.seat),
    event.tickets?.length ?? event.tickets_count ?? 0),
  tickets_kept: (event, { board, name }) => texts.log.keeps(name(event.seat),
    event.kept?.length ?? event.kept_count ?? 0, event.refused?.length ?? event.refused_count ?? 0,
    event.kept?.map((/** @type {string} */ id) => way(board, id))),
  route_claimed: (event, { board, name }) => texts.log.claims(name(event.seat),
    way(board, event.route), cardWords(board, event.cards), event.points),
  flag_completed: (event, { board, name }) => texts.log.flag(name(event.seat),
    cardWords(board, event.cards), event.points),
  station_built: (event, { board, name }) => texts.log.builds(name(event.seat),
    place(board, event.location), cardWords(board, event.cards)),
  tunnel_attempted: (event, { board, name }) => texts.log.tries(name(event.seat),
    way(board, event.route), cardWords(board, event.cards)),
  tunnel_cost_raised: (event) => texts.log.raised(event.extra),
  tunnel_withdrawn: (event, { name }) => texts.log.withdraws(name(event.seat)),
  final_turns_began: (event, { name }) => texts.log.finalTurns(texts.log.and(event.seats.map(name))),
  passed: (event, { name }) => texts.log.passes(name(event.seat)),
  resigned: (event, { name }) => texts.log.resigns(name(event.seat), event.reason),
  game_aborted: (event) => texts.log.aborted(event.reason),
  game_ended: (event) => texts.log.ended(event.reason),
};

/** What an entry says. Who may not see a card is not told of it, as the entry says none.
 * @param {any} entry @param {Told} told @returns {Sentence[]} */
export function words(entry, told) {
  const isBeginning = entry.events.some((/** @type {any} */ event) => event.type === "game_started");
  /** @type {Sentence[]} */ const sentences = [];
  const say = (/** @type {string | undefined} */ text, /** @type {any} */ event = {}) => {
    if (text) sentences.push({ seat: event.seat ?? null, text });
  };
  const turned = entry.events.filter((/** @type {any} */ event) => event.type === "tunnel_card_turned");
  for (const happened of entry.events) {
    const event = seen(happened, told.viewer);
    if (isBeginning && ["deck_shuffled", "tickets_drawn"].includes(event.type)) continue;
    if (happened === turned.at(-1)) {
      say(texts.log.turned(cardWords(told.board, counted(turned.map((/** @type {any} */ one) => one.card)))));
    }
    if (Object.hasOwn(SAID, event.type)) say(SAID[event.type](event, told), event);
    else if (event.points) { // of a rule that is younger than this page
      say(texts.log.scores(told.name(event.seat), event.type.replaceAll("_", " "), event.points), event);
    }
    if (event.type === "game_ended") {
      for (const { seat, result } of ranked(event.results)) {
        say(texts.log.result(result.rank, told.name(seat), result.total), { seat });
      }
    }
  }
  if (isBeginning) say(texts.log.dealt);
  if (entry.timed_out) say(texts.log.timedOut);
  return sentences;
}

/** An event as a seat saw it. @param {any} event @param {number | null} viewer */
const seen = (event, viewer) => {
  if (viewer === null || event.seat === viewer) return event;
  if (event.type === "card_drawn" && event.from === "deck") return { ...event, card: undefined };
  if (event.type !== "tickets_kept" || !event.kept) return event;
  return { ...event, kept: undefined, refused: undefined,
    kept_count: event.kept.length, refused_count: event.refused.length };
};

/** The results, the winner's first. @param {any[]} results @returns {{ seat: number, result: any }[]} */
export const ranked = (results) => results.map((result, seat) => ({ seat, result }))
  .sort((one, other) => one.result.rank - other.result.rank);
