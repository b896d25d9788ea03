/** Everything that the page says, in English: by part of the page, then by what it says. Names of
 * boards, locations and players are theirs. */
export const en = {
  app: {
    title: "Fogg",
    games: "Games",
    tournaments: "Tournaments",
    leaderboards: "Leaderboards",
    boards: "Boards",
    api: "API",
    loading: "Loading …",
    missing: "There is nothing at this address.",
    again: "Try again",
    /** @param {string} name */
    youAre: (name) => `You are ${name}`,
    guest: "Guest",
    account: "Account",
    connected: "connected",
    reconnecting: "connection lost, trying again …",
  },
  lobby: {},
  game: {
    map: "Map",
    seats: "Seats",
    log: "What happened",
    play: "Your turn",
    replay: "Replay",
    scoring: "Final scoring",
  },
  play: {},
  map: {},
  log: {},
  replay: {},
  scoring: {},
  tournaments: {},
  leaderboards: {},
  players: {},
  boards: {},
};
