/** How long each entry of a game is shown while it plays itself: live or as a replay. */

export const [SHOW, REAL] = [-1, 0]; // as speeds: so that a game lasts SHORTEST to LONGEST, or in real time
export const PAUSE = 10; // seconds: in real time, no entry is shown for longer
const [MOVE, QUICKEST, SLOWEST] = [600, 200, 1500]; // milliseconds of a move: as a rule, and in long and short games
const [SHORTEST, LONGEST] = [60_000, 90_000]; // milliseconds of a game
const PER_TRAIN = 1.25; // moves for each train of each seat: a guess while the end is unknown

/** @param {Entry | undefined} entry @param {string} type of an event */
const has = (entry, type) => entry?.events.some((event) => event.type === type) ?? false;

/** Whether these are the two draws of a turn. @param {Entry | undefined} one @param {Entry | undefined} next */
const areDraws = (one, next) =>
  one?.seat === next?.seat &&
  has(one, "card_drawn") &&
  has(next, "card_drawn") &&
  !has(one, "turn_began");

/** The time of an entry, in moves: a claim counts twice, the two draws of a turn as one.
 * @param {Entry[]} entries @param {number} i */
const share = (entries, i) =>
  has(entries[i], "route_claimed")
    ? 2
    : areDraws(entries[i], entries[i + 1])
      ? 1 / 3
      : areDraws(entries[i - 1], entries[i])
        ? 2 / 3
        : 1;

/** Milliseconds that a version is shown before the next one.
 * @param {Pick<Table, "board" | "entries" | "view">} table @param {number} version
 * @param {number} speed entries per second, SHOW or REAL @param {Entry[]} [waiting] entries that come after the table's */
export function pause({ board, view, entries }, version, speed, waiting = []) {
  if (speed > 0) return 1000 / speed;
  const [here, next] = entries.slice(version - 1, version + 1).map(({ at }) => Date.parse(at));
  if (speed === REAL) return Math.min(PAUSE * 1000, Math.max(0, (next ?? here) - here));
  const known = [...entries, ...waiting];
  const moves = known.reduce((sum, _, i) => sum + share(known, i), 0);
  const all = has(known.at(-1), "game_ended")
    ? moves
    : Math.max(moves, PER_TRAIN * board.trains * view.seats.length);
  const move = Math.min(LONGEST, Math.max(SHORTEST, all * MOVE)) / all;
  return share(known, version - 1) * Math.min(SLOWEST, Math.max(QUICKEST, move));
}
