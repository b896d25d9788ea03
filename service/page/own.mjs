/** Return the member of an object by a name that a board, a rule or a player chose; undefined if it
 * has none. Inherited members do not count: a colour may be called `constructor`.
 * @template T @param {Record<string, T> | null | undefined} object @param {string} name
 * @returns {T | undefined} */
export const own = (object, name) =>
  object && Object.hasOwn(object, name) ? object[name] : undefined;

/** The colours in the table's order, which the members of an object do not have. An older service gives
 * no list. @param {any} board @returns {string[]} */
export const colorsOf = (board) => board.declared?.colors ?? Object.keys(board.cards);

/** How often each colour is in a list. @param {string[]} colors @returns {Record<string, number>} */
export const counted = (colors) => {
  /** @type {Map<string, number>} */ const counts = new Map();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  return Object.fromEntries(counts);
};
