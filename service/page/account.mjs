/** Who plays here: a guest's account, made when first needed and kept in this browser. Its token
 * stands in no address and nowhere on the page: only here and in the headers of requests. */

import { Client, Problem } from "./client.mjs";
import { texts } from "./texts/texts.mjs";

const KEY = "fogg-account";

/** @typedef {{ id: string, name: string, token: string }} Account */

/** Tells "change" when another account is kept, or it has another name. */
export const changes = new EventTarget();

/** The account kept in this browser, or null. @returns {Account | null} */
export function kept() {
  if (new URLSearchParams(location.search).get("embed") === "1") return null; // a page of others
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null");
  } catch {
    return null; // no storage here
  }
}

/** Keep an account in this browser; null forgets it. @param {Account | null} account */
export function keep(account) {
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

/** The page's client: whatever it asks for, it asks as the account kept here, if there is one. */
export const client = new Client({ token: mine?.token ?? "" });

/** The account of this page, or null while nobody has needed one. */
export const account = () => mine;

/** The account of this page; makes a guest's if there is none. @param {string} [name] */
export async function signedIn(name = texts.app.guest) {
  if (!mine) keep(await client.post("/v1/players", { body: { name } }));
  return /** @type {Account} */ (mine);
}

/** Take on the account that a token is of; a Problem is thrown if it is no account's.
 * @param {string} token */
export async function signIn(token) {
  const found = await new Client({ token }).get("/v1/me");
  keep({ id: found.id, name: found.name, token });
}

/** Ask whether the service still knows the account that is kept here, and by which name; return
 * whether it was one that it does not know, which is forgotten. */
export async function wasForgotten() {
  if (!mine) return false;
  try {
    const { name } = await client.get("/v1/me");
    if (mine && name !== mine.name) keep({ ...mine, name });
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.status !== 401) return false;
    keep(null);
    return true;
  }
  return false;
}

addEventListener("storage", (event) => {
  if (event.key === KEY) become(kept()); // another window has signed in or out
});
