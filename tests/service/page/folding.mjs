// Folds the games that come as lines of JSON on stdin, and says where a view is not the one given.
// Views are compared when a game is whole, so that one that changes afterwards is found, too.
import { isDeepStrictEqual } from "node:util";

import { fold, Timeline } from "../../../service/page/fold.mjs";

let [name, board, timeline, entries, given, isWhole] = ["", {}, undefined, [], [], true];
let [views, wrong] = [0, 0];

const compared = (at, version, viewer, due) => {
  const shown = at();
  views += 1;
  if (isDeepStrictEqual(shown, due) || (wrong += 1) > 9) return;
  for (const member of new Set([...Object.keys(due), ...Object.keys(shown)])) {
    if (isDeepStrictEqual(shown[member], due[member])) continue;
    console.log(`${name} at ${version} for ${viewer}: ${member} is ${JSON.stringify(shown[member])}, `
      + `should be ${JSON.stringify(due[member])}`);
  }
};

const over = () => {
  for (const [version, viewer, due] of given.reverse()) {
    compared(() => timeline.at(version, viewer), version, viewer, due);
  }
  const [version, viewer, due] = given[0] ?? [];
  if (isWhole && version === entries.length) {
    compared(() => fold(entries, board, viewer), version, viewer, due);
  }
};

const linesOf = async function* (stream) { // node:readline ends lines at U+2028, too
  let rest = "";
  for await (const text of stream.setEncoding("utf8")) {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    yield* lines;
  }
};

for await (const line of linesOf(process.stdin)) {
  const said = JSON.parse(line);
  if (said.board) ({ board } = said);
  if (said.name) {
    [name, timeline, entries, given, isWhole] = [said.name, new Timeline(board), [], [], true];
  }
  if (said.entry) entries.push(said.entry);
  if (said.adopted) isWhole = void timeline.adopt(said.adopted);
  else if (said.entry) timeline.push(said.entry);
  if (said.view) given.push([timeline.version, said.viewer, said.view]);
  if (said.over) over();
}
console.log(`${views} views, ${wrong} wrong`);
process.exitCode = wrong ? 1 : 0;
