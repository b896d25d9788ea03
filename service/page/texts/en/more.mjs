/** What is said where a position is shared, gone on from, and the game checked. */

const more = {
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

export const en = { more };
