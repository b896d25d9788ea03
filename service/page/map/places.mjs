/** The names of locations. */

/** @type {WeakMap<object, Map<string, string>>} */ const KNOWN = new WeakMap();

/** The names of a board's locations by id. @param {any} board @returns {Map<string, string>} */
export function placeNames(board) {
  const names = KNOWN.get(board)
    ?? new Map(board.locations.map((/** @type {any} */ { id, name }) => [id, name]));
  KNOWN.set(board, names);
  return names;
}

/** The name of a location. @param {any} board @param {string} id */
export const placeName = (board, id) => placeNames(board).get(id) ?? id;
