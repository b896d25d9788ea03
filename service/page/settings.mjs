/** A person's settings in this browser, for all accounts. */

const KEY = "fogg-settings";

/** `pace`: how the moves of others are shown; `notifies` and `chimes`: how to tell that it is one's turn;
 * `sounds`: whether games have sounds, null if nobody has said so; `coached`: whether this person was
 * a newcomer; `taught`: whether they had the first lesson.
 * @typedef {{ pace: "slow" | "normal" | "once", notifies: boolean, chimes: boolean, coached: boolean, taught: boolean, sounds: boolean | null }} Settings
 * @type {Settings} */
const USUAL = { pace: "normal", notifies: false, chimes: false, coached: false, taught: false, sounds: null };

/** Return the settings. @returns {Settings} */
export function settings() {
  try {
    return { ...USUAL, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return USUAL; // no storage here
  }
}

/** Change some of the settings. @param {Partial<Settings>} change */
export function set(change) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...settings(), ...change }));
  } catch {
    // everything stays as it was, then
  }
}
