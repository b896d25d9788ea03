/** What the log says beside the sentences of events, which the board declares. Names come as they are
 * to stand in the sentence. */
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
  /** @param {number} number @param {string} noun @param {string} [nouns] where the plural is no other */
  count: (number, noun, nouns) => `${number} ${number === 1 ? noun : nouns ?? `${noun}${/(s|x|ch|sh)$/.test(noun) ? "es" : "s"}`}`,
  /** Templates in this language, by what they are of and its name: "events route_claimed". English is
   * what the board declares (see ../../sentences.mjs). @type {Record<string, string | string[]>} */
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
