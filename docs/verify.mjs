// Checks a finished game as docs/fairness.md describes it, with nothing of Fogg's: the versions, the
// chain of hashes, the salts, the commitment, the board's digest, every shuffle, the times. Node.js 20
// or newer; no packages.
//
//   curl -H 'Accept: application/x-ndjson' $FOGG/v1/games/ID/events > history.ndjson
//   curl "$FOGG/v1/boards/usa?digest=HEX" > board.json   # its `board_digest`, on the first line
//   node verify.mjs history.ndjson board.json
//
// With a third file, the log of finished games (/v1/log), also whether the game is in that. Browsers
// can import it, too, on pages with https or from localhost (a service has it at /web/verify.mjs):
// `checked` yields a result for each entry, `followed` each line of the log.

/** @typedef {Record<string, any>} Json */
/** The result for an entry: the names of the checks, the problem, if there is one, and the members,
 * if there are any, that are not known here, of which the hash alone was checked.
 * @typedef {{ version: number, ok: boolean, checked: string[], problem?: string, hash: string,
 *   unknown?: string[] }} Checked */

const SCHEMA_VERSION = 1;
const HOUR = 3_600_000; // milliseconds from an action's arrival to its entry, at most
const MEMBERS = new Set([
  "version",
  "at",
  "schema_version",
  "events",
  "hash",
  "seat",
  "action",
  "note",
  "command",
  "salt",
  "log_head",
  "available",
  "arrived",
  "paused",
  "queued",
  "timed_out",
]);

class Wrong extends Error {}

const utf8 = (/** @type {string} */ text) => new TextEncoder().encode(text);
const hex = (/** @type {Uint8Array} */ bytes) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (/** @type {string} */ text) =>
  Uint8Array.from(text.match(/../g) ?? [], (byte) => parseInt(byte, 16));
const sha256 = async (/** @type {Uint8Array<ArrayBuffer>} */ data) =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", data));

/** A function that returns the HMAC of a text under a key. @param {Uint8Array<ArrayBuffer>} key */
async function hmac(key) {
  const imported = await crypto.subtle.importKey(
    "raw",
    key,
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  return async (/** @type {string} */ text) =>
    new Uint8Array(await crypto.subtle.sign("HMAC", imported, utf8(text)));
}

/** JSON in canonical form. Numbers keep the form in which they came: 60.0 is not 60. `named` gives
 * the new name of a member, if it stays, by its path, as "/routes/id", and its name.
 * @param {string} json @param {(path: string, name: string) => string | undefined} named */
function canonical(json, named) {
  const tokens = json.match(/"(?:[^"\\]|\\.)*"|[-+.\w]+|[[\]{}]/g) ?? [];
  let at = 0;
  /** @param {string} path @returns {string} */
  const read = (path) => {
    const token = tokens[at++];
    if (token[0] === '"') return JSON.stringify(JSON.parse(token));
    if (token === "[") {
      const items = [];
      while (tokens[at] !== "]") items.push(read(path));
      at++;
      return `[${items.join(",")}]`;
    }
    if (token !== "{") return token;
    const members = /** @type {Map<string, string>} */ (new Map());
    while (tokens[at] !== "}") {
      const name = JSON.parse(read(path));
      const inner = `${path}/${name}`;
      const [value, kept] = [read(inner), named(inner, name)];
      if (kept !== undefined) members.set(kept, value);
    }
    at++;
    const names = [...members.keys()].sort(inBytes);
    return `{${names.map((name) => `${JSON.stringify(name)}:${members.get(name)}`).join(",")}}`;
  };
  return read("");
}

/** The text that a hash is of. @param {string} line */
const textOf = (line) => canonical(line, (path, name) => (path === "/hash" ? undefined : name));

/** Paths of the members that the service adds to a board's table. */
const SERVED = new Set([
  "/digest",
  "/declared",
  "/routes/id",
  "/routes/twin",
  "/routes/trains",
  "/tickets/id",
  "/tickets/ways",
]);

/** The digest of a board, from the answer of the service. @param {string} answer */
async function digestOf(answer) {
  const table = canonical(answer, (path, name) =>
    path === "/id" ? "board" : SERVED.has(path) ? undefined : name,
  );
  const code = (/** @type {string} */ unit) => unit.charCodeAt(0).toString(16).padStart(4, "0");
  return hex(await sha256(utf8(table.replace(/[^\0-\x7f]/g, (unit) => `\\u${code(unit)}`))));
}

/** By the bytes in UTF-8. @param {string} a @param {string} b */
const inBytes = (a, b) =>
  (/^[\0-\x7f]*$/.test(a + b) ? a < b : hex(utf8(a)) < hex(utf8(b))) ? -1 : 1;

/** The chance of a game: `draws(label)` is a function that gives the next number below n.
 * @param {Uint8Array<ArrayBuffer>} seed @param {string[]} entropy */
async function chance(seed, entropy) {
  const random = await hmac(await (await hmac(seed))(`fogg/1\n${entropy.join("\n")}`));
  const draws = (/** @type {string} */ label) => {
    let i = 0;
    return async (/** @type {number} */ n) => {
      for (const limit = 2n ** 64n - (2n ** 64n % BigInt(n)); ;) {
        const number = new DataView((await random(`${label}:${i++}`)).buffer).getBigUint64(0);
        if (number < limit) return Number(number % BigInt(n));
      }
    };
  };
  const shuffled = async (/** @type {string} */ label, /** @type {string[]} */ list) => {
    const [items, below] = [[...list], draws(label)];
    for (let i = items.length - 1; i > 0; i--) {
      const j = await below(i + 1);
      [items[i], items[j]] = [items[j], items[i]];
    }
    return items;
  };
  return { draws, shuffled };
}

/** All that the shuffles and the times depend on, event by event. */
class Table {
  shuffles = 0;
  isOver = false;
  /** The first event. @type {Json} */ created = {};
  /** @type {string[]} */ checked = [];
  /** @type {string[]} */ entropy = [];
  /** Cards by colour. @type {Map<string, number>} */ discards = new Map();
  /** When each entry was written. @type {string[]} */ written = [];
  /** Milliseconds left, by seat. @type {Map<number, number>} */ banks = new Map();
  /** @type {number | undefined} */ first;
  /** The salt of an entry, by its version, if it follows from the first.
   * @type {((version: string) => Promise<Uint8Array>) | undefined} */
  saltOf;
  /** @type {Json} */ position = {};

  /** @param {Json} board */
  constructor(board) {
    this.board = board;
    /** @type {string[]} */ this.tickets = board.tickets.map(
      (/** @type {Json} */ ticket) => ticket.id,
    );
    /** @type {string[]} */ this.colors = board.declared?.colors ?? Object.keys(board.cards); // as of old
  }

  get chance() {
    return chance(unhex(this.created.seed), this.entropy);
  }

  /** @param {string} color @param {number} n */
  discard(color, n) {
    this.discards.set(color, (this.discards.get(color) ?? 0) + n);
  }

  /** Check the salt of an entry. Where no rules of ratings are recorded it may be random.
   * @param {Json} entry */
  async salted({ version, salt }) {
    if (!/^[0-9a-f]{32}$/.test(salt)) throw new Wrong("the salt is not 16 bytes in hex");
    if (version === 1 && this.created.rating_rules) this.saltOf = await hmac(unhex(salt));
    else if (this.saltOf)
      this.expect(salt, hex((await this.saltOf(`${version}`)).slice(0, 16)), "the salt");
  }

  /** Check the times of an entry, as far as they are clear without the rules. @param {Json} entry */
  timed({ at, seat, available, arrived, paused = 0, queued = 0, timed_out }) {
    const before = this.written.at(-1) ?? "";
    this.written.push(at);
    const { clock } = this.created;
    if (!clock) return;
    if (at < before) throw new Wrong(`at is ${at}, the entry before was written at ${before}`);
    if (!available) return;
    if (!this.written.includes(available))
      throw new Wrong(`available is ${available}, no entry's time`);
    const { per_decision = Infinity, total, bank = total || Infinity, increment = 0 } = clock;
    const left = this.banks.get(seat) ?? Math.round(1000 * bank);
    const allowed = Math.min(Math.round(1000 * per_decision), left);
    const [due, came, end] = [available, arrived ?? at, at].map((time) => Date.parse(time));
    const used = timed_out ? allowed : came - due - paused - queued;
    if (
      timed_out
        ? !(end - due >= allowed)
        : !(used <= allowed && came <= end && end <= Math.max(came, due) + HOUR)
    ) {
      throw new Wrong(
        `at is ${at}, available ${available}, arrived ${arrived}: the clock had ${allowed} ms`,
      );
    }
    this.banks.set(seat, Math.max(0, left - Math.max(0, used)) + Math.round(1000 * increment));
  }

  /** @param {unknown} given @param {unknown} due @param {string} what */
  expect(given, due, what) {
    if (JSON.stringify(given) !== JSON.stringify(due)) {
      throw new Wrong(`${what} is ${JSON.stringify(given)}, should be ${JSON.stringify(due)}`);
    }
    this.checked.push(what);
  }

  /** @param {string[]} given @param {string} label @param {string[]} list */
  async expectShuffled(given, label, list) {
    this.expect(given, await (await this.chance).shuffled(label, list), label);
  }

  /** @param {Json} event */
  async happened(event) {
    switch (event.type) {
      case "game_created":
        this.created = event;
        if (!/^[0-9a-f]{64}$/.test(event.seed)) throw new Wrong("the seed is not 32 bytes in hex");
        this.expect(event.commitment, hex(await sha256(unhex(event.seed))), "the commitment");
        this.expect(event.board_digest, this.board.digest, "the board's digest");
        this.entropy = Array(event.seats).fill("");
        this.first = event.first_seat;
        break;
      case "seat_taken":
      case "seat_left":
        this.entropy[event.seat] = event.entropy ?? "";
        break;
      case "open_seats_closed": {
        this.entropy = event.seats.map((/** @type {number} */ seat) => this.entropy[seat]);
        const place = event.seats.indexOf(this.first);
        this.first = place < 0 ? undefined : place;
        break;
      }
      case "game_started":
        this.first ??= await (await this.chance).draws("first-seat")(this.entropy.length);
        this.expect(event.first_seat, this.first, "the first seat");
        break;
      case "tickets_shuffled": {
        const isLong = event.kind === "long";
        const tickets = this.tickets.filter((_, i) => !this.board.tickets[i].long !== isLong);
        await this.expectShuffled(event.tickets, isLong ? "long-tickets/1" : "tickets/1", tickets);
        break;
      }
      case "deck_shuffled": {
        const counts =
          ++this.shuffles === 1 ? new Map(Object.entries(this.board.cards)) : this.discards;
        const cards = this.colors.flatMap((color) => Array(counts.get(color) ?? 0).fill(color));
        await this.expectShuffled(event.cards, `cards/${this.shuffles}`, cards);
        this.discards.clear();
        break;
      }
      case "game_forked":
        this.position = event.position;
        break;
      case "position_set":
        this.shuffles = this.position.shuffles;
        this.colors.forEach((color, i) => this.discards.set(color, this.position.discards[i]));
        break;
      case "undrawn_shuffled": {
        const { deck, ticket_deck, long_deck } = this.position;
        const inOrder = (/** @type {number[]} */ places, /** @type {string[]} */ of) =>
          [...places].sort((a, b) => a - b).map((i) => of[i]);
        await this.expectShuffled(event.cards, "fork/cards", inOrder(deck, this.colors));
        await this.expectShuffled(
          event.tickets,
          "fork/tickets",
          inOrder(ticket_deck, this.tickets),
        );
        await this.expectShuffled(
          event.long_tickets,
          "fork/long-tickets",
          inOrder(long_deck, this.tickets),
        );
        break;
      }
      case "row_discarded":
      case "tunnel_cards_discarded":
        for (const color of event.cards) this.discard(color, 1);
        break;
      case "route_claimed":
      case "flag_completed":
      case "station_built":
      case "resigned":
        for (const [color, n] of Object.entries(event.cards)) this.discard(color, n);
        if (event.kept) this.discard(event.kept, -1);
        break;
      case "game_ended":
      case "game_aborted":
        this.isOver = true;
    }
  }
}

/** Check a history, an entry in each line of JSON, up to the first that is wrong or missing.
 * @param {Iterable<string>} lines @param {Json} board its table @returns {AsyncGenerator<Checked>} */
export async function* checked(lines, board) {
  const table = new Table(board);
  let [version, hash] = [0, ""];
  for (const line of lines) {
    version += 1;
    table.checked = [];
    /** @type {string[]} */ let unknown;
    try {
      const entry = JSON.parse(line);
      table.expect(entry.version, version, "the version");
      hash = hex(await sha256(utf8(`${hash}\n${textOf(line)}`)));
      table.expect(entry.hash, hash, "the hash");
      if (entry.schema_version !== SCHEMA_VERSION) {
        throw new Wrong(
          `the schema version is ${entry.schema_version}, known here is ${SCHEMA_VERSION}`,
        );
      }
      unknown = Object.keys(entry)
        .filter((name) => !MEMBERS.has(name))
        .sort();
      table.timed(entry);
      for (const event of entry.events) await table.happened(event);
      await table.salted(entry);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      return yield { version, ok: false, checked: table.checked, hash, problem };
    }
    yield {
      version,
      ok: true,
      checked: table.checked,
      hash,
      ...(unknown.length ? { unknown } : {}),
    };
  }
  const problem = "the history ends here, the game does not";
  if (!table.isOver) yield { version: version + 1, ok: false, checked: [], hash, problem };
}

/** The lines of the log, one after the other, each if it follows the one before; from after a line
 * on, if that one's number and hash are given.
 * @param {Iterable<string>} log @param {number} n @param {string} hash @returns {AsyncGenerator<Json>} */
export async function* followed(log, n = 0, hash = "") {
  for (const text of log) {
    const line = JSON.parse(text);
    if (
      line.n !== n + 1 ||
      line.previous !== hash ||
      hex(await sha256(utf8(textOf(text)))) !== line.hash
    ) {
      throw new Wrong(`line ${n + 1} of the log does not follow`);
    }
    ({ n, hash } = line);
    yield line;
  }
}

/** The command. @param {(file: string) => string} read @param {string[]} files @returns {Promise<[string, boolean]>} */
async function told(read, [history, board, log]) {
  const linesOf = (/** @type {string} */ file) =>
    read(file)
      .split("\n")
      .filter((text) => text.trim());
  let [version, hash, shuffles] = [0, "", 0];
  /** @type {Set<string>} */ const unknown = new Set();
  const answer = read(board);
  const table = { ...JSON.parse(answer), digest: await digestOf(answer) };
  for await (const one of checked(linesOf(history), table)) {
    ({ version, hash } = one);
    if (one.problem) return [`entry ${version} is wrong: ${one.problem}`, false];
    for (const name of one.unknown ?? []) unknown.add(JSON.stringify(name));
    shuffles += one.checked.filter((what) => what.startsWith("cards/")).length;
  }
  const note = unknown.size
    ? "\nmembers that are not known here, covered by the hashes and not checked " +
      `otherwise: ${[...unknown].join(", ")}`
    : "";
  const right = `${version} entries are right; ${shuffles} shuffles of the cards; last hash ${hash}${note}`;
  try {
    let place = 0;
    for await (const { n, last } of followed(log ? linesOf(log) : [])) if (last === hash) place = n;
    if (log && !place) throw new Wrong("the log has no game with this last hash");
    return [log ? `line ${place} of the log is this game's\n${right}` : right, true];
  } catch (error) {
    return [`${right}\nthe log is wrong: ${/** @type {Error} */ (error).message}`, false];
  }
}

const { process } = /** @type {any} */ (globalThis);
const nodes = (/** @type {string} */ name) => import(`node:${name}`); // nothing of it in a browser
if (process?.versions?.node && process.argv[1]) {
  const [{ readFileSync, realpathSync }, { fileURLToPath }] = [
    await nodes("fs"),
    await nodes("url"),
  ];
  if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
    const [said, isRight] = await told((file) => readFileSync(file, "utf8"), process.argv.slice(2));
    console.log(said);
    process.exitCode = isRight ? 0 : 1;
  }
}
