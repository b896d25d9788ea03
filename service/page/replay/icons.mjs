/** The signs on the buttons of the replay. */

import { svg } from "../vendor/lit-html/lit-html.js";

const SIGNS = {
  first: "M5 5v14M19 5l-10 7 10 7z", back: "M17 5l-10 7 10 7z", play: "M7 4l13 8-13 8z",
  pause: "M8 5v14M16 5v14", on: "M7 5l10 7-10 7z", last: "M19 5v14M5 5l10 7-10 7z",
  previous: "M15 5l-7 7 7 7", next: "M9 5l7 7-7 7",
};

/** @param {keyof typeof SIGNS} name */
export const icon = (name) => svg`<svg class="icon ${name}" viewBox="0 0 24 24" width="20" height="20"
  aria-hidden="true"><path d=${SIGNS[name]}></path></svg>`;
