/** Pending requests. If an answer is slow, or a stream is cut, a banner says so, in one place for the whole page. */

import { texts } from "./texts/texts.mjs";

const LATE = 4000; // milliseconds until the page shows that it waits
const PAUSE = 1000; // milliseconds between checks whether the service can be reached again
const TRIES = 3; // attempts to load a part while the service can be reached

const line = document.createElement("p");
line.className = "late";
line.setAttribute("role", "status");
document.body.append(line);
let isLacking = false; // whether the part that was last asked for could not be loaded

/** @typedef {"away" | "busy" | "slow"} Trouble the service cannot be reached, is busy, or has not answered */
const WORST_FIRST = /** @type {Trouble[]} */ (["away", "busy", "slow"]);
/** What troubles each part of the page. @type {Map<unknown, Trouble>} */
const troubles = new Map();

const draw = () => {
  const there = new Set(troubles.values());
  const kind = WORST_FIRST.find((one) => there.has(one));
  const words = kind ? texts.app.troubles[kind] : isLacking ? texts.app.notLoaded : "";
  if (line.textContent !== words) line.textContent = words;
};

/** Say that a part of the page is in trouble, or no longer. @param {unknown} part @param {Trouble | null} kind */
export function trouble(part, kind) {
  if (kind) troubles.set(part, kind);
  else troubles.delete(part);
  draw();
}

/** Wait for something, and say so if that takes long. @template T @param {Promise<T>} answer
 * @param {() => Trouble} why it takes long, as far as is known */
export async function awaited(answer, why = () => "slow") {
  const timer = setInterval(() => trouble(answer, why()), LATE);
  try {
    return await answer;
  } finally {
    clearInterval(timer);
    trouble(answer, null);
  }
}

/** Whether the service answers. */
const isReachable = () =>
  fetch(import.meta.url, { method: "HEAD", cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Load a part of the page when it is first needed; while the service does not answer, wait. A browser
 * may call itself offline although the service is on the same machine, so only its answer counts.
 * @template T @param {() => Promise<T>} load @returns {Promise<T>} */
export const loadPart = (load) => {
  /** @type {Trouble} */ let why = "slow";
  const reached = async () => {
    for (; !(await isReachable()); await pause()) why = "away";
    why = "slow";
  };
  return awaited(
    (async () => {
      isLacking = false;
      for (let tries = 1; ; tries += 1) {
        if (!navigator.onLine) await reached(); // some browsers try once only, so not in vain
        try {
          return await load();
        } catch (cause) {
          if (tries === TRIES) {
            isLacking = true;
            throw new Error(texts.app.notLoaded, { cause });
          }
          await pause();
          await reached();
        }
      }
    })(),
    () => why,
  );
};

/** Load a part for a click, and go on with it. If it cannot be loaded, the line at the foot says so, and
 * the next click tries again. @template T @param {(part: T) => void} act @param {() => Promise<T>} load */
export const withPart = async (act, load) => {
  const part = await loadPart(load).catch(() => null);
  if (part) act(part);
};

const pause = () =>
  new Promise((done) => {
    setTimeout(done, PAUSE);
    addEventListener("online", done, { once: true });
  });
