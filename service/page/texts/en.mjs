/** All that the page says, in English. Names of boards, locations and players are theirs.
 *
 * Each part, `export const NAME = {`, is `texts.NAME` in the page's code. A browser loads the parts that its
 * screen needs and no others: each comes alone, with the lines between it and the part before. */

/** What every screen needs. */
export const app = {
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
  /** @param {number} number */
  seat: (number) => `seat ${number}`,
  /** @param {number} count */
  yourTurn: (count) => (count === 1 ? "Your turn in a game" : `Your turn in ${count} games`),
  account: "Account",
  forgotten: "This service does not know the account any more that was kept here.",
  dismiss: "OK",
  connected: "connected",
  reconnecting: "connection lost, trying again …",
};

/** The parts of a game's screen. */
export const game = {
  map: "Map",
  seats: "Seats",
  log: "What happened",
  play: "Your turn",
  replay: "Replay",
  lookBack: "Look back",
  scoring: "Final scoring",
};

/** What the map says. */
export const map = {
  /** @type {Record<string, string>} */
  colors: {},
  closer: "Closer",
  farther: "Farther",
  whole: "The whole map",
  list: "Routes as a list",
  filter: "Find a location",
  zoom: "Zoom",
  key: "Key to the map",
  keys: "Plus and minus zoom, arrows move, 0 shows the whole map, ? says what the signs mean.",
  /** @param {number} count */
  found: (count) => count === 1 ? "1 route" : `${count} routes`,
  double: "one of two tracks",
  /** @param {number} length @param {string} color */
  takes: (length, color) => `${length} ${color}`,
  grey: "of any one colour",
  /** @param {string} name */
  owned: (name) => `claimed by ${name}`,
  free: "free",
  /** @param {string} name */
  station: (name) => `station of ${name}`,
  /** @param {string} board @param {number} locations @param {number} routes @param {number} claimed */
  said: (board, locations, routes, claimed) =>
    `Map of ${board}: ${locations} locations, ${routes} routes, ${claimed} of them claimed`,
};

/** @param {number} number @param {string} thing in the singular */
const count = (number, thing) => `${number} ${number === 1 ? thing : several(thing)}`;
/** @param {string} thing */
const several = (thing) => /(s|x|ch|sh)$/.test(thing) ? `${thing}es` : `${thing}s`;
/** @param {string[]} names */
const all = (names) => names.length < 2 ? names.join("")
  : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
/** @param {string[]} names @param {string} alone @param {string} together */
const do_ = (names, alone, together) => `${all(names)} ${names.length > 1 ? together : alone}`;

/** What is said to whoever plays. */
export const play = {
  /** @type {Record<string, string>} */
  words: { card: "card", wild: "wild", train: "train", ticket: "ticket", location: "location",
    station: "station", flag: "flag" },
  count,
  you: "(you)",
  points: "points",
  hand: "Your cards",
  row: "To draw",
  backs: { cards: "Deck", tickets: "Tickets" },
  tickets: "Your tickets",
  noCards: "You have no cards.",
  noneYet: "None yet.",
  /** @param {string} color */
  take: (color) => `Take the ${color} card`,
  /** @param {number} left */
  draw: (left) => `Draw an unseen card: ${left} in the deck`,
  /** @param {string} ticket @param {number} left */
  drawTickets: (ticket, left) => `Draw ${several(ticket)}: ${left} left`,
  notNow: "This cannot be drawn now.",
  notSecond: "This cannot be taken as the second card (rule 3.2).",
  midTurn: "Your turn is to draw cards now.",
  noDeck: "No card is left to draw.",
  noTickets: "None is left.",
  isOver: "The game is over.",
  youWatch: "You are watching.",
  lookingBack: "This is how it was earlier.",
  notYours: "It is not your turn.",
  moment: "One moment …",
  youLeft: "You have left this game.",
  /** @type {Record<string, (names: string[]) => string>} */
  theirs: {
    turn: (names) => `${all(names)} to play.`,
    second_card: (names) => do_(names, "takes a second card.", "take a second card."),
    keep_tickets: (names) => do_(names, "chooses tickets.", "choose tickets."),
    tunnel: (names) => do_(names, "stands before a tunnel.", "stand before a tunnel."),
  },
  /** @type {Record<string, string>} */
  yours: {
    second_card: "Take a second card.",
    keep_tickets: "Choose which tickets to keep.",
    tunnel: "The tunnel asks for more: pay, or withdraw.",
  },
  /** @param {string} what */
  haveTo: (what) => `You have to ${what}.`,
  /** @param {string[]} names @param {string} what */
  theyHaveTo: (names, what) => `${do_(names, "has to", "have to")} ${what}.`,
  /** @type {Record<string, string>} */
  decides: { turn: "to play", second_card: "takes a second card", keep_tickets: "chooses tickets", tunnel: "before a tunnel" },
  /** @param {string[]} can */
  yourTurn: (can) => can.length ? `Your turn: ${can.join(", or ")}.` : "Your turn.",
  canDraw: "draw cards",
  canClaim: "claim a route",
  /** @param {number} number */
  routes: (number) => `${count(number, "route")} to claim`,
  /** @param {string} ticket */
  canTicket: (ticket) => `draw ${several(ticket)}`,
  mustPass: "You can do nothing but pass.",
  pass: "Pass",
  /** @param {string} station */
  buildStation: (station) => `Build a ${station}`,
  /** @param {string} location @param {string} station */
  choosePlace: (location, station) => `Choose the ${location} for your ${station}.`,
  resign: "Resign",
  resignSure: "Leave this game for good?",
  resignYes: "Yes, resign",
  resignNo: "No, play on",
  /** @param {number} turns */
  finalTurns: (turns) => turns === 1 ? "This is the last turn." : `The end is near: ${turns} turns are left.`,
  whichCards: "which cards?",
  claim: "Claim",
  build: "Build",
  pay: "Pay",
  cancel: "Cancel",
  /** @param {string} name */
  claimRoute: (name) => `Claim ${name}`,
  /** @param {string} station @param {string} place */
  buildAt: (station, place) => `Build a ${station} at ${place}`,
  /** @param {number} points */
  scores: (points) => `scores ${points}`,
  /** @param {number} points */
  scoresPoints: (points) => `It scores ${count(points, "point")}.`,
  /** @param {string} what */
  isMarked: (what) => `${what.charAt(0).toUpperCase()}${what.slice(1)}.`,
  keepForFlag: "Keep one of them for the flag (rule 4.5)",
  /** @param {string} name */
  cannotClaim: (name) => `You cannot claim ${name} now.`,
  /** @param {string} name */
  isClaimed: (name) => `${name} has claimed it.`,
  hasTwin: "You have claimed its other track (rule 4.2).",
  /** @param {number} players */
  oneTrack: (players) => `Its other track is claimed: with ${players} players only one is used (rule 4.2).`,
  /** @param {number} length @param {number} left @param {string} train */
  tooLong: (length, left, train) => `It takes ${count(length, train)}, and you have ${left} left.`,
  cardsLack: "Your cards do not pay for it.",
  /** @param {string} name */
  yourTunnel: (name) => `Your tunnel ${name}`,
  /** @param {string} who @param {string} name */
  theirTunnel: (who, name) => `${who}’s tunnel ${name}`,
  laid: "Laid",
  turned: "Turned from the deck",
  /** @param {number} extra */
  asksMore: (extra) => `Each turned card that has the colour laid, or is wild, asks for one more: ${count(extra, "card")}.`,
  cannotPay: "You do not have what it asks for.",
  withdraw: "Withdraw, and take the cards back",
  /** @param {number} least @param {number} of @param {string} ticket */
  keepSome: (least, of, ticket) => `Keep at least ${least} of ${of} ${several(ticket)}`,
  /** @param {number} number */
  keep: (number) => number ? `Keep ${number}` : "Keep …",
  connected: "connected",
  missed: "not connected",
  impossible: "no way of your own is left",
  /** @param {number} trains @param {string} train */
  tooFew: (trains, train) => `lacks ${count(trains, train)}, more than you have`,
  /** @param {number} trains @param {string} train */
  lacks: (trains, train) => `lacks ${count(trains, train)}`,
  youCanPay: "You can claim it:",
  /** @param {string} cards */
  youHave: (cards) => cards ? `You have ${cards}.` : "You have none of its cards.",
  /** @param {string} words */
  refused: (words) => `This was refused: ${words}.`,
  unreached: "The service could not be reached. Whether it has played this is seen when it answers again.",
  slow: "The service does not answer yet, trying again …",
  /** @param {string} number */
  rule: (number) => `Rule ${number}`,
  bank: "bank",
  timeIsUp: "time is up",
  /** @param {number} seconds */
  hurry: (seconds) => `You have less than ${seconds} seconds left.`,
  /** @param {number} seconds */
  span: (seconds) => {
    const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
    return hours >= 48 ? `${Math.floor(hours / 24)} days` : hours ? `${hours} h ${minutes % 60} min`
      : `${minutes}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
  },
  /** @type {Record<string, string>} */
  left: { resigned: "resigned", time: "ran out of time", aborted: "called the game off" },
  /** @param {number} rank */
  rank: (rank) => rank === 1 ? "winner" : `rank ${rank}`,
  /** @param {string[]} names @param {number} points */
  won: (names, points) => `${do_(names, "wins", "share the victory")} with ${points} points.`,
  noResult: "The game is over without a result.",
  /** @type {Record<string, string>} */
  endings: { final_turns: "The last turns were played.", all_passed: "Nobody could do anything any more.",
    one_seat_left: "All others have left.", aborted: "It was called off.", expired: "Nobody came." },
  rematch: "Rematch",
};

/** What the log says beside the sentences of events, which the board declares. Names come as they are
 * to stand in the sentence. */
export const log = {
  title: "What happened",
  /** @param {string[]} parts */
  and: (parts) => (parts.length < 2 ? parts.join("")
    : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`),
  /** @param {string} name @param {number} count @param {boolean} isWild */
  card: (name, count, isWild) => (count > 1 ? `${count} ${name}${isWild ? /s$/.test(name) ? "es" : "s" : ""}`
    : `${/^[aeiou]/i.test(name) ? "an" : "a"} ${name}`),
  /** @param {string} a @param {string} b */
  way: (a, b) => `${a} – ${b}`,
  /** @param {number} number @param {string} noun @param {string} [nouns] where the plural is no other */
  count: (number, noun, nouns) => `${number} ${number === 1 ? noun : nouns ?? `${noun}${/(s|x|ch|sh)$/.test(noun) ? "es" : "s"}`}`,
  /** Templates in this language, by what they are of and its name: "events route_claimed". English is
   * what the board declares (see ../sentences.mjs). @type {Record<string, string | string[]>} */
  declared: {},
  dealt: "Cards are dealt, and tickets to choose from",
  /** @param {string} name @param {string} what @param {number} points */
  scores: (name, what, points) => `${name} scores ${points} points: ${what}`,
  /** @param {number} rank @param {string} name @param {number} total */
  result: (rank, name, total) => `${rank}. ${name}: ${total} points`,
  timedOut: "Played by the clock: the time was over",
  quiet: "Nothing that can be seen",
  here: "shown",
};

/** What the replay says. */
export const replay = {
  position: "Where in the game",
  /** @param {number} version @param {string} words */
  version: (version, words) => `Entry ${version}: ${words}`,
  play: "Play", pause: "Pause", back: "One back", on: "One on",
  first: "To the beginning", last: "To the end",
  number: "Entry",
  /** @param {number} count */
  of: (count) => `of ${count}`,
  live: "Back to live",
  isLive: "Live",
  end: "Back to play",
  looking: "You look back; the game goes on",
  speed: "Speed",
  /** @param {number} speed entries a second */
  speeds: (speed) => (speed === Infinity ? "as quick as it goes" : `${speed} a second`),
  jump: "Jump by",
  previous: "The one before", next: "The next one",
  turns: "turns",
  notes: "notes",
  /** Other kinds, where they are not called as the board declares. @type {Record<string, string>} */
  kinds: {},
  /** @param {string} name */
  turnsOf: (name) => `turns of ${name}`,
  hands: "Hands",
  allHands: "All hands open",
  /** @param {string} name */
  seenBy: (name) => `As ${name} saw it`,
  more: "More",
  scores: "Score over time",
  /** @param {string} scores */
  scored: (scores) => `Score over time; now ${scores}`,
  /** @param {string} name @param {number} score */
  score: (name, score) => `${name} ${score}`,
};

/** What the final scoring says. */
export const scoring = {
  title: "Final scoring",
  play: "Add it up",
  stop: "Stop",
  back: "One step back",
  step: "One step on",
  end: "To the end",
  total: "Total",
  rank: "Rank",
  /** @type {Record<string, string>} */
  parts: {
    routes: "Routes", tickets: "Tickets", longest_path: "Longest path", stations: "Stations",
    districts: "Districts", flags: "Flags", globetrotter: "Most tickets",
  },
  begin: "Nothing is counted yet.",
  routes: "Routes, as they were scored during play",
  /** @param {string} name @param {string} ticket @param {number} points @param {boolean} isDone
   * @param {boolean} isLent */
  ticket: (name, ticket, points, isDone, isLent) => `${name}: ${ticket} is ${isDone
    ? `connected${isLent ? " with the help of a station" : ""}, ${points} points` : `not connected, ${points} points`}`,
  tickets: "Tickets",
  /** @param {string} name @param {number} length @param {number} points */
  trail: (name, length, points) => `${name}: a path of ${length} trains is the longest, ${points} points`,
  /** @param {string} part @param {string[]} of */
  part: (part, of) => `${part}: ${of.join(", ") || "nobody"}`,
  /** @param {string[]} names @param {number} total */
  won: (names, total) => `${names.join(" and ")} ${names.length > 1 ? "win" : "wins"} with ${total} points.`,
};

/** What the signs on the map mean. */
export const key = {
  title: "Key to the map",
  close: "Close",
  cards: "Cards",
  /** @param {string} name */
  wild: (name) => `${name}: stands for any colour`,
  routes: "Tracks that are free",
  /** @param {string} color @param {string} wild */
  colored: (color, wild) => `Takes cards of its colour, here ${color}, one for each space; a ${wild} stands for any. `
    + "The spaces show the cards' symbol from near.",
  grey: "Grey: takes cards of any one colour.",
  /** What marks of routes mean that this page draws in a way of its own; of others it says what their
   * board declares. @type {Record<string, (wild: string) => string>} */
  marks: {
    ferry: (wild) => `Ferry: for each space with this star a ${wild} has to be among the cards.`,
    tunnel: () => "Tunnel, with dashed edges: three cards are turned up as one pays, and may ask for more.",
  },
  /** @param {number[]} counts */
  double: (counts) => `Two tracks between the same two: nobody may claim both.${counts.length
    ? ` With ${counts.join(" or ")} players only one of them is used.` : ""}`,
  places: "Places",
  /** @param {string} location */
  location: (location) => `A ${location}.`,
  /** @param {string} location @param {string} district @param {number} number */
  district: (location, district, number) => `A ${location}; number and colour are those of its ${district}, here ${number}.`,
  seats: "Who has what",
  /** @param {number} seat */
  seat: (seat) => `Seat ${seat}`,
  seatsOfGame: "Each seat has a number, a pattern for its wagons, and a line in the plot of the scores.",
  seatsOfBoard: "Each seat has a number, and a pattern for its wagons.",
  /** @param {string} station */
  station: (station) => `A ${station}, with its owner's pattern and number.`,
  /** @param {string} flag */
  flag: (flag) => `A card beside a seat's name: it is kept for the ${flag}.`,
  lights: "What is lit",
  can: "You can pay for it, and may claim it now.",
  cannot: "Not lit: you cannot claim it now.",
  chosen: "Chosen, or pointed at in a list.",
  /** @param {string} ticket */
  wanted: (ticket) => `Still lacking: the shortest way for the ${ticket} that is pointed at.`,
  /** @param {string} ticket */
  done: (ticket) => `Done: what you have of that way, or what completes a ${ticket}.`,
  /** @param {string} ticket */
  ends: (ticket) => `The ends of a ${ticket} that is pointed at.`,
  /** @param {string} ticket */
  missed: (ticket) => `The ends of a ${ticket} that was missed, or can be completed no more.`,
  /** @param {string} station */
  borrowed: (station) => `Another's track that a ${station} lets one use.`,
  traced: "In the final scoring: the way that counts.",
};

/** What is said where a position is shared, gone on from, and the game checked. */
export const more = {
  title: "More",
  close: "Close",
  /** @param {number} version */
  share: (version) => `Share entry ${version}`,
  link: "Link to this position",
  copy: "Copy link",
  copied: "Copied",
  picture: "Picture of this position",
  history: "Download the history",
  isPrivate: "The game is private: only those who play in it can open the link.",
  fork: "What if? Go on from here",
  notUnderWay: "Choose a position in which the game is under way.",
  inPlaceOf: "In place of",
  me: "I",
  kept: "The cards come in the same order as then",
  /** @param {number} version */
  goOn: (version) => `Go on from entry ${version}`,
  check: "Was all of it fair?",
  checks: "Your browser checks it: every hash in the chain, the commitment from before the first card, every "
    + "shuffle; then whether the log of finished games, which everybody can read, has this very game.",
  checkNow: "Check now",
  /** @param {number} version @param {number} count */
  checked: (version, count) => `entry ${version} of ${count}`,
  right: {
    commitment: "the seed is the one that was committed to",
    firstSeat: "the first seat follows from the seed",
    tickets: "the tickets lie in the order that follows from the seed",
    cards: "the cards lie in the order that follows from the seed",
    undrawn: "what was not drawn lies in the order that follows from the seed",
  },
  /** @param {number} count @param {string} hash */
  allRight: (count, hash) => `All ${count} entries are right. The last hash is ${hash}`,
  /** @param {number} version @param {string} words */
  isWrong: (version, words) => `Entry ${version} is wrong: ${words}`,
  log: {
    title: "In the log of finished games",
    looking: "Being looked for …",
    named: "this line was the last when the game was created, as its first entry says",
    /** @param {number} first */
    follow: (first) => `the lines from ${first} to here follow from each other`,
    /** @param {string} hash */
    own: (hash) => `this line is the game's, and follows; the line's hash is ${hash}`,
    right: "The game is in the log as it is here. Keep the line's hash: whoever changes this game or any that "
      + "ended before it can show no log with that line any more.",
    /** @param {number} last */
    lacking: (last) => `The log, which ends with line ${last}, does not have this game. If it is over only since `
      + "seconds, check again in a moment.",
    /** @param {string} words */
    wrong: (words) => `The log could not be followed: ${words}`,
    /** @param {number} n */
    gone: (n) => `line ${n} is not the one that the game's first entry names`,
  },
  unchecked: "What was not checked here",
  /** @param {boolean} isInLog */
  uncheckedList: (isInLog) => [
    "whether the rules allowed each action, the clock, and the final score: the program fogg verify checks these as well",
    isInLog ? "the other lines of the log, and whether everybody is shown the same log: compare hashes with others"
      : "that the service has told everybody the same history: only the log can show that",
  ],
  fairness: "What each check proves",
  keys: "Keys",
  keyList: [
    { keys: ["Space"], deed: "play, pause" },
    { keys: ["←", "→"], deed: "one back, one on" },
    { keys: ["Shift ←", "Shift →"], deed: "the one before, the next one of what you jump by" },
    { keys: ["Home", "End"], deed: "to the beginning, to the end" },
  ],
};

/** @param {number} seconds */
const duration = (seconds) => {
  const [unit, length] = seconds % 86_400 === 0 ? ["day", 86_400] : seconds % 3_600 === 0 ? ["hour", 3_600]
    : seconds % 60 === 0 ? ["minute", 60] : ["second", 1];
  const count = seconds / Number(length);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
};

/** What the lobby says, and what is about accounts, in English. */
export const lobby = {
  title: "Play, watch and replay",
  what: "Fogg plays by the rules of Ticket to Ride: against bots, against people, or bots among "
    + "themselves. No account is needed to begin, and every game can be replayed and checked.",
  mine: "Your games",
  open: "Open games",
  all: "All games",
  board: "Board",
  allBoards: "All boards",
  /** @param {{ per_decision?: number, bank?: number, increment?: number } | undefined} clock */
  clock: (clock) => {
    if (clock?.per_decision) return `${duration(clock.per_decision)} for each decision`;
    if (!clock?.bank) return "the usual time";
    return `${duration(clock.bank)} in all${clock.increment ? `, and ${duration(clock.increment)} more with each decision` : ""}`;
  },
  creating: {
    title: "New game",
    board: "Board",
    seats: "Seats",
    /** @param {number} least @param {number} most */
    players: (least, most) => `${least} to ${most} players`,
    /** @param {number} seat */
    seat: (seat) => `Seat ${seat}`,
    me: "You",
    open: "Open, for anybody",
    /** @param {string} name */
    bot: (name) => `Bot: ${name}`,
    /** @param {string} name */
    botLater: (name) => `Bot: ${name} (not ready yet)`,
    /** @param {string[]} names */
    notReady: (names) => `${names.join(", ")}: still being prepared; the game goes on as soon as it is ready.`,
    addSeat: "Add a seat",
    /** @param {number} seat */
    removeSeat: (seat) => `Remove seat ${seat}`,
    more: "More choices",
    clock: "Clock",
    onTimeout: "Whose time is over",
    timeouts: { resign: "leaves the game", act: "lets the service play that once" },
    visibility: "Who sees it",
    visibilities: {
      public: "everybody",
      unlisted: "whoever has the address",
      private: "only the players",
    },
    first: "Who begins",
    drawn: "is drawn",
    play: "Play",
    watch: "Watch",
    setUp: "Set up, and wait for others",
    /** @param {number} count */
    find: (count) => (count === 1 ? "Find an opponent" : `Find ${count} opponents`),
    findWhy: "Offers this game for a quarter of an hour to whoever comes; bots are left out.",
  },
  seeks: {
    title: "They look for opponents",
    yours: "Yours",
    /** @param {number} count */
    players: (count) => `${count} players`,
    rated: "rated",
    casual: "not rated",
    /** @param {number | undefined} from @param {number | undefined} to */
    rating: (from, to) => `for ratings${from === undefined ? "" : ` from ${from}`}${to === undefined ? "" : ` up to ${to}`}`,
    /** @param {number} count @param {number} wanted */
    accepted: (count, wanted) => `${count} of ${wanted} accepted`,
    /** @param {number} minutes */
    lapses: (minutes) => `for another ${duration(60 * minutes)}`,
    accept: "Accept",
    withdraw: "Take back",
    waiting: "You have accepted",
    wait: "The game opens here as soon as it begins.",
  },
  rows: {
    /** @param {number} count */
    open: (count) => (count === 1 ? "1 seat open" : `${count} seats open`),
    over: "over",
    calledOff: "called off",
    yourTurn: "your turn",
    underWay: "under way",
    waitsFor: "waits for",
  },
  lists: {
    more: "More",
    join: "Join",
    playing: "Under way",
    waiting: "Not begun",
    finished: "Over",
    none: { playing: "No game is under way.", finished: "No game is over yet." },
    noneToJoin: { lobby: "Nobody waits for others now. Leave a seat of a new game open, and it stands here for all to join." },
    noneOfMine: {
      playing: "You are in no game now.",
      lobby: "No game of yours waits for players.",
      finished: "You have finished no game yet.",
    },
  },
  now: {
    title: "Now playing",
    none: "No public game is under way. Begin one: with bots on every seat you can watch them play.",
    /** @param {number} count */
    others: (count) => (count === 1 ? "And another" : `And ${count} others`),
  },
  joining: {
    /** @param {number} open */
    waiting: (open) => (open === 1 ? "Waiting for one more player" : `Waiting for ${open} more players`),
    sit: "Sit down",
    leave: "Leave",
    free: "Free the seat",
    /** @param {number} count */
    start: (count) => `Start with ${count} players`,
    abort: "Call the game off",
    link: {
      all: "Anybody may join. The address to send them:",
      invited: "Only whoever has this address may join:",
    },
    byInvitation: "Joining takes the address that the one who set the game up can send.",
    copy: "Copy",
    copied: "The address is copied.",
    copyByHand: "The address is selected: copy it now.",
    invited: "You are invited to a game",
    invitedWhy: "Only its players see it. Sit down, and you are one of them.",
  },
  who: {
    account: "Account",
    none: "You have no account yet. One is made for you as soon as you play; or choose a name first.",
    name: "Name",
    make: "Make an account",
    load: "Have one already? Load the file with its token:",
    loadWhy: "It was saved from this dialog in another browser; a file with the token alone will do, too.",
    noToken: "There is no token in this file.",
    rename: "Change",
    renamed: "You are called so from now on.",
    kept: "This account is kept in this browser alone. Save its token to go on elsewhere, or to have it if "
      + "the browser forgets. Whoever has the token can play as you.",
    download: "Save the token",
    page: "Your games and ratings",
    out: "Sign out …",
    outWhy: "This browser forgets the token. Without a saved file nobody can use this account again.",
    outYes: "Sign out",
    isOut: "You have signed out.",
    delete: "Delete the account …",
    deleteWhy: "The account is gone for good, and resigns its games under way. What was played stays.",
    deleteYes: "Delete the account",
    isDeleted: "The account is deleted.",
    cancel: "Cancel",
    close: "Close",
  },
};

/** What the page says of tournaments. */
export const tournaments = {
  what: "The service pairs the rounds and creates the games; entrants only play.",
  how: "How tournaments go",
  lists: { running: "Under way", open: "To be entered", finished: "Over" },
  none: { running: "None is under way.", open: "None can be entered now.", finished: "None is over yet." },
  statuses: { open: "open", running: "under way", finished: "over" },
  name: "Name",
  format: "Format",
  formats: { round_robin: "Round robin", swiss: "Swiss", knockout: "Knockout", ladder: "Ladder" },
  meaning: {
    round_robin: "everybody meets everybody.",
    swiss: "equals meet, nobody twice if it can be managed.",
    knockout: "the winners of tables go on.",
    ladder: "equals meet; entry stays open, and it goes on until its creator ends it.",
  },
  entrants: "Entrants",
  entrant: "Entrant",
  rounds: "Rounds",
  starts: "Starts",
  byHand: "when its creator says",
  changed: "Last change",
  startsAt: "Starts at",
  startedByHand: "Starts when its creator says.",
  /** @param {string} round @param {string} of */
  round: (round, of) => (round === "0" ? "The first round is being paired." : `Round ${round}${of && ` of ${of}`}`),
  endings: {
    complete: "All was played.",
    too_few: "Too few entrants were left.",
    ended: "Its creator ended it.",
    expired: "Nobody started it in time.",
  },
  setUp: "Set up a tournament",
  asItComes: "as it comes",
  perDecisionIn: "Seconds for each decision",
  duplicateDeals: "Duplicate deals: each table plays the same deal once from every seat",
  byInvitation: "By invitation: it takes a code to enter",
  botsToo: "Built-in bots that take part",
  settings: "How it is played",
  boards: "Boards",
  seats: "Seats at a table",
  /** @param {string} some @param {string} all */
  of: (some, all) => `${some} of ${all}`,
  entry: "Entry",
  entries: { open: "open to all", invitation: "by invitation" },
  clock: "Clock",
  /** @param {string} seconds */
  perDecision: (seconds) => `${seconds} seconds for each decision`,
  /** @param {string} bank @param {string} increment */
  bank: (bank, increment) => `${bank} seconds, and ${increment} more with each decision`,
  timeouts: { resign: "who thinks longer leaves the game", act: "for who thinks longer the service acts that once" },
  creator: "Set up by",
  duplicate: "Deals are duplicate: each table plays the same deal once from every seat, all at the same time, so that "
    + "luck counts less. Nobody else sees these games until all of them are over, as one would tell of the others.",
  actions: "Taking part",
  code: "Invitation code",
  link: "Link that invites",
  enter: "Enter the tournament",
  entered: "You have entered.",
  leave: "Withdraw",
  start: "Start now",
  end: "End after this round",
  standings: "Standings",
  nobody: "Nobody has entered yet.",
  rank: "Rank",
  points: "Points",
  tables: "Tables",
  won: "Games won",
  opponents: "Opponents",
  opponentsMean: "The points of all opponents: the first tie-break",
  left: "Left",
  byes: "Byes",
  meanTotal: "Mean total",
  margin: "Margin",
  interval: "Margin, with its interval",
  to: "to",
  marginMeans: "Margin: how far totals were above the mean of those at the table, in deals that all played out. The dot is "
    + "the margin, the line its 95 % confidence interval.",
  withdrawn: "withdrawn",
  absent: "absent",
  /** @param {string} round @param {string} board */
  roundOn: (round, board) => `Round ${round}: ${board}`,
  over: "over",
  /** @param {string} over @param {string} all */
  tablesOver: (over, all) => `${over} of ${all} tables over`,
  /** @param {string} table */
  table: (table) => `Table ${table}`,
  /** @param {string} game */
  game: (game) => (game ? `Game ${game}` : "Game"),
  /** @param {string} game */
  watch: (game) => (game ? `Watch game ${game}` : "Watch"),
  /** @param {string} game */
  play: (game) => (game ? `Play game ${game}` : "Play"),
  playing: "being played",
  decides: "to play",
  soFar: "so far",
  sealed: "being played, closed",
  winner: "(first)",
  leaving: { resigned: "resigned", time: "lost by time" },
  bye: "Bye:",
  void: "This round counts for nobody.",
  fed: "Who may have fed whom",
  fedMeans: "Whether one did better against, or beside, another than chance lets expect. A suspect is a reason to look at the "
    + "games, and no proof.",
  pair: "Giver → taker",
  suspect: "suspect",
  sameOwner: "one owner",
  observed: "Observed and expected",
  noPairs: "No two sat together at two tables or more.",
  compared: {
    /** @param {string} times @param {string} of @param {string} expected */
    won: (times, of, expected) => `won ${times} of ${of} tables, expected ${expected}`,
    /** @param {string} times @param {string} of @param {string} expected */
    beside: (times, of, expected) => `beat ${times} of ${of} others, expected ${expected}`,
    /** @param {string} times @param {string} of @param {string} expected */
    left: (times, of, expected) => `left ${times} of ${of} lost tables, expected ${expected}`,
  },
};

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

/** What the page says of players, their ratings and games. */
export const players = {
  bot: "bot",
  builtIn: "built-in bot",
  of: "of",
  you: "you",
  more: "Show more",
  since: "here since",
  version: "Version",
  ratings: "Ratings",
  noRating: "No rated game yet.",
  overTime: "Rating over time",
  /** @param {string} board */
  plot: (board) => `Rating over time: ${board}`,
  ratedGames: "Rated games",
  before: "before these games",
  /** @param {string} at @param {number} rank */
  after: (at, rank) => `${at}, rank ${rank}`,
  /** @param {string} when @param {string} rating @param {string} mu @param {string} sigma */
  point: (when, rating, mu, sigma) => `${when}: rating ${rating}, mu ${mu} ± ${sigma}`,
  pointAt: "Point at the plot, or walk along it with the arrow keys.",
  mu: "mu, the likeliest strength",
  sigma: "one sigma to either side",
  rating: "rating: mu − 3 sigma",
  /** @param {number} count */
  latestRated: (count) => `The latest ${count} rated games as a table`,
  allRated: "All rated games as a table",
  day: "When",
  weight: "Weight",
  opponents: "Opponents",
  opponent: "Opponent",
  played: "Games",
  /** @param {string} games @param {string} name */
  gamesAgainst: (games, name) => `${games} games against ${name}`,
  won: "Won",
  drawn: "Drawn",
  lost: "Lost",
  shares: "Won solid, drawn hatched, lost empty",
  margin: "Margin",
  marginMeans: "How many points more than the other, on average",
  nobodyMet: "Has met nobody yet.",
  /** @param {string} one @param {string} other */
  against: (one, other) => `\u2068${one}\u2069 against \u2068${other}\u2069`,
  allBoards: "All boards",
  allOpponents: "All opponents",
  neverMet: "They have not met in a public game.",
  /** @param {string} round of a tournament */
  round: (round) => `round ${round}`,
  games: "Games",
  game: "Game",
  seats: "Seats",
  openSeat: "open seat",
  noGames: "No public game yet.",
  statuses: { lobby: "waiting", playing: "live", finished: "over", aborted: "called off" },
  conduct: "How they play",
  finished: "Games finished",
  resigned: "Resigned",
  timedOut: "Lost by time",
  aborted: "Called off",
  decisions: "Decisions",
  timeouts: "Time ran out",
  faults: "Actions refused",
  latency: "Time to decide",
  /** @param {string} median @param {string} p95 */
  times: (median, p95) => `${median} at most half of the time, ${p95} at most 19 times of 20`,
};

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
