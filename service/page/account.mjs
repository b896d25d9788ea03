/** Who plays here: a guest's account, made when first needed and kept in this browser. Its token
 * stands in no address and nowhere on the page: only here and in the headers of requests. */

import { Client } from "./client.mjs";
import { addressed } from "./screens.mjs";
import { awaited } from "./waiting.mjs";
import { texts } from "./texts/texts.mjs";

const KEY = "fogg-account";

/** @typedef {{ id: string, name: string, token: string }} Account */

/** Tells "change" when another account is kept, or it has another name; "gone" when the account of this
 * page is no more, or has been replaced in another window: `detail` says whether the service does not
 * know it any more. */
export const changes = new EventTarget();

/** Whether the address asks for a screen to be shown in a frame: it says so once, and nothing else. The
 * service lets others frame just these addresses (`is_embedded` in service/api/headers.py). */
const isFrameAddress = () => Boolean(addressed().screen?.framed)
  && String(new URLSearchParams(location.search).getAll("embed")) === "1";

/** Whether this page is part of somebody else's page. Then it never has an account, whatever its address
 * says: the page around it could have the player click on what they do not see. */
export const isEmbedded = window !== window.top || isFrameAddress();

/** The account kept in this browser, or null. @returns {Account | null} */
export function kept() {
  if (isEmbedded) return null;
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null");
  } catch {
    return null; // no storage here
  }
}

/** Keep an account in this browser; null forgets it. @param {Account | null} account */
export function keep(account) {
  if (isEmbedded) return;
  try {
    if (account) {
      const { id, name, token } = account;
      localStorage.setItem(KEY, JSON.stringify({ id, name, token }));
    } else localStorage.removeItem(KEY);
  } catch {
    // it lasts as long as the page, then
  }
  become(account);
}

/** @param {Account | null} account */
function become(account) {
  client.token = account?.token ?? "";
  mine = account;
  changes.dispatchEvent(new Event("change"));
}

let mine = kept();

let [least, most] = [-Infinity, Infinity]; // milliseconds that the service's clock is ahead of this one

/** Learns from the answers what time it is. */
class Timed extends Client {
  /** @param {Request} request @param {number} [silence] @override */
  async fetch(request, silence) {
    const sent = Date.now();
    const asked = super.fetch(request, silence);
    const isAwaited = !new URL(request.url).searchParams.has("wait"); // else it takes long by intention
    const answer = await (isAwaited ? awaited(asked) : asked);
    const date = Date.parse(answer.headers.get("Date") ?? ""); // in whole seconds
    const isMine = this.token && request.headers.get("Authorization") === `Bearer ${this.token}`;
    if (answer.status === 401 && isMine) { // its token was revoked
      keep(null);
      changes.dispatchEvent(new CustomEvent("gone", { detail: true }));
    }
    const isOld = /max-age/.test(answer.headers.get("Cache-Control") ?? ""); // kept by the browser, perhaps
    if (!isOld && !Number.isNaN(date)) {
      const [from, to] = [date - Date.now(), date + 1000 - sent];
      const fits = from <= most && to >= least; // else one of the clocks was set meanwhile
      [least, most] = fits ? [Math.max(least, from), Math.min(most, to)] : [from, to];
    }
    return answer;
  }
}

/** What time it is at the service, in milliseconds: the browser's clock may be wrong. */
export const now = () => Date.now() + Math.min(most, Math.max(least, 0));

/** The page's client: whatever it asks for, it asks as the account kept here, if there is one. */
export const client = new Timed({ token: mine?.token ?? "" });

/** The account of this page, or null while nobody has needed one. */
export const account = () => mine;

/** The name of a guest: its number tells two guests of a game apart. */
const guest = () => `${texts.app.guest} ${1000 + Math.floor(9000 * Math.random())}`;

/** The account of this page; makes a guest's if there is none. @param {string} [name] */
export async function signedIn(name = guest()) {
  if (!mine) keep(await client.post("/v1/players", { body: { name } }));
  return /** @type {Account} */ (mine);
}

/** Take on the account that a token is of; a Problem is thrown if it is no account's.
 * @param {string} token */
export async function signIn(token) {
  const found = await new Client({ token }).get("/v1/me");
  keep({ id: found.id, name: found.name, token });
}

/** Ask whether the service still knows the account that is kept here, and by which name; if not, it is
 * forgotten. */
export async function recognized() {
  if (!mine) return;
  const found = await client.get("/v1/me").catch(() => null);
  if (found && mine && found.name !== mine.name) keep({ ...mine, name: found.name });
}

addEventListener("storage", (event) => {
  if (event.key !== KEY) return;
  const was = mine?.id;
  become(kept()); // another window has signed in or out
  if (was && mine?.id !== was) changes.dispatchEvent(new CustomEvent("gone", { detail: false }));
});
