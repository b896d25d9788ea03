/** All that the page says, in English. Names of boards, locations and players are theirs.
 *
 * Each part, `export const NAME = {`, is `texts.NAME` in the page's code. */

const plural = new Intl.PluralRules("en");
/** @param {string} thing in the singular */
const several = (thing) => (/(s|x|ch|sh)$/.test(thing) ? `${thing}es` : `${thing}s`);
/** @param {number} number @param {string} thing in the singular @param {string} [things] where the plural is irregular */
const count = (number, thing, things = several(thing)) =>
  `${number} ${plural.select(number) === "one" ? thing : things}`;
/** @param {string[]} names */
const all = (names) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
/** @param {string[]} names @param {string} alone @param {string} together */
const do_ = (names, alone, together) => `${all(names)} ${names.length > 1 ? together : alone}`;
/** @param {number} seconds */
const duration = (seconds) => {
  const [unit, length] =
    seconds % 86_400 === 0
      ? ["day", 86_400]
      : seconds % 3_600 === 0
        ? ["hour", 3_600]
        : seconds % 60 === 0
          ? ["minute", 60]
          : ["second", 1];
  return count(seconds / Number(length), String(unit));
};

/** Texts of every screen. */
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
  troubles: {
    away: "The service cannot be reached. Trying again …",
    busy: "The service is busy. Trying again …",
    slow: "The service has not answered yet. Trying again …",
  },
  notLoaded: "A part of this page could not be loaded.",
  missing: "There is nothing at this address.",
  missingWhy: "The address may be misspelt, or you may not have access to it.",
  home: "To the games",
  failed: "This could not be shown.",
  again: "Try again",
  guest: "Guest",
  bot: "bot",
  openSeat: "open seat",
  /** @param {number} seat counted from 0 */
  seat: (seat) => `seat ${seat + 1}`,
  /** @param {string} name @param {number} seat counted from 0 */
  namesake: (name, seat) => `${name} (${seat + 1})`,
  asked: "Somebody wants to play with you",
  /** @param {number} count */
  yourTurn: (count) => (count === 1 ? "Your turn in a game" : `Your turn in ${count} games`),
  /** @param {{ per_decision?: number, total?: number, bank?: number, increment?: number } | null | undefined} clock */
  clock: (clock) => {
    const { per_decision: each, total = Infinity, bank = total } = clock ?? {};
    if (each && each < bank)
      return `${duration(each)} for each decision${total < Infinity ? `, ${duration(total)} per player` : ""}`;
    if (!clock) return "no time limit";
    return `${duration(bank)} per player${clock.increment ? `, and ${duration(clock.increment)} more with each decision` : ""}`;
  },
  sound: "Sound",
  account: "Account",
  language: "Language",
  forgotten: {
    revoked:
      "You are signed out here, because this browser's token was revoked. Your account still " +
      "exists: to use it again, click “Guest” and load another of its tokens.",
    deleted: "Your saved account no longer exists on this server.",
  },
  dismiss: "OK",
  points: "Points",
  name: "Name",
  settings: "Settings",
  over: "over",
  rank: "Rank",
  board: "Board",
  allBoards: "All boards",
  close: "Close",
  save: "Save",
  cancel: "Cancel",
  won: "Won",
  seats: "Seats",
};

/** Names for guests, until they choose their own. */
export const guests = {
  /** @param {number} one @param {number} other any whole numbers */
  name: (one, other) => {
    const colors = [
      "Amber",
      "Azure",
      "Copper",
      "Coral",
      "Crimson",
      "Emerald",
      "Golden",
      "Indigo",
      "Ivory",
      "Jade",
      "Lilac",
      "Maroon",
      "Olive",
      "Pearl",
      "Ruby",
      "Russet",
      "Saffron",
      "Scarlet",
      "Silver",
      "Teal",
      "Violet",
    ];
    const animals = [
      "Badger",
      "Beaver",
      "Bison",
      "Crane",
      "Dolphin",
      "Falcon",
      "Fox",
      "Gecko",
      "Hare",
      "Heron",
      "Ibex",
      "Kestrel",
      "Lynx",
      "Marten",
      "Moose",
      "Otter",
      "Owl",
      "Puffin",
      "Raven",
      "Robin",
      "Seal",
      "Stork",
      "Swan",
    ];
    return `${colors[one % colors.length]} ${animals[other % animals.length]}`;
  },
};

/** The parts of a game's screen. */
export const game = {
  map: "Map",
  log: "What happened",
  play: "Your turn",
  replay: "Replay",
  lookBack: "Look back",
  scoring: "Final scoring",
};

export const map = {
  /** @type {Record<string, string>} */
  colors: {},
  /** Words of boards' vocabularies that are others in this language. @type {Record<string, string>} */
  nouns: {},
  closer: "Zoom in",
  farther: "Zoom out",
  whole: "The whole map",
  list: "Routes as a list",
  filter: "Find a location",
  zoom: "Zoom",
  key: "Key to the map",
  keys: "Plus and minus zoom, arrows move, 0 shows the whole map, ? says what the signs mean.",
  found: (/** @type {number} */ routes) => count(routes, "route"),
  double: "one of two tracks",
  takes: (/** @type {number} */ length, /** @type {string} */ color) => `${length} ${color}`,
  grey: "of any one colour",
  worth: (/** @type {number} */ points) => count(points, "point"),
  owned: (/** @type {string} */ name) => `claimed by ${name}`,
  free: "free",
  station: (/** @type {string} */ name) => `station of ${name}`,
  /** @param {string} board @param {number} locations @param {number} routes @param {number} claimed */
  said: (board, locations, routes, claimed) =>
    `Map of ${board}: ${locations} locations, ${routes} routes, ${claimed} of them claimed`,
};

/** Texts for players. */
export const play = {
  /** @type {Record<string, string>} */
  words: {
    card: "card",
    wild: "wild",
    train: "train",
    ticket: "ticket",
    location: "location",
    station: "station",
    flag: "flag",
  },
  count,
  you: "(you)",
  points: "points",
  hand: "Your cards",
  row: "Face-up cards",
  backs: { cards: "Deck", tickets: "Tickets" },
  tickets: "Your tickets",
  noCards: "You have no cards.",
  noneYet: "None yet.",
  take: (/** @type {string} */ color) => `Take the ${color} card`,
  draw: (/** @type {number} */ left) => `Draw an unseen card: ${left} in the deck`,
  /** @param {string} ticket @param {number} left */
  drawTickets: (ticket, left) => `Draw ${several(ticket)}: ${left} left`,
  notNow: "You cannot draw this now.",
  notSecond: "A second card cannot be a face-up wild (rule 3.2).",
  midTurn: "You have drawn a card: take your second one.",
  noDeck: "No card is left to draw.",
  noTickets: "No tickets are left.",
  isOver: "The game is over.",
  youWatch: "You are watching.",
  lookingBack: "You are viewing an earlier position.",
  notYours: "It is not your turn.",
  moment: "One moment …",
  youLeft: "You have left this game.",
  /** @type {Record<string, (names: string[]) => string>} */
  theirs: {
    turn: (names) => `${all(names)} to play.`,
    second_card: (names) => do_(names, "takes a second card.", "take a second card."),
    keep_tickets: (names) => do_(names, "chooses tickets.", "choose tickets."),
    tunnel: (names) => do_(names, "is deciding on a tunnel.", "are deciding on a tunnel."),
  },
  /** @type {Record<string, string>} */
  yours: {
    second_card: "Take a second card.",
    keep_tickets: "Choose which tickets to keep.",
    tunnel: "The tunnel costs more: pay, or withdraw.",
  },
  haveTo: (/** @type {string} */ what) => `You have to ${what}.`,
  /** @param {string[]} names @param {string} what */
  theyHaveTo: (names, what) => `${do_(names, "has to", "have to")} ${what}.`,
  /** @type {Record<string, string>} */
  decides: {
    turn: "to play",
    second_card: "takes a second card",
    keep_tickets: "chooses tickets",
    tunnel: "decides on a tunnel",
  },
  /** @param {string[]} can */
  yourTurn: (can) => (can.length ? `Your turn: ${can.join(", or ")}.` : "Your turn."),
  canDraw: "draw cards",
  canClaim: "claim a route",
  routes: (/** @type {number} */ number) => `${count(number, "route")} to claim`,
  canTicket: (/** @type {string} */ ticket) => `draw ${several(ticket)}`,
  mustPass: "You can only pass.",
  pass: "Pass",
  buildStation: (/** @type {string} */ station) => `Build a ${station}`,
  /** @param {string} location @param {string} station */
  choosePlace: (location, station) => `Choose the ${location} for your ${station}.`,
  resign: "Resign",
  /** Questions before an action that cannot be taken back.
   * @type {Record<string, (ticket: string) => { sure: string, yes: string, no: string }>} */
  asks: {
    resign: () => ({ sure: "Leave this game for good?", yes: "Yes, resign", no: "No, play on" }),
    draw_tickets: (ticket) => ({
      sure: `New ${several(ticket)} take the whole turn.`,
      yes: `Draw ${several(ticket)}`,
      no: "Cancel",
    }),
  },
  /** @param {number} turns */
  finalTurns: (turns) =>
    turns === 1 ? "This is the last turn." : `The end is near: ${turns} turns are left.`,
  connected: "connected",
  missed: "not connected",
  onlyLent: "only with a route of another player",
  impossible: "you can no longer connect it",
  /** @param {number} trains @param {string} train */
  tooFew: (trains, train) => `${count(trains, train)} to go, more than you have`,
  /** @param {number} trains @param {string} train */
  lacks: (trains, train) => `${count(trains, train)} to go`,
  refused: (/** @type {string} */ words) => `This was refused: ${words}.`,
  unreached:
    "Your move may not have gone through. The page shows whether it did as soon as the service answers again.",
  rule: (/** @type {string} */ number) => `Rule ${number}`,
  bank: "bank",
  timeLeft: "time left:",
  timeIsUp: "none",
  hurry: (/** @type {number} */ seconds) => `You have less than ${seconds} seconds left.`,
  span: (/** @type {number} */ seconds) => {
    const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
    if (hours >= 24) {
      const [days, more] = [
        Math.floor(Math.ceil(seconds / 3600) / 24),
        Math.ceil(seconds / 3600) % 24,
      ];
      return `${count(days, "day")}${more ? ` ${more} h` : ""}`;
    }
    return hours
      ? `${hours} h ${minutes % 60} min`
      : `${minutes}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
  },
  /** @type {Record<string, string>} */
  left: { resigned: "resigned", time: "ran out of time", aborted: "aborted the game" },
  rank: (/** @type {number} */ rank) => (rank === 1 ? "winner" : `rank ${rank}`),
  /** @param {string[]} names @param {number} points */
  won: (names, points) => `${do_(names, "wins", "share the victory")} with ${points} points.`,
  noResult: "The game is over without a result.",
  counting: "The game is over. The points are being added up.",
  showResult: "Show the result",
  /** @type {Record<string, string>} */
  endings: {
    final_turns: "The last turns were played.",
    all_passed: "No player had a legal move.",
    no_progress: "Nobody made progress for a long time.",
    one_seat_left: "All others have left.",
    aborted: "It was aborted.",
    expired: "Nobody came.",
  },
  rematch: "Rematch",
};

/** The choices of the player whose turn it is: routes, cards, tickets, a tunnel. */
export const choices = {
  whichCards: "which cards?",
  claim: "Claim",
  build: "Build",
  pay: "Pay",
  claimRoute: (/** @type {string} */ name) => `Claim ${name}`,
  /** @param {string} station @param {string} place */
  buildAt: (station, place) => `Build a ${station} at ${place}`,
  scores: (/** @type {number} */ points) => `scores ${points}`,
  scoresPoints: (/** @type {number} */ points) => `It scores ${count(points, "point")}.`,
  isMarked: (/** @type {string} */ what) => `${what.charAt(0).toUpperCase()}${what.slice(1)}.`,
  keepForFlag: "Keep one of them for the flag (rule 4.5)",
  yourTunnel: (/** @type {string} */ name) => `Your tunnel ${name}`,
  theirTunnel: (/** @type {string} */ who, /** @type {string} */ name) => `${who}’s tunnel ${name}`,
  laid: "Laid",
  turned: "Turned from the deck",
  /** @param {number} extra */
  asksMore: (extra) =>
    `Each turned card that has the colour laid, or is wild, asks for one more: ${count(extra, "card")}.`,
  cannotPay: "You do not have the cards for it.",
  withdraw: "Withdraw, and take the cards back",
  /** @param {number} least @param {number} of @param {string} ticket */
  keepSome: (least, of, ticket) => `Keep at least ${least} of ${of} ${several(ticket)}`,
  keep: (/** @type {number} */ number) => (number ? `Keep ${number}` : "Keep …"),
  lacksCards: "You lack:",
  forGrey: (/** @type {number} */ count) => `${count} for grey tracks`,
  helps: (/** @type {string[]} */ tickets) => `On your way ${tickets.join(" and ")}.`,
  youCanPay: "You can claim it:",
  /** @param {string} cards @param {number} lacks */
  youHave: (cards, lacks) =>
    `${cards ? `You have ${cards}` : "You have none of its cards"}${lacks ? `: ${lacks} more needed` : ""}.`,
};

/** The lesson in a newcomer's first game. */
export const lesson = {
  title: "Your first lesson",
  step: (/** @type {number} */ step, /** @type {number} */ of) => `Lesson ${step} of ${of}.`,
  /** The last number is how many routes can be claimed; at the end, how many points the claim gave.
   * @type {((ticket: string, train: string, count: number) => string)[]} */
  steps: [
    (ticket) =>
      `A ${ticket} names two places to connect. Choose one: the map shows a way. Then keep what you want to try.`,
    () =>
      "Now draw two cards: the face-up ones, or from the deck. A card with a star replaces any colour, but face up it is your only card.",
    () =>
      "Tracks with a thick yellow edge are on your way; dashed ones lack cards. Click on one, or open the list: see what it takes.",
    (_, __, count) =>
      count
        ? "Now claim one: click on a track with a yellow edge, then on the cards that pay for it."
        : "Draw cards until a track has a yellow edge. Then click on it, and on the cards that pay for it.",
    (ticket, train, count) =>
      `Points for you: ${count}. Longer tracks give more. At the end each ${ticket} gives its points, or costs them ` +
      `if it is not connected. When somebody has at most two pieces left, each a ${train}, everybody has one more turn.`,
  ],
  skip: "Skip the lesson",
  end: "Play on",
};

/** Why a click on the map is refused. */
export const refusals = {
  cannotClaim: (/** @type {string} */ name) => `You cannot claim ${name} now.`,
  isClaimed: (/** @type {string} */ name) => `${name} has claimed it.`,
  hasTwin: "You have claimed its other track (rule 4.2).",
  /** @param {number} players */
  oneTrack: (players) =>
    `Its other track is claimed: with ${players} players only one is used (rule 4.2).`,
  /** @param {number} length @param {number} left @param {string} train */
  tooLong: (length, left, train) => `It takes ${count(length, train)}, and you have ${left} left.`,
  isYours: "You have claimed it.",
  /** @param {number} length @param {string} color "" for any one colour @param {string} held */
  needs: (length, color, held) =>
    color
      ? `You need ${length} ${color} and have ${held || "none"}.`
      : `You need ${length} cards of one colour and have at most ${held || "none"}.`,
  /** @param {string} station @param {string} place */
  cannotBuild: (station, place) => `You cannot build a ${station} at ${place} now.`,
  youBuilt: "You have built here.",
  hasBuilt: (/** @type {string} */ name) => `${name} has built here.`,
  noneLeft: (/** @type {string} */ station) => `You have no ${station} left.`,
  cardsLack: "Your cards do not pay for it.",
};

/** Texts of the log, without the sentences of events, which the board declares. Names come as they are
 * to stand in the sentence. */
export const log = {
  and: all,
  /** @param {string} name @param {number} count @param {boolean} isWild */
  card: (name, count, isWild) =>
    count > 1
      ? `${count} ${name}${isWild ? (/s$/.test(name) ? "es" : "s") : ""}`
      : `${/^[aeiou]/i.test(name) ? "an" : "a"} ${name}`,
  way: (/** @type {string} */ a, /** @type {string} */ b) => `${a} – ${b}`,
  count,
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
  since: "Since your last turn:",
  lately: "Last moves:",
  times: (/** @type {number} */ count) => `(${count} times)`,
};

export const replay = {
  position: "Where in the game",
  /** @param {number} version @param {string} words */
  version: (version, words) => `Move ${version}: ${words}`,
  play: "Play",
  pause: "Pause",
  back: "One back",
  on: "One on",
  first: "To the beginning",
  last: "To the end",
  number: "Move",
  of: (/** @type {number} */ count) => `of ${count}`,
  live: "Back to live",
  skip: "Skip to live",
  /** @param {number} moves three or more */
  ahead: (moves) => `${moves} moves ahead`,
  isLive: "Live",
  end: "Back to play",
  speed: "Speed",
  /** @param {number} speed entries a second, or 0 @param {number} pause seconds */
  speeds: (speed, pause) =>
    speed === Infinity
      ? "maximum speed"
      : speed < 0
        ? "as a show"
        : speed
          ? `${speed} a second`
          : `real time, pauses up to ${pause} s`,
  jump: "Jump by",
  previous: "Previous",
  next: "Next",
  turns: "turns",
  notes: "notes",
  /** Other kinds, where they are not called as the board declares. @type {Record<string, string>} */
  kinds: {},
  turnsOf: (/** @type {string} */ name) => `turns of ${name}`,
  hands: "Hands",
  allHands: "All hands open",
  seenBy: (/** @type {string} */ name) => `As ${name} saw it`,
  parts: { share: "Share", fork: "What if?", check: "Verify", keys: "Keys" },
  analyse: "Analyse",
  scored: (/** @type {string} */ scores) => `Score over time; now ${scores}`,
  score: (/** @type {string} */ name, /** @type {number} */ score) => `${name} ${score}`,
};

export const analysis = {
  title: "Analysis",
  curve: "Chances of winning over time",
  queued: "The analysis begins when no game waits for a bot",
  running: "Judging each move",
  failed: "This game cannot be analysed.",
  nothing: "No player decided anything in this move.",
  inaccuracy: "Inaccuracy",
  mistake: "Mistake",
  blunder: "Blunder",
  /** @param {string[]} marks */
  legend: (marks) => `Marked moves, and the points that they lost at least: ${marks.join(", ")}.`,
  same: "No other move was surely better.",
  other: (/** @type {string} */ action) => `The bot expert found better: ${action}.`,
  /** @param {string} cost points @param {string} least @param {string} most */
  costs: (cost, least, most) =>
    `The move cost ${cost} points (between ${least} and ${most}, 95 % sure).`,
  chance: (/** @type {string} */ chance) => `Chance of winning after it: ${chance}.`,
  turn: (/** @type {number} */ version) => `Turning point: move ${version}`,
  turned: "Turning point: from here on, the winner's chances were the best.",
  /** @param {number} version @param {string} cost */
  cost: (version, cost) => `move ${version}: ${cost} points`,
  none: "none for certain",
  more: "What the numbers mean",
  learnShort: "Learn",
  learn: (/** @type {string} */ name) => `Learn from ${name}'s mistakes`,
  /** @param {string} name @param {string} move */
  task: (name, move) => `${name} chose to ${move}. Find a better move in the list or on the map.`,
  choose: "Choose a move",
  try: "Try it",
  show: "Show it",
  next: "Go on",
  end: "End",
  found: "Yes, that is it.",
  /** @param {string} move */
  missed: (move) => `The bot expert found something else than: ${move}. Try again.`,
  actions: {
    keep: (/** @type {string[]} */ tickets) => `keep ${tickets.join(", ")}`,
    draw: (/** @type {string} */ card) => `draw ${card}`,
    deck: "draw a card from the deck",
    tickets: "draw tickets",
    /** @param {string} way @param {string} [cards] */
    claim: (way, cards) => (cards ? `claim ${way} with ${cards}` : `claim ${way}`),
  },
};

export const scoring = {
  play: "Add it up",
  stop: "Stop",
  back: "One step back",
  step: "One step on",
  total: "Total",
  /** @param {string} name @param {number} length */
  path: (name, length) => `The longest path is ${name}’s: length ${length}.`,
  boldest: (/** @type {string} */ ticket) => `The boldest ticket. ${ticket}.`,
  /** @param {string} name @param {string} route @param {number} length */
  largest: (name, route, length) => `The largest route is ${name}’s: ${route}, length ${length}.`,
  /** @type {Record<string, string>} */
  parts: {
    routes: "Routes",
    tickets: "Tickets",
    longest_path: "Longest path",
    stations: "Stations",
    districts: "Districts",
    flags: "Flags",
    globetrotter: "Most tickets",
  },
  begin: "Nothing is counted yet.",
  routes: "Routes, as they were scored during play",
  /** @param {string} name @param {string} ticket @param {number} points @param {boolean} isDone
   * @param {boolean} isLent */
  ticket: (name, ticket, points, isDone, isLent) =>
    `${name}: ${ticket} is ${
      isDone
        ? `connected${isLent ? " with the help of a station" : ""}, ${points} points`
        : `not connected, ${points} points`
    }`,
  /** @param {string} name @param {number} length @param {number} points */
  trail: (name, length, points) =>
    `${name}: a path of ${length} trains is the longest, ${points} points`,
  /** @param {string} part @param {string[]} of */
  part: (part, of) => `${part}: ${of.join(", ") || "nobody"}`,
  /** @param {string[]} names @param {number} total */
  won: (names, total) =>
    `${names.join(" and ")} ${names.length > 1 ? "win" : "wins"} with ${total} points.`,
};

export const key = {
  cards: "Cards",
  wild: (/** @type {string} */ name) => `${name}: replaces any colour`,
  routes: "Tracks that are free",
  /** @param {string} color @param {string} wild */
  colored: (color, wild) =>
    `Takes cards of its colour, here ${color}, one for each space; a ${wild} replaces any card. ` +
    "When you zoom in, the spaces show the cards' symbol.",
  grey: "Grey: takes cards of any one colour.",
  /** What marks of routes mean that this page draws in a way of its own; of others it says what their
   * board declares. @type {Record<string, (wild: string) => string>} */
  marks: {
    ferry: (wild) => `Ferry: each space with this star takes a ${wild}.`,
    tunnel: () =>
      "Tunnel, with dashed edges: three cards are turned up when you pay, and may raise the price.",
  },
  /** @param {number[]} counts */
  double: (counts) =>
    `Two tracks between the same places: no player may claim both.${
      counts.length ? ` With ${counts.join(" or ")} players only one of them is used.` : ""
    }`,
  places: "Places",
  location: (/** @type {string} */ location) => `A ${location}.`,
  /** @param {string} location @param {string} district @param {number} number */
  district: (location, district, number) =>
    `A ${location}; its number and colour show its ${district}, here ${number}.`,
  /** @param {number} seat counted from 0 */
  seat: (seat) => `Seat ${seat + 1}`,
  seatsOfGame:
    "Each seat has a number, a pattern for its wagons and a line in the chart of the scores.",
  seatsOfBoard: "Each seat has a number and a pattern for its wagons.",
  station: (/** @type {string} */ station) => `A ${station}, with its owner's pattern and number.`,
  flag: (/** @type {string} */ flag) => `A card next to a seat's name is kept for the ${flag}.`,
  lights: "Highlights",
  /** @param {string} ticket */
  helps: (ticket) => `You can claim it now, and it is on a shortest way for a ${ticket} of yours.`,
  /** @param {string} ticket */
  would: (ticket) => `It is on such a way for a ${ticket}, but you lack cards for it.`,
  can: "You can claim it now.",
  cannot: "Not highlighted: you cannot claim it now.",
  chosen: "Chosen, or pointed at in a list.",
  /** @param {string} ticket */
  wanted: (ticket) => `Missing: the shortest way for the ${ticket} that you point at.`,
  /** @param {string} ticket */
  done: (ticket) => `Done: your part of that way, or the way that completes a ${ticket}.`,
  ends: (/** @type {string} */ ticket) => `The ends of a ${ticket} that you point at.`,
  /** @param {string} ticket */
  missed: (ticket) => `The ends of a ${ticket} that can no longer be completed.`,
  traced: "In the final scoring: the way that counts.",
};

/** Texts for sharing a position, continuing from it, and checking a game. */
export const more = {
  share: "Share this position",
  link: "Link to this position",
  copy: "Copy link",
  copied: "Copied",
  card: "Card to share (PNG)",
  picture: "Picture of this position",
  history: "Download the history",
  isPrivate: "The game is private: only its players can open the link.",
  fork: "What if? Play on from here",
  notUnderWay: "Choose a position before the end of the game.",
  inPlaceOf: "In place of",
  me: "You",
  kept: "The cards lie as in this game; otherwise they are shuffled again",
  goOn: (/** @type {number} */ version) => `Play on from move ${version}`,
  check: "Verify this game",
  checks:
    "Your browser checks every hash in the chain, the commitment made before the first card and every " +
    "shuffle. Then it looks for this game in the public log of finished games.",
  checkNow: "Check now",
  /** @param {string} url */
  needsHttps: (url) =>
    `Browsers check only on pages with https or from localhost. In a terminal, "fogg verify ${url}" checks it.`,
  /** @param {number} version @param {number} count */
  checked: (version, count) => `entry ${version} of ${count}`,
  right: {
    commitment: "the seed is the one that was committed to",
    firstSeat: "the first seat follows from the seed",
    tickets: "the order of the tickets follows from the seed",
    cards: "the order of the cards follows from the seed",
    undrawn: "the order of the cards that were never drawn follows from the seed",
  },
  /** @param {number} count @param {string} hash */
  allRight: (count, hash) => `All ${count} entries are right. The last hash is ${hash}`,
  /** @param {number} version @param {string} words */
  isWrong: (version, words) => `Entry ${version} is wrong: ${words}`,
  log: {
    title: "In the log of finished games",
    looking: "Searching …",
    named: "this was the last line when the game was created: its first entry names it",
    /** @param {number} first */
    follow: (first) => `the hashes of the lines from ${first} to here form a chain`,
    own: (/** @type {string} */ hash) => `this is the line of the game; its hash is ${hash}`,
    right:
      "The log has the game as you see it here. Keep the line's hash: after a change to this game or to one " +
      "that ended earlier, no log can contain that line.",
    /** @param {number} last */
    lacking: (last) =>
      `The log ends with line ${last} and does not have this game. If the game has only just ended, ` +
      "check again in a moment.",
    wrong: (/** @type {string} */ words) => `The log could not be checked: ${words}`,
    /** @param {number} n */
    gone: (n) => `line ${n} is not the line that the game's first entry names`,
  },
  unchecked: "Not checked here",
  uncheckedList: (/** @type {boolean} */ isInLog) => [
    "the rules, the clock and the final score: the program fogg verify checks these, too",
    isInLog
      ? "the other lines of the log, and whether everybody gets the same log: compare hashes with others"
      : "whether everybody gets the same history: only the log can show that",
  ],
  fairness: "What each check proves",
  keyList: [
    { keys: ["Space"], deed: "play, pause" },
    { keys: ["←", "→"], deed: "one back, one on" },
    { keys: ["Shift ←", "Shift →"], deed: "the previous, the next one of what you jump by" },
    { keys: ["Home", "End"], deed: "to the beginning, to the end" },
    {
      keys: ["1", "2", "…", "0"],
      deed: "as this seat saw it, all hands open (when the game is over)",
    },
  ],
};

/** Texts of the lobby, and about accounts. */
export const lobby = {
  title: "Claim the routes before they do.",
  what: "Play by the rules of Ticket to Ride, against bots or friends. You need no account.",
  trust: "Every shuffle can be checked.",
  boards: "Choose a board",
  choices: "All choices",
  hero: {
    title: "A game that replays itself",
    whole: "Watch it whole",
    watch: "Watch bots play",
    pause: "Pause",
    play: "Go on",
    shown: (/** @type {string} */ board) => `A real game on ${board}`,
  },
  friends: {
    title: "Play with friends",
    what: "Set up a game, send the link, and start when all are there. Nobody needs an account.",
    act: "Get a link",
  },
  tournaments: {
    what: "Cups for people and bots, with live tables, and a large screen for the room.",
    act: "See the tournaments",
  },
  api: {
    title: "Bots and API",
    what: "All that this page does goes through an open API. Write a bot in any language, and let it play for ratings.",
    bots: "Write a bot",
    docs: "Try the API",
    openapi: "OpenAPI file",
  },
  mine: "Your games",
  open: "Open games",
  all: "All games",
  playNow: "Play now",
  /** @param {string} board */
  playNowWhy: (board) =>
    `${board} against bots, about 5 minutes, with a lesson in your first turns.`,
  playOn: (/** @type {string} */ board) => `Play ${board}`,
  creating: {
    title: "New game",
    open: "Open, for anybody",
    invite: (/** @type {string} */ name) => `Invite ${name}`,
    rating_from: "Open seats: lowest rating",
    rating_to: "Open seats: highest rating",
    bot: (/** @type {string} */ name) => `Bot: ${name}`,
    botLater: (/** @type {string} */ name) => `Bot: ${name} (not ready yet)`,
    /** @param {string[]} names */
    notReady: (names) =>
      `${names.join(", ")}: still being prepared; the game goes on as soon as it is ready.`,
    addSeat: "Add a seat",
    removeSeat: (/** @type {number} */ seat) => `Remove seat ${seat}`,
    more: "More choices",
    clock: "Clock",
    onTimeout: "When time runs out",
    timeouts: { resign: "the player leaves the game", act: "a move is made for them" },
    visibility: "Who sees it",
    visibilities: {
      public: "everybody",
      unlisted: "everybody with the link",
      private: "only the players",
    },
    first: "First player",
    drawn: "drawn at random",
    unrated:
      "Not rated: everybody may see a rated game, its first player is drawn, no bot has two seats, and with a bot it takes two hours at most.",
    play: "Play",
    watch: "Watch",
    setUp: "Set up and wait for players",
  },
  asked: { title: "For you", accept: "Accept", decline: "Decline", declineAll: "Decline all" },
  rows: {
    open: (/** @type {number} */ count) => (count === 1 ? "1 seat open" : `${count} seats open`),
    invited: "(invited)",
    /** @param {number | undefined} from @param {number | undefined} to */
    rating: (from, to) =>
      `for ratings${from === undefined ? "" : ` from ${from}`}${to === undefined ? "" : ` up to ${to}`}`,
    aborted: "aborted",
    yourTurn: "your turn",
    underWay: "under way",
    waitsFor: "waits for",
  },
  lists: {
    more: "More",
    join: "Join",
    any: "Any",
    rated: "Rated",
    casual: "Not rated",
    playing: "Under way",
    waiting: "Not begun",
    finished: "Over",
    none: { playing: "No games are under way.", finished: "No games are over yet." },
    noneToJoin: {
      lobby:
        "No open games. Leave a seat open in a new game, and it is listed here for all to join.",
    },
    noneOfMine: {
      playing: "You have no games under way.",
      lobby: "None of your games waits for players.",
      finished: "You have not finished a game yet.",
    },
  },
  now: {
    title: "Now playing",
    none: "No public games are under way. Start one: put a bot on every seat to watch them play.",
  },
  joining: {
    /** @param {number} least @param {number} most @param {number} trains @param {string} train @param {number} tickets */
    facts: (least, most, trains, train, tickets) =>
      `For ${least} to ${most} players. Each has ${trains} ${several(train)}; there are ${tickets} tickets.`,
    /** @param {number} open */
    waiting: (open) =>
      open === 1 ? "Waiting for one more player" : `Waiting for ${open} more players`,
    sit: "Sit down",
    leave: "Leave",
    free: "Free the seat",
    withdraw: "Withdraw the invitation",
    start: (/** @type {number} */ count) => `Start with ${count} players`,
    abort: "Abort the game",
    link: {
      all: "Anybody may join. Send them this link:",
      invited: "Only people with this link may join:",
    },
    byInvitation: "By invitation only: ask the host for the link.",
    copy: "Copy",
    copied: "The link is copied.",
    copyByHand: "The link is selected: copy it now.",
    invited: "You are invited to a game",
    invitedWhy: "Only its players can see it. Take a seat to join.",
  },
  settings: {
    pace: "Show the moves of others",
    paces: { slow: "slowly, one by one", normal: "one by one", once: "at once" },
    notifies: "Notify me when it is my turn and I look elsewhere",
    refused: "Your browser refuses notifications of this page: allow them in its settings.",
    chimes: "Play a soft chime when it is my turn and I look elsewhere",
  },
  who: {
    none: "You have no account yet. You get one as soon as you play, or choose a name first.",
    make: "Make an account",
    load: "Do you have one already? Load the file with its token:",
    loadWhy: "This dialog saves it in another browser. A file with only the token works, too.",
    noToken: "There is no token in this file.",
    rename: "Change",
    renamed: "Name changed.",
    kept:
      "This account is kept only in this browser. Save its token to use it elsewhere, or in case " +
      "the browser forgets it. Anybody with the token can play as you.",
    download: "Save the token",
    page: "Your games and ratings",
    invitations: "Invitations to you",
    out: "Sign out …",
    outWhy:
      "This browser forgets the token. Without a saved file, nobody can use this account again.",
    outYes: "Sign out",
    isOut: "You have signed out.",
    delete: "Delete the account …",
    deleteWhy:
      "The account is deleted for good and resigns its games under way. The games it played stay.",
    deleteYes: "Delete the account",
    isDeleted: "The account is deleted.",
  },
};

/** Texts about which invitations an account takes. */
export const invitations = {
  open: "Most invitations that wait for your answer",
  shortestClock: "Shortest clock, in seconds for a decision",
  boards: "Boards (any, if none is chosen)",
  saved: "Saved.",
  blocked: "Blocked:",
  nobodyIsBlocked: "Nobody is blocked. There is a button for it on each player's page.",
};

export const tournaments = {
  what: "The service pairs the rounds and creates the games; entrants only play.",
  how: "How tournaments go",
  inRoom: "For a screen in a room",
  lists: { running: "Under way", open: "Open for entry", finished: "Over" },
  none: {
    running: "No tournament is under way.",
    open: "No tournament is open for entry.",
    finished: "No tournament is over yet.",
  },
  statuses: { open: "open", running: "under way", finished: "over" },
  description: "Description",
  rules: "Rules of the competition",
  format: "Format",
  formats: { round_robin: "Round robin", swiss: "Swiss", knockout: "Knockout", ladder: "Ladder" },
  meaning: {
    round_robin: "everybody plays everybody.",
    swiss: "players with equal scores meet, if possible never twice.",
    knockout: "the winner of each table goes on.",
    ladder: "players with equal scores meet, as in a swiss.",
  },
  entrants: "Entrants",
  entrant: "Entrant",
  rounds: "Rounds",
  starts: "Starts",
  byHand: "when the creator starts it",
  changed: "Last change",
  startsAt: "Starts at",
  startedByHand: "Starts when the creator starts it.",
  nextRound: "The next round does not begin before",
  /** @param {string} round @param {string} of */
  round: (round, of) =>
    round === "0" ? "The first round is being paired." : `Round ${round}${of && ` of ${of}`}`,
  endings: {
    complete: "All rounds are complete.",
    too_few: "Too few entrants were left.",
    ended: "Its creator ended it.",
    expired: "Nobody started it in time.",
  },
  setUp: "Set up a tournament",
  asItComes: "default",
  perDecisionIn: "Seconds for each decision",
  duplicateDeals: "Duplicate deals: each table plays the same deal once from every seat",
  byInvitation: "By invitation: entering takes a code",
  botsToo: "Built-in bots that take part",
  settings: "Settings",
  seats: "Seats at a table",
  of: (/** @type {string} */ some, /** @type {string} */ all) => `${some} of ${all}`,
  entry: "Entry",
  entries: { open: "open to all", invitation: "by invitation", closed: "closed" },
  clock: "Clock",
  timeouts: {
    resign: "a player who takes longer leaves the game",
    act: "when time runs out, a move is made for the player",
  },
  creator: "Set up by",
  duplicate:
    "Duplicate deals: each table plays the same deal once from every seat, all at the same time, so that " +
    "luck counts less. The games stay hidden from others until all of them are over.",
  actions: "Taking part",
  code: "Invitation code",
  link: "Invitation link",
  enter: "Enter the tournament",
  entered: "You have entered.",
  leave: "Withdraw",
  start: "Start now",
  standings: "Standings",
  nobody: "Nobody has entered yet.",
  tables: "Tables",
  won: "Games won",
  opponentsMean: "The points of all opponents: the first tie-break",
  forfeits: "Forfeits",
  byes: "Byes",
  meanTotal: "Mean total",
  interval: "Margin, with its interval",
  to: "to",
  marginMeans:
    "Margin: points above the mean of the table, over deals that all players finished. The dot is " +
    "the margin, the line its 95 % confidence interval.",
  withdrawn: "withdrawn",
  absent: "absent",
  downloads: { "standings.csv": "Standings as a table (CSV)", "archive.zip": "All games (zip)" },
  provisional: "The standings are provisional until",
  disqualified: "Disqualified:",
  reinstated: "Disqualification lifted:",
  removed: "Removed before the start:",
  endedEarly: "Ended early by the creator",
  annulled: "Left before half of the tables; those played count for nobody:",
  organising: {
    title: "For the creator",
    edit: "Edit name, description and rules",
    reason: "Reason",
    reasonIfAny: "Reason (optional)",
    entry: "Change who may enter",
    remove: "Remove an entrant",
    keepOut: "No account of the same owner may enter again",
    disqualify: "Disqualify an entrant",
    seen: "Everybody sees the reason. The entrant is ranked last and plays no further round.",
    reinstate: "Let an entrant back",
    archive: "Download all games (zip)",
    archiveMeans: "Until the standings are final, only you can download them here.",
    callOff: "Cancel the tournament",
    callOffMeans: "It will not start. Everybody sees the reason.",
    end: "End the tournament",
    endMeans:
      "The round under way is played to its end. At tables for two the number of rounds is even, so there may be one more. Everybody sees the reason.",
  },
  roundOn: (/** @type {string} */ round, /** @type {string} */ board) => `Round ${round}: ${board}`,
  /** @param {string} over @param {string} all */
  tablesOver: (over, all) => `${over} of ${all} tables over`,
  table: (/** @type {string} */ table) => `Table ${table}`,
  game: (/** @type {string} */ game) => (game ? `Game ${game}` : "Game"),
  watch: (/** @type {string} */ game) => (game ? `Watch game ${game}` : "Watch"),
  play: (/** @type {string} */ game) => (game ? `Play game ${game}` : "Play"),
  playing: "being played",
  soFar: "so far",
  sealed: "being played, closed",
  winner: "(first)",
  leaving: { resigned: "resigned", time: "lost by time" },
  bye: "Bye:",
};

export const leaderboards = {
  what: "Ratings come from finished games.",
  how: "How ratings are computed",
  players: "Players",
  settled: "Well known",
  bots: "Built-in bots",
  botPlot: "Results",
  of: (/** @type {string} */ board) => `Leaderboard: ${board}`,
  onlyActive: (/** @type {string} */ days) => `only active in the last ${days} days`,
  onlySettled: "only ratings that are well known",
  /** @param {string} rank @param {string} rating */
  you: (rank, rating) => `You are number ${rank}, with a rating of ${rating}.`,
  player: "Player",
  rating: "Rating",
  interval: "Confidence",
  provisional: "provisional",
  provisionalMeans: "Too few rated games against established players",
  last: "Last played",
  nobody: "Nobody is rated here yet.",
  /** @param {string} low @param {string} middle @param {string} high */
  between: (low, middle, high) => `from ${low} to ${high}, probably ${middle}`,
  barMeans:
    "The dot is the estimated strength (mu), the line its uncertainty: three sigma to either side. The left " +
    "end is the rating: the strength that the player almost certainly has.",
};

/** Texts about players, their ratings and games. */
export const players = {
  builtIn: "built-in bot",
  of: "of",
  you: "you",
  invite: "Invite to a game",
  block: "Block",
  unblock: "Unblock",
  blockMeans: "Blocked players, and their bots, cannot invite you or join your games.",
  isBlocked: "Blocked: this player and their bots cannot invite you or join your games.",
  more: "Show more",
  since: "here since",
  version: "Version",
  ratings: "Ratings",
  noRating: "No rated games yet.",
  overTime: "Rating over time",
  plot: (/** @type {string} */ board) => `Rating over time: ${board}`,
  ratedGames: "Rated games",
  before: "before these games",
  after: (/** @type {string} */ at, /** @type {number} */ rank) => `${at}, rank ${rank}`,
  /** @param {string} when @param {string} rating @param {string} mu @param {string} sigma */
  point: (when, rating, mu, sigma) => `${when}: rating ${rating}, mu ${mu} ± ${sigma}`,
  mu: "mu, the likeliest strength",
  sigma: "one sigma to either side",
  rating: "rating: mu − 3 sigma",
  latestRated: (/** @type {number} */ count) => `The latest ${count} rated games as a table`,
  allRated: "All rated games as a table",
  day: "When",
  weight: "Weight",
  opponents: "Opponents",
  opponent: "Opponent",
  /** @param {string} games @param {string} name */
  gamesAgainst: (games, name) => `${games} games against ${name}`,
  drawn: "Drawn",
  lost: "Lost",
  shares: "Won solid, drawn hatched, lost empty",
  margin: "Margin",
  marginMeans: "How many points more than the other, on average",
  nobodyMet: "No opponents yet.",
  /** @param {string} one @param {string} other */
  against: (one, other) => `\u2068${one}\u2069 against \u2068${other}\u2069`,
  allOpponents: "All opponents",
  neverMet: "They have not met in a public game.",
  /** @param {string} round of a tournament */
  round: (round) => `round ${round}`,
  game: "Game",
  noGames: "No public games yet.",
  statuses: { lobby: "waiting", playing: "live", finished: "over", aborted: "aborted" },
  conduct: "Conduct",
  finished: "Games finished",
  resigned: "Resigned",
  timedOut: "Lost by time",
  aborted: "Aborted",
  decisions: "Decisions",
  timeouts: "Time ran out",
  faults: "Actions refused",
  latency: "Time to decide",
  /** @param {string} median @param {string} p95 */
  times: (median, p95) => `median ${median}, 95 % within ${p95}`,
};

export const posters = {
  /** @param {number} least @param {number} most */
  players: (least, most) => `${least} to ${most} players`,
  /** In the order of `easy_first` in screens.json; `lasts`: a game against bots. */
  boards: [
    {
      level: "First game",
      lasts: "5 minutes",
      special: "Small and quick. Connect all places of a district, and it pays extra.",
    },
    {
      level: "Second game",
      lasts: "5 minutes",
      special:
        "Short routes, close quarters. A blue, a white and a red card kept from your routes make a flag: 4 points.",
    },
    {
      level: "The classic",
      lasts: "15 minutes",
      special:
        "From coast to coast with 45 trains. The longest path gets 10 points. 30 tickets, soon known by heart.",
    },
    {
      level: "Classic with surprises",
      lasts: "15 minutes",
      special:
        "The map of USA with 69 tickets in place of 30: nobody can guess where you are going.",
    },
    {
      level: "For old hands",
      lasts: "20 minutes",
      special:
        "Tunnels may ask for more cards, ferries want locomotives, and a station borrows the route of another player.",
    },
  ],
};

/** Texts about boards, their rules and statistics. */
export const boards = {
  play: "Start a game",
  leaderboard: "Leaderboard",
  numbers: "In the box",
  rules: "Rules in force",
  statistics: "Statistics",
  /** @param {string | undefined} piece */
  trains: (piece) => (piece && piece !== "train" ? `Trains (${piece}) each` : "Trains each"),
  hand: "Cards at the start",
  deck: "Deck",
  cards: (/** @type {string} */ count) => `${count} cards`,
  deckOf: "Cards of each colour",
  pointsOf: "Points of a route",
  atStart: "Tickets at the start",
  onATurn: "Tickets on a turn",
  /** @param {number} deal @param {number} long @param {number} keep */
  offer: (deal, long, keep) => `${deal}${long ? ` and ${long} long` : ""}, keep at least ${keep}`,
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
  kindOf: "Kind",
  double: "double",
  long: "long",
  set: "Set",
  between: "Between",
  claimed: "Claimed",
  claimedIn: (/** @type {string} */ share) => `claimed in ${share} of games`,
  kept: "Kept",
  completed: "Completed",
  search: "Search by location",
  /** @param {string} routes @param {string} tickets */
  found: (routes, tickets) => `${routes} routes, ${tickets} tickets`,
  noneFound: "None.",
  sort: "Sort by this",
  notPlayed: "No games have been finished on this board yet.",
  /** @param {string} games */
  gamesOver: (games) => (games === "1" ? "1 game finished:" : `${games} games finished:`),
  /** @param {string} games @param {number} seats */
  withSeats: (games, seats) => `${games} of ${seats} seats`,
  byKind: "Results by kind of player and number of seats",
  /** @type {Record<string, string>} */
  kinds: { person: "People", external: "Other bots" },
  meanScore: "Mean score",
  played: "Seats played",
};
