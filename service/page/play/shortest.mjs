/** The shortest paths of a ticket over routes that are free or one's own. */

const FAR = 9999; // trains
const LESS = 0.001; // of a train, for each route to claim: of equal ways, that with fewer routes is shorter

/** @typedef {{ trains: number, routes: string[] }} Way the unclaimed part of a path
 * @typedef {{ id: string, ends: [string, string], trains: number }} Step a route, and what it costs still
 * @typedef {Map<string, Way & { all: string[] }>} Reached the cheapest path to each location */

/**
 * Return the path between two locations that costs a seat the fewest trains; null if there is none.
 * `all` has the routes of the whole path, including those that the seat has claimed already.
 * @param {any} board @param {any} view @param {number | null} seat @param {string} a @param {string} b
 * @returns {Way & { all: string[] } | null}
 */
export function shortest(board, view, seat, a, b) {
  const way = reached(open(board, view, seat), a).get(b);
  return way ? { ...way, trains: Math.floor(way.trains) } : null;
}

/** Return the way of a ticket that lacks the fewest trains; of equal ones, that with the most points.
 * @param {any} board @param {any} view @param {number | null} seat @param {any} ticket
 * @returns {{ a: string, b: string, points: number, way: ReturnType<typeof shortest> }} */
export const nearest = (board, view, seat, ticket) =>
  (ticket.ways ?? [ticket])
    .map((/** @type {any} */ each) => ({
      ...each,
      way: shortest(board, view, seat, each.a, each.b),
    }))
    .toSorted(
      (/** @type {any} */ one, /** @type {any} */ other) =>
        (one.way?.trains ?? FAR) - (other.way?.trains ?? FAR) || other.points - one.points,
    )[0];

/** Return the routes to claim that lie on any of the shortest paths between two locations.
 * @param {any} board @param {any} view @param {number | null} seat @param {string} a @param {string} b
 * @returns {string[]} */
export function onShortest(board, view, seat, a, b) {
  const steps = open(board, view, seat);
  const [from, to] = [reached(steps, a), reached(steps, b)];
  const least = (from.get(b)?.trains ?? -Infinity) + LESS / 2;
  const far = (/** @type {Reached} */ way, /** @type {string} */ place) =>
    way.get(place)?.trains ?? Infinity;
  return steps
    .filter(
      ({ ends: [one, other], trains }) =>
        trains &&
        trains + Math.min(far(from, one) + far(to, other), far(from, other) + far(to, one)) < least,
    )
    .map(({ id }) => id);
}

/** The routes that a seat has claimed or may still claim. @param {any} board @param {any} view
 * @param {number | null} seat @returns {Step[]} */
function open(board, view, seat) {
  const owners = new Map(
    (view.claims ?? []).map((/** @type {any} */ claim) => [claim.route, claim.seat]),
  );
  const isSingle = board.doubles_closed_for.includes(view.seats.length);
  return board.routes.flatMap((/** @type {any} */ { id, a, b, length, trains = length, twin }) => {
    const owner = owners.get(id);
    const isGone =
      owner !== undefined
        ? owner !== seat
        : owners.get(twin) === seat || (isSingle && owners.has(twin));
    return isGone ? [] : [{ id, ends: [a, b], trains: owner === undefined ? trains + LESS : 0 }];
  });
}

/** The cheapest path from a location to each other. @param {Step[]} steps @param {string} start @returns {Reached} */
function reached(steps, start) {
  /** @type {Map<string, { id: string, to: string, trains: number }[]>} */ const from = new Map();
  for (const {
    id,
    ends: [a, b],
    trains,
  } of steps) {
    for (const [here, to] of [
      [a, b],
      [b, a],
    ])
      from.set(here, [...(from.get(here) ?? []), { id, to, trains }]);
  }
  /** @type {Reached} */ const best = new Map([[start, { trains: 0, all: [], routes: [] }]]);
  const done = new Set();
  for (;;) {
    const [here, way] = [...best]
      .filter(([place]) => !done.has(place))
      .reduce(
        (least, one) => (!least[1] || one[1].trains < least[1].trains ? one : least),
        /** @type {any} */ (["", undefined]),
      );
    if (!way) return best;
    done.add(here);
    for (const { id, to, trains } of from.get(here) ?? []) {
      if (trains + way.trains >= (best.get(to)?.trains ?? Infinity)) continue;
      best.set(to, {
        trains: trains + way.trains,
        all: [...way.all, id],
        routes: trains ? [...way.routes, id] : way.routes,
      });
    }
  }
}
