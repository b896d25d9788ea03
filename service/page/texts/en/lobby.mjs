/** What the lobby says, and what is about accounts, in English. */

/** @param {number} seconds */
const duration = (seconds) => {
  const [unit, length] = seconds % 86_400 === 0 ? ["day", 86_400] : seconds % 3_600 === 0 ? ["hour", 3_600]
    : seconds % 60 === 0 ? ["minute", 60] : ["second", 1];
  const count = seconds / Number(length);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
};

const lobby = {
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

export const en = { lobby };
