// Reads games that are over, a line each: {board, view}; says what of their scoring is not as the
// result has it, how many tickets, longest paths and tickets with the help of a station there were, and the names of parts that
// the page has no words for.
import { createInterface } from "node:readline";
import { nameOfPart, stepsOf } from "../../../service/page/scoring/steps.mjs";
import { texts } from "../../../service/page/texts/texts.mjs";

const seen = { tickets: 0, trails: 0, borrowed: 0 };
const wrong = [];
const unknown = new Set();
for await (const line of createInterface({ input: process.stdin })) {
  const { name, board, view } = JSON.parse(line);
  const steps = stepsOf(board, view);
  for (const { seat, result } of view.seats) {
    const sum = (part) =>
      steps
        .filter((step) => !part || step.part === part)
        .reduce((all, step) => all + step.points[seat], 0);
    if (sum() !== result.total)
      wrong.push(`${name}, seat ${seat}: ${sum()} is not ${result.total}`);
    for (const { part } of steps) {
      if (sum(part) !== result[part])
        wrong.push(`${name}, seat ${seat}, ${part}: ${sum(part)} is not ${result[part]}`);
    }
  }
  for (const { part, words } of steps) {
    if (Object.hasOwn(texts.scoring.parts, part)) continue;
    unknown.add(nameOfPart(part));
    if (!words.startsWith(`${nameOfPart(part)}: `)) wrong.push(`${name}, ${part}: ${words}`);
  }
  seen.tickets += steps.filter(({ lights }) => lights.locations).length;
  seen.trails += steps.filter(({ part }) => part === "longest_path").length;
  seen.borrowed += steps.filter(({ words }) => words.includes("help of a station")).length;
}
console.log(JSON.stringify({ wrong, unknown: [...unknown].sort(), ...seen }));
