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
