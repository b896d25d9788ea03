/** The shortest path of a ticket over routes that are free or one's own. */

/** @typedef {{ trains: number, routes: string[] }} Way the unclaimed part of a path */

/**
 * Return the path between two locations that costs a seat the fewest trains; null if there is none.
 * `all` has the routes of the whole path, including those that the seat has claimed already.
 * @param {any} board @param {any} view @param {number | null} seat @param {string} a @param {string} b
 * @returns {Way & { all: string[] } | null}
 */
export function shortest(board, view, seat, a, b) {
  const owners = new Map((view.claims ?? []).map((/** @type {any} */ claim) => [claim.route, claim.seat]));
  const isSingle = board.doubles_closed_for.includes(view.seats.length);
  /** @type {Map<string, { id: string, to: string, trains: number }[]>} */
  const from = new Map();
  for (const { id, a: one, b: other, length, trains: taken = length, twin } of board.routes) {
    const owner = owners.get(id);
    const isGone = owner !== undefined ? owner !== seat
      : owners.get(twin) === seat || isSingle && owners.has(twin);
    if (isGone) continue;
    const trains = owner === seat && owner !== undefined ? 0 : taken + 0.001; // of equal ways, that with fewer routes to claim
    for (const [here, to] of [[one, other], [other, one]]) {
      if (!from.has(here)) from.set(here, []);
      from.get(here)?.push({ id, to, trains });
    }
  }
  /** @type {Map<string, { trains: number, all: string[], routes: string[] }>} */
  const best = new Map([[a, { trains: 0, all: [], routes: [] }]]);
  const done = new Set();
  for (;;) {
    const [here, way] = [...best].filter(([place]) => !done.has(place))
      .reduce((least, one) => !least[1] || one[1].trains < least[1].trains ? one : least,
        /** @type {any} */ (["", undefined]));
    if (!way || here === b) return way ? { ...way, trains: Math.floor(way.trains) } : null;
    done.add(here);
    for (const { id, to, trains } of from.get(here) ?? []) {
      if (trains + way.trains >= (best.get(to)?.trains ?? Infinity)) continue;
      best.set(to, { trains: trains + way.trains, all: [...way.all, id],
        routes: trains ? [...way.routes, id] : way.routes });
    }
  }
}
