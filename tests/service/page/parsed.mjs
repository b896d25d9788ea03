// Reads a list of modules, {name, whole, sent}: `whole` is the file, `sent` is what a browser gets.
// Writes the names of those that differ in more than space and comments, or still have a comment.
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";

const require = createRequire(new URL("../../typescript/package.json", import.meta.url));
const { parse } = require("espree");

/** The tokens of a module. Space at the ends of a template's lines means nothing. */
const read = (module) => {
  const { tokens, comments } = parse(module, {
    ecmaVersion: "latest",
    sourceType: "module",
    tokens: true,
    comment: true,
  });
  const said = tokens.map(
    ({ type, value }) => `${type} ${type === "Template" ? value.replace(/\n\s*/g, "\n") : value}`,
  );
  return { said: said.join("\n"), comments };
};

const wrong = [];
for (const { name, whole, sent } of JSON.parse(await text(process.stdin))) {
  const [one, other] = [read(whole), read(sent)];
  if (one.said !== other.said || !one.said) wrong.push(name);
  if (other.comments.length) wrong.push(`${name}: ${other.comments[0].value}`);
}
console.log(JSON.stringify(wrong));
