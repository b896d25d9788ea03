// Checks a finished game as docs/fairness.md describes it, with nothing of Fogg's: the versions, the
// chain of hashes, the commitment and every shuffle. Node.js 20 or newer; no packages.
//
//   curl -H 'Accept: application/x-ndjson' $FOGG/v1/games/ID/events > history.ndjson
//   curl "$FOGG/v1/boards/usa?digest=HEX" > board.json   # its `board_digest`, on the first line
//   node verify.mjs history.ndjson board.json
//
// With the log of finished games, also whether the game is in that:
//
//   curl -H 'Accept: application/x-ndjson' $FOGG/v1/log > log.ndjson
//   node verify.mjs history.ndjson board.json log.ndjson
//
// Browsers can import it, too, on pages with https or from localhost (a service has it at
// /web/verify.mjs): `checked` yields a result for each entry, `followed` each line of the log.

/** @typedef {Record<string, any>} Json */
/** What was found of an entry: what was checked, by name, what is wrong, if anything is, and the
 * members, if there are any, that are not known here, of which the hash alone was checked.
 * @typedef {{ version: number, ok: boolean, checked: string[], problem?: string, hash: string,
 *   unknown?: string[] }} Checked */

const SCHEMA_VERSION = 1;
const MEMBERS = new Set(["version", "at", "schema_version", "events", "hash", "seat", "action", "note",
  "command", "salt", "log_head", "available", "arrived", "paused", "queued", "timed_out"]);

class Wrong extends Error {}

const utf8 = (/** @type {string} */ text) => new TextEncoder().encode(text);
const hex = (/** @type {Uint8Array} */ bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (/** @type {string} */ text) => Uint8Array.from(text.match(/../g) ?? [], (byte) => parseInt(byte, 16));
const sha256 = async (/** @type {Uint8Array<ArrayBuffer>} */ data) => new Uint8Array(await crypto.subtle.digest("SHA-256", data));

/** A function that returns the HMAC of a text under a key. @param {Uint8Array<ArrayBuffer>} key */
async function hmac(key) {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return async (/** @type {string} */ text) => new Uint8Array(await crypto.subtle.sign("HMAC", imported, utf8(text)));
}

// The text that a hash is of: JSON in canonical form, without `hash`.

/** Numbers keep the form in which they came: 60.0 is not 60. @param {string} line */
function textOf(line) {
  const tokens = line.match(/"(?:[^"\\]|\\.)*"|[-+.\w]+|[[\]{}]/g) ?? [];
  let at = 0;
  /** @returns {string} */
  const read = () => {
    const token = tokens[at++];
    if (token[0] === '"') return JSON.stringify(JSON.parse(token));
    if (token === "[") {
      const items = [];
      while (tokens[at] !== "]") items.push(read());
      at++;
      return `[${items.join(",")}]`;
    }
    if (token !== "{") return token;
    const [isOutermost, members] = [at === 1, /** @type {Map<string, string>} */ (new Map())];
    while (tokens[at] !== "}") members.set(JSON.parse(read()), read());
    at++;
    if (isOutermost) members.delete("hash");
    const names = [...members.keys()].sort(inBytes);
    return `{${names.map((name) => `${JSON.stringify(name)}:${members.get(name)}`).join(",")}}`;
  };
  return read();
}

/** By the bytes in UTF-8. @param {string} a @param {string} b */
function inBytes(a, b) {
  if (/^[\0-\x7f]*$/.test(a + b)) return a < b ? -1 : 1;
  return hex(utf8(a)) < hex(utf8(b)) ? -1 : 1;
}

/** The chance of a game: `draws(label)` is a function that gives the next number below n.
 * @param {Uint8Array<ArrayBuffer>} seed @param {string[]} entropy */
async function chance(seed, entropy) {
  const random = await hmac(await (await hmac(seed))(`fogg/1\n${entropy.join("\n")}`));
  const draws = (/** @type {string} */ label) => {
    let i = 0;
    return async (/** @type {number} */ n) => {
      const span = 2n ** 64n;
      const limit = span - (span % BigInt(n));
      let number;
      do {
        number = new DataView((await random(`${label}:${i++}`)).buffer).getBigUint64(0);
      } while (number >= limit);
      return Number(number % BigInt(n));
    };
  };
  const shuffled = async (/** @type {string} */ label, /** @type {string[]} */ list) => {
    const items = [...list];
    const below = draws(label);
    for (let i = items.length - 1; i > 0; i--) {
      const j = await below(i + 1);
      [items[i], items[j]] = [items[j], items[i]];
    }
    return items;
  };
  return { draws, shuffled };
}

/** What the shuffles depend on, event by event. */
class Table {
  shuffles = 0;
  seed = "";
  /** @type {string[]} */ checked = [];
  /** @type {string[]} */ entropy = [];
  /** @type {Record<string, number>} */ discards = {};
  /** @type {number | undefined} */ first;
  /** @type {Json} */ position = {};

  /** @param {Json} board */
  constructor(board) {
    this.board = board;
    this.colors = Object.keys(board.cards);
  }

  get chance() {
    return chance(unhex(this.seed), this.entropy);
  }

  /** @param {Record<string, number>} counts @param {string} [less] */
  discard(counts, less) {
    for (const [color, n] of Object.entries(counts)) {
      this.discards[color] = (this.discards[color] ?? 0) + n - (color === less ? 1 : 0);
    }
  }

  /** @param {unknown} given @param {unknown} due @param {string} what */
  expect(given, due, what) {
    if (JSON.stringify(given) !== JSON.stringify(due)) {
      throw new Wrong(`${what} is ${JSON.stringify(given)}, should be ${JSON.stringify(due)}`);
    }
    this.checked.push(what);
  }

  /** @param {Json} event @param {string} label @param {string[]} list @param {string} [member] */
  async expectShuffled(event, label, list, member = "tickets") {
    this.expect(event[member], await (await this.chance).shuffled(label, list), label);
  }

  /** @param {Json} event */
  async happened(event) {
    switch (event.type) {
      case "game_created":
        this.seed = event.seed;
        if (!/^[0-9a-f]{64}$/.test(this.seed)) throw new Wrong("the seed is not 32 bytes in hex");
        this.expect(event.commitment, hex(await sha256(unhex(this.seed))), "the commitment");
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
      case "game_started": {
        const due = this.first ?? await (await this.chance).draws("first-seat")(this.entropy.length);
        this.expect(event.first_seat, due, "the first seat");
        break;
      }
      case "tickets_shuffled": {
        const isLong = event.kind === "long";
        const tickets = this.board.tickets.filter((/** @type {Json} */ t) => !t.long !== isLong);
        await this.expectShuffled(event, isLong ? "long-tickets/1" : "tickets/1", idsOf(tickets));
        break;
      }
      case "deck_shuffled": {
        const counts = ++this.shuffles === 1 ? this.board.cards : this.discards;
        const cards = this.colors.flatMap((color) => Array(counts[color] ?? 0).fill(color));
        await this.expectShuffled(event, `cards/${this.shuffles}`, cards, "cards");
        this.discards = {};
        break;
      }
      case "game_forked":
        this.position = event.position;
        break;
      case "position_set":
        this.shuffles = this.position.shuffles;
        this.colors.forEach((color, i) => { this.discards[color] = this.position.discards[i]; });
        break;
      case "undrawn_shuffled": {
        const { deck, ticket_deck, long_deck } = this.position;
        const inOrder = (/** @type {number[]} */ places, /** @type {any[]} */ of) => (
          [...places].sort((a, b) => a - b).map((i) => of[i]));
        const { tickets } = this.board;
        await this.expectShuffled(event, "fork/cards", inOrder(deck, this.colors), "cards");
        await this.expectShuffled(event, "fork/tickets", idsOf(inOrder(ticket_deck, tickets)));
        await this.expectShuffled(event, "fork/long-tickets", idsOf(inOrder(long_deck, tickets)),
          "long_tickets");
        break;
      }
      case "row_discarded":
      case "tunnel_cards_discarded":
        for (const color of event.cards) this.discard({ [color]: 1 });
        break;
      case "route_claimed":
        this.discard(event.cards, event.kept);
        break;
      case "flag_completed":
      case "station_built":
      case "resigned":
        this.discard(event.cards);
    }
  }
}

/** @param {Json[]} tickets @returns {string[]} */
const idsOf = (tickets) => tickets.map((ticket) => ticket.id);

/**
 * What is found of each entry of a history, a line of JSON each, up to the first that is wrong.
 * @param {Iterable<string>} lines @param {Json} board its table @returns {AsyncGenerator<Checked>}
 */
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
        throw new Wrong(`the schema version is ${entry.schema_version}, known here is ${SCHEMA_VERSION}`);
      }
      unknown = Object.keys(entry).filter((name) => !MEMBERS.has(name)).sort();
      for (const event of entry.events) await table.happened(event);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      return yield { version, ok: false, checked: table.checked, hash, problem };
    }
    yield { version, ok: true, checked: table.checked, hash, ...(unknown.length ? { unknown } : {}) };
  }
}

/** The lines of the log, one after the other, each if it follows the one before; from after a line
 * on, if that one's number and hash are given.
 * @param {Iterable<string>} log @param {number} n @param {string} hash @returns {AsyncGenerator<Json>} */
export async function* followed(log, n = 0, hash = "") {
  for (const text of log) {
    const line = JSON.parse(text);
    if (line.n !== n + 1 || line.previous !== hash || hex(await sha256(utf8(textOf(text)))) !== line.hash) {
      throw new Wrong(`line ${n + 1} of the log does not follow`);
    }
    ({ n, hash } = line);
    yield line;
  }
}

/** The number of the line of the log that has a game's last hash.
 * @param {Iterable<string>} log @param {string} last */
async function placeIn(log, last) {
  let place = 0;
  for await (const line of followed(log)) if (line.last === last) place = line.n;
  if (!place) throw new Wrong("the log has no game with this last hash");
  return place;
}

// The command

/** @param {(file: string) => string} read @param {string[]} files @returns {Promise<[string, boolean]>} */
async function told(read, [history, board, log]) {
  const linesOf = (/** @type {string} */ file) => read(file).split("\n").filter((text) => text.trim());
  let [last, shuffles] = [/** @type {Checked | undefined} */ (undefined), 0];
  /** @type {Set<string>} */ const unknown = new Set();
  for await (last of checked(linesOf(history), JSON.parse(read(board)))) {
    for (const name of last.unknown ?? []) unknown.add(JSON.stringify(name));
    shuffles += last.checked.filter((what) => what.startsWith("cards/")).length;
  }
  if (!last) return ["there are no entries", false];
  const { version, hash, problem } = last;
  if (problem) return [`entry ${version} is wrong: ${problem}`, false];
  const note = unknown.size ? "\nmembers that are not known here, covered by the hashes and not checked "
    + `otherwise: ${[...unknown].join(", ")}` : "";
  const right = `${version} entries are right; ${shuffles} shuffles of the cards; last hash ${hash}${note}`;
  try {
    return [log ? `line ${await placeIn(linesOf(log), hash)} of the log is this game's\n${right}` : right, true];
  } catch (error) {
    return [`${right}\nthe log is wrong: ${/** @type {Error} */ (error).message}`, false];
  }
}

const { process } = /** @type {any} */ (globalThis);
const nodes = (/** @type {string} */ name) => import(`node:${name}`); // nothing of it in a browser
if (process?.versions?.node && process.argv[1]) {
  const [{ readFileSync, realpathSync }, { fileURLToPath }] = [await nodes("fs"), await nodes("url")];
  if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
    const [said, isRight] = await told((file) => readFileSync(file, "utf8"), process.argv.slice(2));
    console.log(said);
    process.exitCode = isRight ? 0 : 1;
  }
}
