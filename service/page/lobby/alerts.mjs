/** Tells people who look elsewhere that it is their turn, in the ways that they have chosen. */

import { play } from "../sound.mjs";
import { settings } from "../settings.mjs";
import { texts } from "../texts/texts.mjs";

/** Show a notification and play the chime, if they are wanted. @param {string[]} games that wait for the viewer */
export function tell(games) {
  const { notifies, chimes } = settings();
  if (notifies) notify(games);
  if (chimes) play("chime");
}

/** @param {string[]} games */
function notify([game, ...others]) {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  try {
    const note = new Notification(texts.app.title, {
      body: texts.app.yourTurn(1 + others.length),
      tag: "fogg-turn",
    });
    note.onclick = () => {
      window.focus();
      location.assign(`/games/${game}`);
    };
  } catch {
    // some browsers of phones show none without a service worker
  }
}
