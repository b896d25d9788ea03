/** What the log says. Names come as they are to stand in the sentence. */
export const log = {
  title: "What happened",
  /** @param {number} number */
  seat: (number) => `seat ${number}`,
  /** @param {string[]} parts */
  and: (parts) => (parts.length < 2 ? parts.join("")
    : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`),
  /** @param {string} name @param {number} count @param {boolean} isWild */
  card: (name, count, isWild) => (count > 1 ? `${count} ${name}${isWild ? /s$/.test(name) ? "es" : "s" : ""}`
    : `${/^[aeiou]/i.test(name) ? "an" : "a"} ${name}`),
  /** @param {string} a @param {string} b */
  way: (a, b) => `${a} – ${b}`,
  /** @param {string} board @param {number} seats */
  created: (board, seats) => `A game on the board ${board}, for ${seats}`,
  /** @param {number} version */
  forked: (version) => `It goes on from entry ${version} of another game`,
  /** @param {string} name */
  sits: (name) => `${name} sits down`,
  /** @param {string} name */
  leaves: (name) => `${name} stands up`,
  closed: "The open seats are put away",
  /** @param {string} name */
  started: (name) => `The game begins; ${name} is to play first`,
  dealt: "Cards are dealt, and tickets to choose from",
  rowDiscarded: "Too many wilds in the row: all of it goes to the discards",
  shuffled: "The discards are shuffled into a new deck",
  /** @param {string} name @param {string} card */
  takes: (name, card) => `${name} takes ${card} from the row`,
  /** @param {string} name @param {string} [card] where it may be known */
  draws: (name, card) => `${name} draws ${card ?? "a card"} from the deck`,
  /** @param {string} name @param {number} count */
  drawsTickets: (name, count) => `${name} draws ${count} ticket${count === 1 ? "" : "s"}`,
  /** @param {string} name @param {number} kept @param {number} refused @param {string[]} [tickets] */
  keeps: (name, kept, refused, tickets) => `${name} keeps ${kept} of ${kept + refused} tickets${
    tickets?.length ? `: ${tickets.join(", ")}` : ""}`,
  /** @param {string} name @param {string} route @param {string} cards @param {number} points */
  claims: (name, route, cards, points) => `${name} claims ${route} with ${cards}: ${points} point${
    points === 1 ? "" : "s"}`,
  /** @param {string} name @param {string} cards @param {number} points */
  flag: (name, cards, points) => `${name} completes a flag with ${cards}: ${points} points`,
  /** @param {string} name @param {string} what @param {number} points */
  scores: (name, what, points) => `${name} scores ${points} points: ${what}`,
  /** @param {string} name @param {string} location @param {string} cards */
  builds: (name, location, cards) => `${name} builds a station in ${location} with ${cards}`,
  /** @param {string} name @param {string} route @param {string} cards */
  tries: (name, route, cards) => `${name} tries the tunnel ${route} with ${cards}`,
  /** @param {string} cards */
  turned: (cards) => `Turned up: ${cards}`,
  /** @param {number} extra */
  raised: (extra) => `The tunnel asks for ${extra} card${extra === 1 ? "" : "s"} more`,
  /** @param {string} name */
  withdraws: (name) => `${name} withdraws from the tunnel`,
  /** @param {string} names */
  finalTurns: (names) => `The end is near, one more turn each: ${names}`,
  /** @param {string} name */
  passes: (name) => `${name} can do nothing, and passes`,
  /** @param {string} name @param {string} reason */
  resigns: (name, reason) => (reason === "time" ? `${name} has run out of time, and is out`
    : `${name} resigns`),
  /** @param {string} reason */
  aborted: (reason) => (reason === "expired" ? "Called off: it waited too long for players"
    : "The game is called off"),
  /** @param {string} reason */
  ended: (reason) => ({ all_passed: "The game is over: nobody can do anything",
    one_seat_left: "The game is over: all others have left" })[reason] ?? "The game is over",
  /** @param {number} rank @param {string} name @param {number} total */
  result: (rank, name, total) => `${rank}. ${name}: ${total} points`,
  timedOut: "Played by the clock: the time was over",
  quiet: "Nothing that can be seen",
  here: "shown",
};
