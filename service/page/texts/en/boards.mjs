/** What the page says of boards, their rules and statistics. */
export const boards = {
  /** @param {number} least @param {number} most */
  players: (least, most) => `${least} to ${most} players`,
  play: "Start a game on it",
  leaderboard: "Leaderboard",
  map: "Map",
  numbers: "In the box",
  rules: "Rules in force",
  statistics: "What its games add up to",
  /** @param {string | undefined} piece */
  trains: (piece) => (piece && piece !== "train" ? `Trains (${piece}) each` : "Trains each"),
  hand: "Cards at the start",
  deck: "Deck",
  /** @param {string} count */
  cards: (count) => `${count} cards`,
  deckOf: "Cards of each colour",
  pointsOf: "Points of a route",
  atStart: "Tickets at the start",
  onATurn: "Tickets on a turn",
  /** @param {number} deal @param {number} long @param {number} keep */
  offer: (deal, long, keep) => `${deal}${long ? ` and ${long} long` : ""}, keep ${keep} at least`,
  removed: "; the refused ones leave the game",
  locations: "Locations",
  routes: "Routes",
  tickets: "Tickets",
  or: " or ",
  then: ", then ",
  rule: "rule",
  allRules: "All rules, numbered",
  doubles: "Double routes.",
  /** @param {string} players */
  doublesClosed: (players) => `With ${players} players only one track of each is used.`,
  ties: "Ties",
  /** @type {Record<string, string>} */
  tieBreaks: {
    tickets_completed: "are broken by the most completed tickets",
    stations: "the fewest stations built",
    longest_path: "holding the longest path",
    longest_path_length: "the longer path",
  },
  /** Names of rules that are not those of their ids. @type {Record<string, string>} */
  ruleNames: {},
  color: "Colour",
  length: "Length",
  points: "Points",
  kindOf: "Kind",
  double: "double",
  long: "long",
  set: "Set",
  between: "Between",
  claimed: "Claimed",
  /** @param {string} share */
  claimedIn: (share) => `claimed in ${share} of games`,
  kept: "Kept",
  completed: "Completed",
  search: "Search by location",
  /** @param {string} routes @param {string} tickets */
  found: (routes, tickets) => `${routes} routes, ${tickets} tickets`,
  noneFound: "None.",
  sort: "Sort by this",
  notPlayed: "No game has been finished on it yet.",
  /** @param {string} games */
  gamesOver: (games) => (games === "1" ? "1 game finished:" : `${games} games finished:`),
  /** @param {string} games @param {number} seats */
  withSeats: (games, seats) => `${games} of ${seats} seats`,
  byKind: "How each kind of player did, by number of seats",
  kind: "Player",
  /** @type {Record<string, string>} */
  kinds: { person: "People", external: "Bots of others" },
  seats: "Seats",
  meanScore: "Mean score",
  won: "Won",
  played: "Seats played",
};
