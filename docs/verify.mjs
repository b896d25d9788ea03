// Checks a finished game as docs/fairness.md describes it, with nothing of Fogg's: the versions, the
// chain of hashes, the commitment and every shuffle. Node.js 22 or newer; no packages.
//
//   curl -H 'Accept: application/x-ndjson' $FOGG/v1/games/ID/events > history.ndjson
//   curl "$FOGG/v1/boards/usa?digest=HEX" > board.json   # its `board_digest`, on the first line
//   node verify.mjs history.ndjson board.json
//
// With the log of finished games, also whether the game is in that:
//
//   curl -H 'Accept: application/x-ndjson' $FOGG/v1/log > log.ndjson
//   node verify.mjs history.ndjson board.json log.ndjson
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

class Wrong extends Error {}

if (!JSON.rawJSON) {
  console.error("Node.js 22 or newer is needed: older ones cannot tell 60.0 from 60");
  process.exit(2);
}

// The text of an entry. Numbers keep the form in which they came: 60.0 is not 60.
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object" || JSON.isRawJSON(value)) {
    return JSON.stringify(value);
  }
  const names = Object.keys(value).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

function textOf(line) {
  const exact = JSON.parse(line, (_, value, { source }) =>
    typeof value === "number" ? JSON.rawJSON(source) : value);
  delete exact.hash;
  return canonical(exact);
}

const sha256 = (data) => createHash("sha256").update(data).digest("hex");
const hmac = (key, data) => createHmac("sha256", key).update(data).digest();

// The chance of a game: draws(label) gives a function that returns the next number below n.
function chance(seed, entropy) {
  const key = hmac(seed, `fogg/1\n${entropy.join("\n")}`);
  const draws = (label) => {
    let i = 0;
    return (n) => {
      const span = 2n ** 64n;
      const limit = span - (span % BigInt(n));
      let number;
      do number = hmac(key, `${label}:${i++}`).readBigUInt64BE(); while (number >= limit);
      return Number(number % BigInt(n));
    };
  };
  const shuffled = (label, list) => {
    const items = [...list];
    const below = draws(label);
    for (let i = items.length - 1; i > 0; i--) {
      const j = below(i + 1);
      [items[i], items[j]] = [items[j], items[i]];
    }
    return items;
  };
  return { draws, shuffled };
}

const cardsOf = (board, counts) =>
  Object.keys(board.cards).flatMap((color) => Array(counts[color] ?? 0).fill(color));

// What the shuffles depend on, event by event.
class Table {
  constructor(board) {
    this.board = board;
    this.shuffles = 0;
    this.discards = {};
  }

  get chance() {
    return chance(Buffer.from(this.seed, "hex"), this.entropy);
  }

  discard(counts, less) {
    for (const [color, n] of Object.entries(counts)) {
      this.discards[color] = (this.discards[color] ?? 0) + n - (color === less ? 1 : 0);
    }
  }

  expect(given, due, what) {
    if (JSON.stringify(given) !== JSON.stringify(due)) {
      throw new Wrong(`${what} is ${JSON.stringify(given)}, should be ${JSON.stringify(due)}`);
    }
  }

  happened(event) {
    switch (event.type) {
      case "game_created":
        this.seed = event.seed;
        if (!/^[0-9a-f]{64}$/.test(this.seed)) throw new Wrong("the seed is not 32 bytes in hex");
        this.expect(event.commitment, sha256(Buffer.from(this.seed, "hex")), "the commitment");
        this.expect(event.board_digest, this.board.digest, "the board's digest");
        this.entropy = Array(event.seats).fill("");
        this.first = event.first_seat;
        break;
      case "seat_taken":
        this.entropy[event.seat] = event.entropy ?? "";
        break;
      case "seat_left":
        this.entropy[event.seat] = "";
        break;
      case "open_seats_closed": {
        this.entropy = event.seats.map((seat) => this.entropy[seat]);
        const place = event.seats.indexOf(this.first);
        this.first = place < 0 ? undefined : place;
        break;
      }
      case "game_started": {
        const due = this.first ?? this.chance.draws("first-seat")(this.entropy.length);
        this.expect(event.first_seat, due, "the first seat");
        break;
      }
      case "tickets_shuffled": {
        const isLong = event.kind === "long";
        const ids = this.board.tickets.filter((t) => (t.long ?? false) === isLong).map((t) => t.id);
        const label = isLong ? "long-tickets/1" : "tickets/1";
        this.expect(event.tickets, this.chance.shuffled(label, ids), label);
        break;
      }
      case "deck_shuffled": {
        const label = `cards/${++this.shuffles}`;
        const list = cardsOf(this.board, this.shuffles === 1 ? this.board.cards : this.discards);
        this.expect(event.cards, this.chance.shuffled(label, list), label);
        this.discards = {};
        break;
      }
      case "game_forked":
        this.position = event.position;
        break;
      case "position_set": {
        const colors = Object.keys(this.board.cards);
        this.shuffles = this.position.shuffles;
        this.position.discards.forEach((n, i) => { this.discards[colors[i]] = n; });
        break;
      }
      case "undrawn_shuffled": {
        const inOrder = (numbers) => [...numbers].sort((a, b) => a - b);
        const colors = Object.keys(this.board.cards);
        const ids = (numbers) => inOrder(numbers).map((i) => this.board.tickets[i].id);
        for (const [name, label, list] of [
          ["cards", "fork/cards", inOrder(this.position.deck).map((i) => colors[i])],
          ["tickets", "fork/tickets", ids(this.position.ticket_deck)],
          ["long_tickets", "fork/long-tickets", ids(this.position.long_deck)],
        ]) this.expect(event[name], this.chance.shuffled(label, list), label);
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

const linesOf = (file) => readFileSync(file, "utf8").split("\n").filter((text) => text.trim());

// The number of the line of the log that has a game's last hash.
function placeIn(log, last) {
  let [n, previous, place] = [0, "", 0];
  for (const { hash, ...line } of log.map((text) => JSON.parse(text))) {
    if (line.n !== (n += 1) || line.previous !== previous || sha256(canonical(line)) !== hash) {
      throw new Wrong(`line ${n} of the log does not follow`);
    }
    if (line.last === last) place = n;
    previous = hash;
  }
  if (!place) throw new Wrong("the log has no game with this last hash");
  return place;
}

const [history, boardFile, logFile] = process.argv.slice(2);
const table = new Table(JSON.parse(readFileSync(boardFile, "utf8")));
let [version, hash] = [0, ""];
try {
  for (const line of linesOf(history)) {
    const entry = JSON.parse(line);
    version += 1;
    if (entry.version !== version) throw new Wrong(`the version is ${entry.version}`);
    hash = sha256(`${hash}\n${textOf(line)}`);
    if (entry.hash !== hash) throw new Wrong(`the hash is ${entry.hash}, should be ${hash}`);
    entry.events.forEach((event) => table.happened(event));
  }
  if (logFile) console.log(`line ${placeIn(linesOf(logFile), hash)} of the log is this game's`);
  console.log(`${version} entries are right; ${table.shuffles} shuffles of the cards; last hash ${hash}`);
} catch (error) {
  console.log(`entry ${version} is wrong: ${error.message}`);
  process.exitCode = 1;
}
