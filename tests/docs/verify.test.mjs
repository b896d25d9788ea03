// The verifier as others import it, on the history and the board named by HISTORY and BOARD.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { checked } from "../../docs/verify.mjs";

const lines = readFileSync(process.env.HISTORY, "utf8").trim().split("\n");
const board = JSON.parse(readFileSync(process.env.BOARD, "utf8"));
const all = (lines) => Array.fromAsync(checked(lines, board));

test("each entry of a right history says what was checked of it", async () => {
  const results = await all(lines);
  assert.deepEqual(
    results.map(({ version }) => version),
    lines.map((_, i) => i + 1),
  );
  assert.ok(results.every(({ ok, problem }) => ok && problem === undefined));
  assert.deepEqual(results[0].checked, [
    "the version",
    "the hash",
    "the commitment",
    "the board's digest",
    "the first seat",
    "tickets/1",
    "cards/1",
  ]);
  assert.deepEqual(results[1].checked, ["the version", "the hash"]);
  assert.equal(results.at(-1).hash, JSON.parse(lines.at(-1)).hash);
});

test("it ends at the first entry that is wrong, and says what of it", async () => {
  const wrong = lines.with(9, lines[9].replace(/"at": "2/, '"at": "3'));
  const results = await all(wrong);
  assert.equal(results.length, 10);
  const { ok, checked: what, problem } = results[9];
  assert.deepEqual([ok, what], [false, ["the version"]]);
  assert.match(problem, /^the hash is "[0-9a-f]{64}", should be "[0-9a-f]{64}"$/);
  assert.match((await all([lines[1]]))[0].problem, /^the version is 2, should be 1$/);
  assert.match((await all(["{"]))[0].problem, /JSON/);
});

test("the text of an entry is sorted by bytes, its numbers are as they came", async () => {
  const text = '{"a":[1e3,{"\u{1F600}":1,"\uFFFD":-0.50,"é":"\\u00e9\\/\u2028"}],"b":60.0}';
  const due = '{"a":[1e3,{"é":"é/\u2028","\uFFFD":-0.50,"\u{1F600}":1}],"b":60.0,"version":1}';
  const hash = createHash("sha256").update(`\n${due}`).digest("hex");
  const line = `{ "hash": "${hash}", "version": 1, ${text.slice(1)}`;
  assert.deepEqual((await all([line]))[0].checked, ["the version", "the hash"]);
});

test("members of a later version are named, known members are not", async () => {
  const read = (file) => readFileSync(file, "utf8").trim().split("\n");
  const results = await all(read(process.env.LATER));
  assert.ok(results.every(({ ok }) => ok));
  assert.deepEqual(
    results.flatMap(({ unknown }, i) => (unknown ? [i, ...unknown] : [])),
    [3, "mood"],
  );
  assert.deepEqual(
    (await all(read(process.env.EVERY))).map(({ ok, unknown }) => [ok, unknown]),
    [[true, undefined]],
  );
});

test("an entry of another schema version is refused", async () => {
  const results = await all(readFileSync(process.env.OTHER, "utf8").trim().split("\n"));
  assert.deepEqual([results.length, results.at(-1).ok], [4, false]);
  assert.equal(results.at(-1).problem, "the schema version is 2, known here is 1");
});
