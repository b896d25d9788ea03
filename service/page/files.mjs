/** Files of the service, also those that only the account kept here may see: no address has its token,
 * so they are fetched, and then handed over. */

import { client } from "./account.mjs";
import { Problem } from "./client.mjs";

const GONE = 10_000; // milliseconds after which a browser has taken over what it was given

/** What is at a path; a Problem is thrown if it is not to be had. @param {string} path */
export async function file(path) {
  const answer = await client.fetch(new Request(path));
  if (!answer.ok) throw new Problem(answer.status, await answer.json().catch(() => ({})));
  return answer;
}

/** Give something to whoever sits here, as a file. @param {Blob} content @param {string} name */
export function save(content, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), GONE);
}
