/** What is said to whoever plays. */

/** @param {number} number @param {string} thing in the singular */
const count = (number, thing) => `${number} ${number === 1 ? thing : several(thing)}`;
/** @param {string} thing */
const several = (thing) => /(s|x|ch|sh)$/.test(thing) ? `${thing}es` : `${thing}s`;
/** @param {string[]} names */
const all = (names) => names.length < 2 ? names.join("")
  : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
/** @param {string[]} names @param {string} alone @param {string} together */
const do_ = (names, alone, together) => `${all(names)} ${names.length > 1 ? together : alone}`;

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
