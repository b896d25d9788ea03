// Times the fold of the page over games: lines of JSON on stdin, the board first, then each game's
// entries as a list. Prints the milliseconds of each round as JSON.
import { readFileSync } from "node:fs";

import { Timeline } from "../service/page/fold.mjs";

const [board, ...texts] = readFileSync(0, "utf8").trim().split("\n");
const rounds = Number(process.argv[2]);
const table = JSON.parse(board);

const timed = (work) => {
  const began = performance.now();
  const found = work();
  return [performance.now() - began, found];
};

const found = { parsing: [], folding: [], steps: [] };
for (let round = 0; round < rounds; round++) {
  const [parsing, games] = timed(() => texts.map((text) => JSON.parse(text)));
  const [folding, timelines] = timed(() => games.map((entries) => {
    const timeline = new Timeline(table);
    for (const entry of entries) timeline.push(entry);
    return timeline;
  }));
  for (const timeline of timelines) {
    for (let version = timeline.version; version > 0; version--) {
      found.steps.push(timed(() => timeline.at(version, version % 5))[0]);
    }
  }
  found.parsing.push(parsing);
  found.folding.push(folding);
}
found.steps.sort((a, b) => a - b);
console.log(JSON.stringify(found));
