/** The screens of the page. They are declared in screens.json, which the service writes into the document;
 * the service reads the same file for its addresses, its headers and what a browser loads first. */

/**
 * A screen: `address`, in which ID stands for any id; its `module`, and the module that takes its place
 * in a frame of somebody else's page, if it may be framed at all; the name of its `styles`; and the text of its
 * `link` in the bar, if it has one.
 * @typedef {{ address: string, module: string, framed?: string, styles: string,
 *   link?: keyof typeof import("./texts/en.mjs").app }} Screen
 * `easyFirst` has the ids of boards, that for newcomers first. `usual` is the clock of public games whose creator names none, `usualWithBots` of those with a built-in bot; others have no `total`.
 * @typedef {{ per_decision: number, total?: number }} Usual
 * @type {{ screens: Screen[], styles: Record<string, string[]>, easy_first: string[], usual_clock: Usual, usual_clock_with_bots: Usual }}
 */
export const {
  screens,
  styles,
  easy_first: easyFirst,
  usual_clock: usual,
  usual_clock_with_bots: usualWithBots,
} = JSON.parse(document.querySelector("#screens")?.textContent ?? "");

/** Boards in the order for players: the easy ones first, then others by their names.
 * @template {{ id: string, name: string }} T @param {T[]} boards */
export const ordered = (boards) => {
  const at = (/** @type {T} */ { id }) =>
    easyFirst.includes(id) ? easyFirst.indexOf(id) : easyFirst.length;
  return boards.toSorted((one, other) => at(one) - at(other) || one.name.localeCompare(other.name));
};

/** The clock of games whose creator names none. @param {boolean} isPublic @param {boolean} hasBots */
export const usualClock = (isPublic, hasBots) =>
  !isPublic ? { per_decision: usual.per_decision } : hasBots ? usualWithBots : usual;

/** The parts of an address of the page. */
const parts = () => {
  try {
    return location.pathname.replace(/\/$/, "").split("/").slice(1).map(decodeURIComponent);
  } catch {
    return ["?"]; // such an address names nothing
  }
};

/** The screen that the window's address names, if there is one, and the id in the address. */
export function addressed() {
  const given = parts();
  const screen = screens.find(({ address }) => {
    const wanted = address.split("/").slice(1).filter(Boolean);
    return (
      wanted.length === given.length &&
      wanted.every((part, i) => part === given[i] || (part === "ID" && given[i]))
    );
  });
  return { screen, id: given[screen?.address.split("/").slice(1).indexOf("ID") ?? -1] ?? "" };
}
