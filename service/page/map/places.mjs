/** The names of locations. */

/** @type {WeakMap<object, Map<string, string>>} */ const KNOWN = new WeakMap();

/** The names of a board's locations by id. @param {any} board @returns {Map<string, string>} */
export function placeNames(board) {
  const names =
    KNOWN.get(board) ??
    new Map(board.locations.map((/** @type {any} */ { id, name }) => [id, name]));
  KNOWN.set(board, names);
  return names;
}

/** The name of a location. @param {any} board @param {string} id */
export const placeName = (board, id) => placeNames(board).get(id) ?? id;

/** Letters that Unicode does not decompose. */
const LETTERS = new Map([
  ["ø", "o"],
  ["ł", "l"],
  ["đ", "d"],
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ı", "i"],
]);

/** Normalize a text for search: lower case, no accents. @param {string} text */
export const plain = (text) =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[øłđßæœı]/g, (letter) => LETTERS.get(letter) ?? letter);
