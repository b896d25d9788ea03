/** The names of locations by id. @param {any} board @returns {Map<string, string>} */
export const placeNames = (board) => new Map(board.locations.map((/** @type {any} */ { id, name }) => [id, name]));
