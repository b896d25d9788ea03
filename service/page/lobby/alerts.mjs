/** Tells people who look elsewhere that it is their turn, in the ways that they have chosen. */

import { settings } from "../settings.mjs";
import { texts } from "../texts/texts.mjs";

const TONES = [[660, 0], [880, 0.18]]; // of the chime: hertz, and the second at which each begins
const LASTS = 0.5; // seconds that a tone fades
const SOFT = 0.08; // of the loudest

/** @type {AudioContext | undefined} */
let audio;

/** Show a notification and play the chime, if they are wanted. @param {string[]} games that wait for the viewer */
export function tell(games) {
  const { notifies, chimes } = settings();
  if (notifies) notify(games);
  if (chimes) chime();
}

/** @param {string[]} games */
function notify([game, ...others]) {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  try {
    const note = new Notification(texts.app.title, { body: texts.app.yourTurn(1 + others.length), tag: "fogg-turn" });
    note.onclick = () => {
      window.focus();
      location.assign(`/games/${game}`);
    };
  } catch {
    // some browsers of phones show none without a service worker
  }
}

/** Play two soft tones. Browsers keep a page silent that nobody has clicked on. */
export function chime() {
  audio ??= new AudioContext();
  for (const [hertz, begins] of TONES) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const at = audio.currentTime + begins;
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(SOFT, at);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + LASTS);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + LASTS);
  }
}
