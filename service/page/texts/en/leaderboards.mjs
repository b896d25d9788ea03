/** What the page says of leaderboards. */
export const leaderboards = {
  what: "Finished games tell how strong players are.",
  how: "How ratings come about",
  overall: "All boards",
  allTime: "All time",
  board: "Board",
  players: "Players",
  settled: "Settled",
  seasons: "By month",
  month: "Month",
  games: "Games",
  state: "State",
  final: "final",
  running: "under way",
  noSeason: "No rated game yet.",
  bots: "Built-in bots",
  botPlot: "How they do",
  /** @param {string} board */
  of: (board) => `Leaderboard: ${board}`,
  /** @param {string} board @param {string} month */
  ofMonth: (board, month) => `Leaderboard: ${board}, ${month}`,
  onlySettled: "only settled ratings",
  isFinal: "This month is over, and all of its games are counted.",
  isRunning: "Games of this month are still being counted.",
  /** @param {string} rank @param {string} rating */
  you: (rank, rating) => `You are number ${rank}, with a rating of ${rating}.`,
  rank: "Rank",
  player: "Player",
  rating: "Rating",
  interval: "How sure",
  provisional: "provisional",
  provisionalMeans: "Too few rated games against proven players to be sure",
  won: "Won",
  last: "Last played",
  nobody: "Nobody is rated here yet.",
  /** @param {string} low @param {string} middle @param {string} high */
  between: (low, middle, high) => `from ${low} to ${high}, probably ${middle}`,
  barMeans: "The dot is how strong a player probably is (mu), the line how sure that is: three sigma to either side. Its "
    + "left end is the rating: what the player has almost surely proven.",
};
