/** What the replay says. */
export const replay = {
  replay: {
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
    looking: "You look back; the game goes on",
    speed: "Speed",
    /** @param {number} speed entries a second */
    speeds: (speed) => (speed === Infinity ? "as quick as it goes" : `${speed} a second`),
    jump: "Jump by",
    previous: "The one before", next: "The next one",
    turns: "turns", claims: "claims", tickets: "tickets", tunnels: "tunnels", stations: "stations",
    notes: "notes",
    /** @param {string} name */
    turnsOf: (name) => `turns of ${name}`,
    hands: "Hands",
    allHands: "All hands open",
    /** @param {string} name */
    seenBy: (name) => `As ${name} saw it`,
    scores: "Score over time",
    /** @param {string} scores */
    scored: (scores) => `Score over time; now ${scores}`,
    /** @param {string} name @param {number} score */
    score: (name, score) => `${name} ${score}`,
  },
  more: {
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
    checks: "Your browser checks it: every hash in the chain, the commitment from before the first card, every shuffle.",
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
    keys: "Keys",
    keyList: [
      { keys: ["Space"], deed: "play, pause" },
      { keys: ["←", "→"], deed: "one back, one on" },
      { keys: ["Shift ←", "Shift →"], deed: "the one before, the next one of what you jump by" },
      { keys: ["Home", "End"], deed: "to the beginning, to the end" },
    ],
  },
};
