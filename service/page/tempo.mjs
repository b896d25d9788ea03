/** How long each entry of a game is shown while a game plays itself: live, as a replay, or on the first screen. */

/** @typedef {import("./fold.js").Entry} Entry
 * @typedef {{ entries: Entry[], board: { trains: number }, view: { seats: unknown[] } }} Played */

export const [SHOW, REAL] = [-1, 0]; // as speeds: so that a game lasts SHORTEST to LONGEST, or in real time
export const PAUSE = 10; // seconds: in real time, no entry is shown for longer
const MOVE = 600; // milliseconds
const [SHORTEST, LONGEST] = [60_000, 90_000]; // milliseconds of a whole game: moves get more or less time for it
const [QUICKEST, SLOWEST] = [200, 1500]; // milliseconds of a move, however long the game is
const PER_TRAIN = 1.25; // moves for each train of each seat, as far as the end is not known yet

/** @param {Entry | undefined} entry @param {string} type of an event */
const has = (entry, type) => entry?.events.some((event) => event.type === type) ?? false;

/** Whether these are the two draws of a turn. @param {Entry | undefined} one @param {Entry | undefined} next */
const areDraws = (one, next) => one?.seat === next?.seat && has(one, "card_drawn") && has(next, "card_drawn")
  && !has(one, "turn_began");

/** The time of an entry, in moves: a claim counts twice, the two draws of a turn as one.
 * @param {Entry[]} entries @param {number} i */
const share = (entries, i) => has(entries[i], "route_claimed") ? 2 : areDraws(entries[i], entries[i + 1]) ? 1 / 3
  : areDraws(entries[i - 1], entries[i]) ? 2 / 3 : 1;

/** Milliseconds of a move. @param {Entry[]} entries that are known @param {number} expected moves of the whole game */
function moveOf(entries, expected) {
  const known = entries.reduce((sum, _, i) => sum + share(entries, i), 0);
  const moves = has(entries.at(-1), "game_ended") ? known : Math.max(known, expected);
  return Math.min(SLOWEST, Math.max(QUICKEST, Math.min(LONGEST, Math.max(SHORTEST, moves * MOVE)) / moves));
}

/** Milliseconds that a version is shown before the next one.
 * @param {Played} game @param {number} version @param {number} speed entries per second, SHOW or REAL
 * @param {Entry[]} [entries] with those that are not shown yet */
export function pause({ board, view, entries: known }, version, speed, entries = known) {
  if (speed > 0) return 1000 / speed;
  if (speed === SHOW) return share(entries, version - 1) * moveOf(entries, PER_TRAIN * board.trains * view.seats.length);
  const [here, next] = entries.slice(version - 1, version + 1).map(({ at }) => Date.parse(at));
  return Math.min(PAUSE * 1000, Math.max(0, (next ?? here) - here));
}
