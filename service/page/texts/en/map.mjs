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
