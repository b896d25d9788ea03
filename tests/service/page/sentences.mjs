// Reads lines of JSON: {says, value}, of which it says the sentence; {events}, of which it says how they
// are merged; {board, groups}, of which it says the actions that are offered by declared words.
import { createInterface } from "node:readline";
import { declaredActions } from "../../../service/page/play/legal.mjs";
import { merged, sentence } from "../../../service/page/sentences.mjs";

const and = (words) =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
const cards = (counts) => and(Object.entries(counts).map(([card, count]) => `${count} ${card}`));
const turned = (given) => {
  const kinds = [...new Set(given)];
  return and(kinds.map((kind) => `${given.filter((card) => card === kind).length} ${kind}`));
};
const readers = {
  seat: (seats) => and([seats].flat().map((seat) => `seat ${seat}`)),
  player: ({ name }) => name,
  location: String,
  route: (ids) => [ids].flat().join(", "),
  other: (value) => and([value].flat().map(String)),
  card: (given) => turned([given].flat()),
  cards,
  counts: cards,
  wild: (count) => `${count} wild`,
};
const count = (number, noun, nouns) =>
  `${number} ${number === 1 ? noun : (nouns ?? noun + (/(s|x|ch|sh)$/.test(noun) ? "es" : "s"))}`;

for await (const line of createInterface({ input: process.stdin })) {
  const { says, value, events, board, groups } = JSON.parse(line);
  console.log(
    JSON.stringify(
      says
        ? (sentence(says, value, readers, count) ?? null)
        : events
          ? merged(events)
          : declaredActions(board, groups),
    ),
  );
}
