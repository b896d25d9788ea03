/** Who plays here: a guest's account, made when first needed and kept in this browser. */

import { Client } from "./client.mjs";
import { texts } from "./texts/texts.mjs";

const KEY = "fogg-account";

/** @typedef {{ id: string, name: string, token: string }} Account */

/** The account kept in this browser, or null. @returns {Account | null} */
export function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null");
  } catch {
    return null; // no storage here, as in another site's frame
  }
}

/** Keep an account in this browser; null forgets it. @param {Account | null} account */
export function keep(account) {
  try {
    if (account) localStorage.setItem(KEY, JSON.stringify(account));
    else localStorage.removeItem(KEY);
  } catch {
    // it lasts as long as the page, then
  }
  client.token = account?.token ?? "";
  mine = account;
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
