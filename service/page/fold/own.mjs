/** Return the member of an object by a name that a board, a rule or a player chose; undefined if it
 * has none. Inherited members do not count: a colour may be called `constructor`.
 * @template T @param {Record<string, T> | null | undefined} object @param {string} name
 * @returns {T | undefined} */
export const own = (object, name) => (object && Object.hasOwn(object, name) ? object[name] : undefined);
