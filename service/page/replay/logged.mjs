/** Finds a verified game in the log of finished games, with the program of docs/fairness.md. Reads
 * line by line, from the line that the game's first entry names to the game's own. */

import { client } from "../account.mjs";
import { texts } from "../texts/texts.mjs";
import { loadPart } from "../waiting.mjs";

const PAGE = 1000; // lines in an answer

/** A line of the log @typedef {{ n: number, hash: string, last: string }} Line */

/** Yield one result for each line. The last one is the game's line, or the game has none yet. Throw
 * an error if a line does not follow from the one before.
 * @param {{ n: number, hash: string } | undefined} named by the game's first entry
 * @param {string} last hash of the game
 * @returns {AsyncGenerator<{ line: Line, isNamed: boolean, isGame: boolean }, void, undefined>} */
export async function* inLog(named, last) {
  const { followed } = await loadPart(() => import("../verify.mjs"));
  let [after, hash] = [named ? named.n - 1 : 0, ""];
  for (let isFirst = true; ; isFirst = false) {
    const { items } = await client.get("/v1/log", { query: { after, limit: PAGE } });
    if (!items.length && isFirst && named) throw new Error(texts.more.log.gone(named.n));
    if (isFirst && named) hash = items[0].previous;
    const lines = items.map((/** @type {Line} */ line) => JSON.stringify(line));
    for await (const line of /** @type {AsyncIterable<Line>} */ (followed(lines, after, hash))) {
      const isNamed = line.n === named?.n;
      if (isNamed && line.hash !== named?.hash) throw new Error(texts.more.log.gone(line.n));
      const isGame = line.last === last;
      yield { line, isNamed, isGame };
      if (isGame) return;
      ({ n: after, hash } = line);
    }
    if (items.length < PAGE) return;
  }
}
