/** What the page says of games, in English: by part of the page, then by what it says. The rest is in
 * en/lobby.mjs and en/records.mjs. Names of boards, locations and players are theirs. */
import { log } from "./en/log.mjs";
import { map } from "./en/map.mjs";
import { play } from "./en/play.mjs";
import { replay } from "./en/replay.mjs";
import { scoring } from "./en/scoring.mjs";

export const en = {
  language: "en",
  app: {
    title: "Fogg",
    games: "Games",
    tournaments: "Tournaments",
    leaderboards: "Leaderboards",
    boards: "Boards",
    api: "API",
    parts: "Parts of this page",
    skip: "Skip to the content",
    loading: "Loading …",
    late: "The service is busy, or cannot be reached. Trying again …",
    notLoaded: "A part of this page could not be loaded.",
    missing: "There is nothing at this address.",
    missingWhy: "It may have been misspelt, or what was there may not be for you to see.",
    home: "To the games",
    failed: "This could not be shown.",
    again: "Try again",
    guest: "Guest",
    bot: "bot",
    openSeat: "open seat",
    /** @param {number} count */
    yourTurn: (count) => (count === 1 ? "Your turn in a game" : `Your turn in ${count} games`),
    account: "Account",
    forgotten: "This service does not know the account any more that was kept here.",
    dismiss: "OK",
    connected: "connected",
    reconnecting: "connection lost, trying again …",
  },
  game: {
    map: "Map",
    seats: "Seats",
    log: "What happened",
    play: "Your turn",
    replay: "Replay",
    lookBack: "Look back",
    scoring: "Final scoring",
  },
  play,
  map,
  log,
  ...replay,
  scoring,
};
