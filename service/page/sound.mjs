/** The sounds of games, which the browser makes itself. Games are silent until somebody switches the sound on. */

import { html } from "./vendor/lit-html/lit-html.js";
import { set, settings } from "./settings.mjs";
import { texts } from "./texts/texts.mjs";
import { own } from "./own.mjs";

/** Tones: from and to which pitch in hertz, the second at which it begins, how many it lasts, its loudness, its wave.
 * @type {Record<string, [from: number, to: number, begins: number, lasts: number, loud: number, wave: OscillatorType][]>} */
const SOUNDS = {
  wagon: [[1500, 500, 0, 0.05, 0.06, "square"]],
  card: [[620, 240, 0, 0.09, 0.09, "triangle"]],
  whistle: [
    [988, 988, 0, 0.25, 0.07, "triangle"],
    [1319, 1319, 0.22, 0.6, 0.07, "triangle"],
  ],
  drum: [
    [110, 45, 0, 0.6, 0.3, "sine"],
    [110, 45, 0.4, 0.9, 0.3, "sine"],
  ],
  chime: [
    [660, 660, 0, 0.5, 0.08, "sine"],
    [880, 880, 0.18, 0.5, 0.08, "sine"],
  ],
};

/** @type {AudioContext | undefined} */ let audio;

/** Play a sound if sounds are on; the chime, which has a setting of its own, unless they were switched off.
 * Browsers keep a page silent that nobody has clicked on. @param {string} name
 * @param {number} [after] seconds */
export function play(name, after = 0) {
  const { sounds } = settings();
  if (!(sounds ?? name === "chime") || !navigator.userActivation.hasBeenActive) return;
  audio ??= new AudioContext();
  for (const [from, to, begins, lasts, loud, wave] of own(SOUNDS, name) ?? []) {
    const [tone, volume, at] = [
      audio.createOscillator(),
      audio.createGain(),
      audio.currentTime + after + begins,
    ];
    tone.type = wave;
    tone.frequency.setValueAtTime(from, at);
    tone.frequency.exponentialRampToValueAtTime(to, at + lasts);
    volume.gain.setValueAtTime(loud, at);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + lasts);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + lasts);
  }
}

/** The switch in the bar, as a template. */
export const soundSwitch = () =>
  html`<button
    class="sound"
    aria-label=${texts.app.sound}
    title=${texts.app.sound}
    aria-pressed=${settings().sounds ? "true" : "false"}
    @click=${toggle}
  >
    <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path class="horn" d="M3 9v6h4l6 5V4L7 9z"></path>
      <path class="waves" d="M16 8.5a5 5 0 0 1 0 7M18.5 6a9 9 0 0 1 0 12"></path>
      <path class="cross" d="M16 9.5l5 5m0-5l-5 5"></path>
    </svg>
  </button>`;

/** @param {Event} event */
function toggle({ currentTarget }) {
  const sounds = !settings().sounds;
  set({ sounds });
  /** @type {Element} */ (currentTarget).ariaPressed = String(sounds);
  play("whistle"); // to hear how it sounds
}
