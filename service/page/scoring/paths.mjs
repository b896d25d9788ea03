/** Paths in a seat's network, to draw a result. The points themselves come from the API. */

/** @typedef {{ id: string, a: string, b: string, length: number }} Route */

/** The routes that a seat has claimed. @param {any} board @param {any} view @param {number} seat
 * @returns {Route[]} */
export function owned(board, view, seat) {
  const mine = new Set(view.claims.filter((/** @type {any} */ claim) => claim.seat === seat)
    .map((/** @type {any} */ claim) => claim.route));
  return board.routes.filter((/** @type {any} */ { id }) => mine.has(id));
}

/** Return the path of the fewest routes between two locations, as ids; null if there is none.
 * @param {Route[]} routes @param {string} a @param {string} b @returns {string[] | null} */
export function way(routes, a, b) {
  /** @type {Map<string, string[]>} */
  const reached = new Map([[a, []]]);
  for (const [here, so] of reached) { // grows while it is gone through: the nearest come first
    if (here === b) return so;
    for (const { id, a: one, b: other } of routes) {
      const to = one === here ? other : other === here ? one : null;
      if (to !== null && !reached.has(to)) reached.set(to, [...so, id]);
    }
  }
  return null;
}

/** Return the routes of others that a seat borrows with its stations: those that complete tickets
 * for the most points, then the most tickets (rule 6.2). @param {any} board @param {any} view
 * @param {number} seat
 * @param {any[]} tickets @returns {Route[]} */
export function borrowed(board, view, seat, tickets) {
  const own = owned(board, view, seat);
  const taken = new Set(view.claims.map((/** @type {any} */ claim) => claim.route));
  const mine = new Set(own.map(({ id }) => id));
  /** @type {Route[][]} */
  let choices = [[]];
  for (const { location } of (view.stations ?? []).filter((/** @type {any} */ one) => one.seat === seat)) {
    const near = board.routes.filter((/** @type {Route} */ { id, a, b }) =>
      taken.has(id) && !mine.has(id) && (a === location || b === location));
    choices = choices.flatMap((choice) => [choice, ...near.map((/** @type {Route} */ route) => [...choice, route])]);
  }
  const worth = (/** @type {Route[]} */ lent) => {
    const done = tickets.filter(({ a, b }) => way([...own, ...lent], a, b));
    return done.reduce((sum, { points }) => sum + points, 0) * 100 + done.length;
  };
  return choices.map((lent) => ({ lent, worth: worth(lent) }))
    .reduce((best, one) => one.worth > best.worth ? one : best).lent;
}

/** Return a trail of a given length that uses no route twice, as ids (rule 7.2); [] if none exists.
 * @param {Route[]} routes @param {number} length */
export function trail(routes, length) {
  const used = new Set();
  /** @type {(here: string, left: number, unused: number) => string[] | null} */
  const walk = (here, left, unused) => {
    if (left === 0) return [];
    if (unused < left) return null;
    for (const route of routes) {
      const to = route.a === here ? route.b : route.b === here ? route.a : null;
      if (to === null || used.has(route.id) || route.length > left) continue;
      used.add(route.id);
      const rest = walk(to, left - route.length, unused - route.length);
      if (rest) return [route.id, ...rest];
      used.delete(route.id);
    }
    return null;
  };
  const all = routes.reduce((sum, route) => sum + route.length, 0);
  for (const start of new Set(routes.flatMap(({ a, b }) => [a, b]))) {
    used.clear();
    const path = walk(start, length, all);
    if (path) return path;
  }
  return [];
}
