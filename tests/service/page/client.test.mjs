// The page's client, against the service named by FOGG_SERVER, over the bad network at FOGG_PROXY,
// and against servers of its own that answer what no service of ours would.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

import { Client, Problem } from "../../../service/page/client.mjs";

const { FOGG_SERVER: server, FOGG_PROXY: proxy } = process.env;

/** Serve these answers, one for each request, the last for ever; give what it was asked. One that
 * is a function is given the request. */
async function serving(answers, ask) {
  const asked = [];
  const service = createServer((request, response) => {
    const answer = answers[Math.min(asked.push(request), answers.length) - 1];
    const [status, headers, body] = typeof answer === "function" ? answer(request) : answer;
    response.writeHead(status, headers);
    if (body === null)
      response.flushHeaders(); // and never a word
    else response.end(body);
  });
  await new Promise((resolve) => service.listen(0, "127.0.0.1", resolve));
  try {
    await ask(`http://127.0.0.1:${service.address().port}`, asked);
  } finally {
    service.closeAllConnections();
    service.close();
  }
}

const all = async (messages) => {
  const read = [];
  for await (const message of messages) read.push(message);
  return read;
};

const json = (status, body, headers = {}) => [
  status,
  { "Content-Type": "application/json", ...headers },
  JSON.stringify(body),
];
const stream = (body) => [200, { "Content-Type": "text/event-stream" }, body];
const SILENT = stream(null);
const OVER = [204, {}, ""];

test("what is posted counts once, however often the network loses the answer", async () => {
  const client = new Client({ server: proxy, patience: 60_000 });
  client.token = (await client.post("/v1/players", { body: { name: "Ann" } })).token;
  const body = { board: "london", seats: [{ player: "me" }, { open: true }] };
  const { id } = await client.post("/v1/games", { body });
  const { items } = await client.get("/v1/games", { query: { player: "me", status: "lobby" } });
  assert.deepEqual(
    items.map((game) => game.id),
    [id],
  );
});

test("a stream that is cut again and again has no gap, nothing twice, and an end", async () => {
  const client = new Client({ server });
  client.token = (await client.post("/v1/players", { body: { name: "Bob" } })).token;
  const { id } = await client.post("/v1/games", {
    body: {
      board: "london",
      seats: [{ bot: "random" }, { bot: "random" }],
    },
  });
  const states = new Set();
  const far = new Client({ server: proxy, token: client.token });
  const views = [];
  for await (const { event, data } of far.stream(`/v1/games/${id}/events`, {
    query: { views: true },
    onState: (state) => states.add(state),
  })) {
    if (event === "entry") views.push(data.view);
  }
  const last = await client.get(`/v1/games/${id}`);
  assert.equal(last.status, "finished");
  assert.deepEqual(
    views.map(({ version }) => version),
    views.map((_, i) => i + 1),
  );
  assert.deepEqual(views.at(-1), last);
  assert.deepEqual(states, new Set(["connected", "reconnecting"]));
});

test("a problem says in words and by codes what is wrong", async () => {
  const client = new Client({ server });
  await assert.rejects(client.get("/v1/games/g_0"), (problem) => {
    assert.ok(problem instanceof Problem && problem instanceof Error);
    assert.equal(problem.status, 404);
    assert.match(problem.message, /^there is no /);
    return problem.code === problem.body.code;
  });
  await assert.rejects(
    client.post("/v1/players", { body: { name: 1 } }),
    ({ errors, field }) => errors.length === 1 && errors[0].field === "name" && field === "name",
  );
});

test("a board is asked for with what is had of it already, by its digest but once", async () => {
  const board = { id: "b", digest: "d" };
  await serving(
    [
      json(200, board, { ETag: '"d"' }),
      [304, { ETag: '"d"' }, ""],
      json(200, board, { ETag: '"d"' }),
    ],
    async (url, asked) => {
      const client = new Client({ server: url });
      const path = "/v1/boards/b";
      assert.deepEqual(await client.get(path), board);
      assert.deepEqual(await client.get(path), board);
      assert.deepEqual(
        asked.map((one) => one.headers["if-none-match"]),
        [undefined, '"d"'],
      );
      for (let i = 0; i < 3; i++) {
        assert.deepEqual(await client.get(path, { query: { digest: "d" } }), board);
      }
      assert.equal(asked.length, 3);
    },
  );
});

test("who is asked to wait waits, and sends the very same request again", async () => {
  const busy = json(429, { code: "too-many" }, { "Retry-After": "1" });
  await serving([busy, json(503, {}), json(200, { done: true })], async (url, asked) => {
    const began = Date.now();
    const client = new Client({ server: url, token: "t" });
    assert.deepEqual(await client.post("/v1/games", { body: {}, ifMatch: 4, prefer: "a=b" }), {
      done: true,
    });
    assert.ok(Date.now() - began >= 1000);
    assert.equal(new Set(asked.map((one) => one.headers["idempotency-key"])).size, 1);
    assert.deepEqual(
      [asked[0].headers["if-match"], asked[0].headers.authorization, asked[0].headers.prefer],
      ['"4"', "Bearer t", "a=b"],
    );
  });
});

for (const [date, waits] of [
  ["Sun, 06 Nov 1994 08:49:38 GMT", 1],
  ["Sunday, 06-Nov-94 08:49:38 GMT", 1],
  ["Sun Nov  6 08:49:38 1994", 1],
  ["Sun, 06 Nov 1994 09:49:37 GMT", 3600],
  ["soon", 0],
  ["-5", 0],
]) {
  test(`who is asked to wait until ${date} waits ${waits} s by the service's clock`, async () => {
    const busy = json(429, {}, { "Retry-After": date, Date: "Sun, 06 Nov 1994 08:49:37 GMT" });
    await serving([busy, json(200, { done: true })], async (url) => {
      const began = Date.now();
      const said = await new Client({ server: url }).get("/v1/me").catch(({ status }) => status);
      assert.deepEqual(said, waits > 60 ? 429 : { done: true });
      assert.ok(waits > 60 || Date.now() - began >= 1000 * waits);
    });
  });
}

test("a service that cannot be reached is a problem once patience is over", async () => {
  const client = new Client({ server: "http://127.0.0.1:9", patience: 200 });
  await assert.rejects(client.get("/"), { code: "unreachable", status: 0 });
  const stop = AbortSignal.timeout(300);
  await assert.rejects(new Client({ server: "http://127.0.0.1:9" }).get("/", { signal: stop }), {
    name: "TimeoutError",
  });
});

test("event streams are read as they come, and taken up after the last whole message", async () => {
  const first =
    ": hello\r\nid: 7\r\nevent: entry\r\ndata: [1,\r\ndata: 2]\r\n\r\n" +
    "data: 3\n\nid: 8\ndata: 4\n"; // cut off
  await serving(
    [stream(first), stream('id:9\nevent:a\ndata:"\u2028é"\n\n'), OVER],
    async (url, asked) => {
      const messages = await all(new Client({ server: url }).stream("/s", { after: 5 }));
      assert.deepEqual(messages, [
        { id: "7", event: "entry", data: [1, 2] },
        { id: "7", event: "message", data: 3 },
        { id: "9", event: "a", data: "\u2028é" },
      ]);
      assert.deepEqual(
        asked.map((one) => one.headers["last-event-id"]),
        ["5", "7", "9"],
      );
    },
  );
});

test("a game that was rolled back says from which version its entries come again", async () => {
  const gone = json(409, { code: "history-lost", version: 3, previous_version: 9 });
  await serving(
    [stream("id: 9\ndata: 1\n\n"), gone, stream("id: 4\ndata: 2\n\n"), OVER],
    async (url, asked) => {
      const messages = await all(new Client({ server: url }).stream("/s"));
      assert.deepEqual(messages[1], {
        id: "3",
        event: "lost",
        data: { version: 3, previous_version: 9 },
      });
      assert.deepEqual(
        asked.map((one) => one.headers["last-event-id"]),
        [undefined, "9", "3", "4"],
      );
    },
  );
  const other = json(401, { code: "revoked", detail: "no" });
  await serving([stream("data: 1\n\n"), other], async (url) => {
    await assert.rejects(all(new Client({ server: url }).stream("/s")), { code: "revoked" });
  });
});

test("a stream without a sign of life is taken up again", async () => {
  const once = ({ headers }) => (headers["last-event-id"] ? OVER : stream("id: 1\ndata: 1\n\n"));
  await serving([SILENT, once], async (url) => {
    const states = [];
    const messages = await all(
      new Client({ server: url, silence: 500 }).stream("/s", {
        onState: (state) => states.push(state),
      }),
    );
    assert.equal(messages.length, 1);
    assert.deepEqual(states.slice(0, 2), ["connected", "reconnecting"]);
  });
});

test("a stream ends with its signal, whether it is listened to or taken up", async () => {
  await serving([SILENT], async (url) => {
    const signal = AbortSignal.timeout(100);
    assert.deepEqual(await all(new Client({ server: url }).stream("/s", { signal })), []);
  });
  const signal = AbortSignal.timeout(300);
  const nowhere = new Client({ server: "http://127.0.0.1:9" });
  assert.deepEqual(await all(nowhere.stream("/s", { signal })), []);
});
