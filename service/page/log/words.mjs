/** Describe an entry: one sentence for each event. */

import { declared } from "../declared.mjs";
import { merged } from "../sentences.mjs";
import { texts } from "../texts/texts.mjs";

/**
 * `seat` is the seat that the sentence is about, or null. `text` is plain text; its names are
 * enclosed in bidi isolates (see `isolated` in ../declared.mjs).
 * @typedef {{ seat: number | null, text: string }} Sentence
 * `viewer` is the seat from which an open book is described; without it, nothing is hidden.
 * @typedef {{ board: any, name: (seat: number) => string, viewer: number | null }} Told
 */

/** Describe an entry. A card that the reader may not see is not in the entry, so it is not named.
 * @param {any} entry @param {Told} told @returns {Sentence[]} */
export function words(entry, told) {
  const isBeginning = entry.events.some(
    (/** @type {any} */ event) => event.type === "game_started",
  );
  /** @type {Sentence[]} */ const sentences = [];
  const say = (/** @type {string | undefined} */ text, /** @type {any} */ event = {}) => {
    if (text) sentences.push({ seat: event.seat ?? null, text });
  };
  for (const happened of merged(entry.events)) {
    const event = seen(happened, told.viewer);
    if (isBeginning && ["deck_shuffled", "tickets_drawn"].includes(event.type)) continue;
    const text = declared(told.board, "events", event.type, event, told.name);
    if (text) say(text, event);
    else if (event.points) {
      // of a rule that declares no sentence
      say(
        texts.log.scores(told.name(event.seat), event.type.replaceAll("_", " "), event.points),
        event,
      );
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
  return {
    ...event,
    kept: undefined,
    refused: undefined,
    kept_count: event.kept.length,
    refused_count: event.refused.length,
  };
};

/** The results, the winner's first. @param {any[]} results @returns {{ seat: number, result: any }[]} */
export const ranked = (results) =>
  results
    .map((result, seat) => ({ seat, result }))
    .sort((one, other) => one.result.rank - other.result.rank);
