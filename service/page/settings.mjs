/** A person's settings in this browser, for all accounts. */

const KEY = "fogg-settings";

/** `pace`: how the moves of others are shown.
 * @typedef {{ pace: "slow" | "normal" | "once" }} Settings
 * @type {Settings} */
const USUAL = { pace: "normal" };

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
