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
  },
};
