/** The account of this browser: a guest account, created when first needed and kept in local
 * storage. Its token is never put into a URL or into the page, only into request headers. */

import { Client } from "./client.mjs";
import { addressed } from "./screens.mjs";
import { store, stored } from "./settings.mjs";
import { awaited } from "./waiting.mjs";
import { texts } from "./texts/texts.mjs";

const KEY = "fogg-account";

/** @typedef {{ id: string, name: string, token: string }} Account */

/** Dispatches "change" when the stored account or its name changes, and "gone" when the account of
 * this page is not used any more. `detail` of "gone" is a promise of the reason, "revoked" (its
 * token) or "deleted"; null if the account was replaced in another window. */
export const changes = new EventTarget();

/** Whether the address is the framed version of a screen. The service allows other sites to frame
 * only these addresses (`is_embedded` in service/http/headers.py). */
const isFrameAddress = () =>
  Boolean(addressed().screen?.framed) &&
  String(new URLSearchParams(location.search).getAll("embed")) === "1";

/** Whether this page is embedded in a page of another site. An embedded page never uses an account:
 * the outer page could trick players into clicks on hidden controls (clickjacking). */
export const isEmbedded = window !== window.top || isFrameAddress();

/** The account kept in this browser, or null. @returns {Account | null} */
export const kept = () => (isEmbedded ? null : stored(KEY));

/** Keep an account in this browser; null forgets it. @param {Account | null} account */
export function keep(account) {
  if (isEmbedded) return;
  store(KEY, account && { id: account.id, name: account.name, token: account.token });
  become(account); // also without storage: it lasts as long as the page, then
}

/** @param {Account | null} account */
function become(account) {
  client.token = account?.token ?? "";
  mine = account;
  changes.dispatchEvent(new Event("change"));
}

let mine = kept();

let [least, most] = [-Infinity, Infinity]; // of the service's clock minus this one, in ms

/** A client that estimates the service's clock from the `Date` headers of answers. */
class Timed extends Client {
  /** Why requests are sent again. @type {WeakMap<Request, import("./waiting.mjs").Trouble>} */
  #why = new WeakMap();

  /** @param {Request} request @param {number} status @override */
  retries(request, status) {
    this.#why.set(request, status ? "busy" : "away");
  }

  /** @param {Request} request @param {number} [silence] @override */
  async fetch(request, silence) {
    const sent = Date.now();
    const asked = super.fetch(request, silence);
    const isAwaited = !new URL(request.url).searchParams.has("wait"); // not a long poll
    const answer = await (isAwaited
      ? awaited(asked, () => this.#why.get(request) ?? "slow")
      : asked);
    const date = Date.parse(answer.headers.get("Date") ?? ""); // in whole seconds
    const isMine = this.token && request.headers.get("Authorization") === `Bearer ${this.token}`;
    if (answer.status === 401 && isMine) {
      const why = reason();
      keep(null);
      changes.dispatchEvent(new CustomEvent("gone", { detail: why }));
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

/** Why the service does not accept the token of the account: a deleted account has no page.
 * @returns {Promise<"revoked" | "deleted">} */
const reason = () =>
  new Client().get(`/v1/players/${mine?.id}`).then(
    () => "revoked",
    ({ status }) => (status === 404 ? "deleted" : "revoked"),
  );

/** The service's current time in milliseconds. The browser's clock may be wrong. */
export const now = () => Date.now() + Math.min(most, Math.max(least, 0));

/** The page's client. It sends the token of the stored account, if there is one. */
export const client = new Timed({ token: mine?.token ?? "" });

/** The account of this page, or null while nobody has needed one. */
export const account = () => mine;

const any = () => Math.floor(1e6 * Math.random());

/** Return the account of this page; create a guest account if there is none.
 * @param {string} [name] a random one by default, so that two guests in a game have different ones */
export async function signedIn(name = texts.guests.name(any(), any())) {
  if (!mine) keep(await client.post("/v1/players", { body: { name } }));
  return /** @type {Account} */ (mine);
}

/** The invitation code in the address. Browsers do not send the part after the #. */
export const invitationCode = () => /^#join=([0-9a-f]{20})$/.exec(location.hash)?.[1];

/** Sign in with a token; throw a Problem if it belongs to no account. @param {string} token */
export async function signIn(token) {
  const me = await new Client({ token }).get("/v1/me");
  keep({ id: me.id, name: me.name, token });
}

/** Check whether the service still knows the stored account, and update its name. Forget the
 * account if the service does not know it. */
export async function recognized() {
  if (!mine) return;
  const me = await client.get("/v1/me").catch(() => null);
  if (me && mine && me.name !== mine.name) keep({ ...mine, name: me.name });
}

addEventListener("storage", (event) => {
  if (event.key !== KEY) return;
  const was = mine?.id;
  become(kept()); // another window has signed in or out
  if (was && mine?.id !== was) changes.dispatchEvent(new CustomEvent("gone", { detail: null }));
});
