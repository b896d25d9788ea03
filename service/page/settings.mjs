/** Values that this browser stores. The settings among them hold for all accounts. */

/** Return what is kept under a name, null if there is nothing or no storage. @param {string} name */
export function stored(name) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

/** Keep a value under a name, where there is storage; null forgets it. @param {string} name @param {unknown} value */
export function store(name, value) {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // nothing is stored
  }
}

const KEY = "fogg-settings";

/** `pace`: how the moves of others are shown; `notifies` and `chimes`: how to tell that it is one's turn;
 * `sounds`: whether games have sounds, null if nobody has said so; `coached`: whether this person was
 * a newcomer; `taught`: whether they had the first lesson.
 * @typedef {{ pace: "slow" | "normal" | "once", notifies: boolean, chimes: boolean, coached: boolean, taught: boolean, sounds: boolean | null }} Settings
 * @type {Settings} */
const USUAL = {
  pace: "normal",
  notifies: false,
  chimes: false,
  coached: false,
  taught: false,
  sounds: null,
};

/** Return the settings. @returns {Settings} */
export const settings = () => ({ ...USUAL, ...stored(KEY) });

/** Change some of the settings. @param {Partial<Settings>} change */
export const set = (change) => store(KEY, { ...settings(), ...change });
