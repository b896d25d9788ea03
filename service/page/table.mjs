/** A game as its screen shows it: the entries so far, live or replayed, from one seat's view. */

import { account, client } from "./account.mjs";
import { Timeline } from "./fold.mjs";

const ENDS = ["game_ended", "game_aborted"];

/**
 * Tells "change" whenever anything that is shown has changed.
 *
 * `shown` is the version that is looked at, null while that is the latest; `open` the seat whose
 * hand is looked at once the game is an open book, null for all.
 */
export class Table extends EventTarget {
  /** @param {string} id @param {any} board @param {any} layout @param {any} view as the API shows it */
  constructor(id, board, layout, view) {
    super();
    this.id = id;
    this.board = board;
    this.layout = layout;
    /** What the API last showed: has what does not follow from entries (deadlines, invitation). */
    this.now = view;
    /** The seat of whoever looks, null for none. @type {number | null} */
    this.seat = view.you?.seat ?? null;
    /** @type {any[]} */
    this.entries = [];
    this.timeline = new Timeline(board, this.seat);
    /** @type {number | null} */
    this.shown = null;
    /** @type {number | null} */
    this.open = null;
    this.connection = "connected";
    this._closing = new AbortController();
  }

  /** Load a game, and follow it while it runs. @param {string} id */
  static async load(id) {
    const view = await client.get(`/v1/games/${id}`, { query: { legal_actions: "grouped" } });
    const first = (await client.get(`/v1/games/${id}/events`, { query: { limit: 1 } })).items[0];
    const query = { digest: first.events[0].board_digest };
    const [board, layout] = await Promise.all([
      client.get(`/v1/boards/${view.board}`, { query }),
      client.get(`/v1/boards/${view.board}/layout`, { query }),
    ]);
    const table = new Table(id, board, layout, view);
    await table.catchUp();
    if (!table.isOver) void table.follow();
    return table;
  }

  /** The version of the latest entry. */
  get version() {
    return this.timeline.version;
  }

  /** Whether the game is over. */
  get isOver() {
    return this.timeline.last(this.seat).status === "finished";
  }

  /** Whether what is shown is the latest. */
  get isLatest() {
    return this.shown === null;
  }

  /** The view that is shown. */
  get view() {
    return this.timeline.at(this.shown ?? this.version, this.seat);
  }

  /** Show another version; null: the latest, and what comes. @param {number | null} version */
  show(version) {
    this.shown = version === null || version >= this.version && !this.isOver
      ? null : Math.max(1, Math.min(version, this.version));
    this.changed();
  }

  /** Say that something has changed. */
  changed() {
    this.dispatchEvent(new Event("change"));
  }

  /** Take in one entry. @param {any} entry */
  take(entry) {
    if (entry.version !== this.version + 1) return;
    this.entries.push(entry);
    this.timeline.push(entry);
  }

  /** Fetch the entries that are lacking. */
  async catchUp() {
    for (;;) {
      const page = await client.get(`/v1/games/${this.id}/events`, {
        query: { after: this.version, limit: 1000 } });
      for (const entry of page.items) this.take(entry);
      if (page.items.length < 1000) return;
    }
  }

  /** Follow the game until it is over; then fetch it anew, as an open book. */
  async follow() {
    const stream = client.stream(`/v1/games/${this.id}/events`, {
      after: this.version, signal: this._closing.signal,
      query: { legal_actions: "false" },
      onState: (/** @type {string} */ state) => {
        this.connection = state;
        this.changed();
      },
    });
    for await (const message of stream) {
      if (message.event === "view") continue;
      this.take(message.data);
      if (message.data.events.some((/** @type {any} */ event) => ENDS.includes(event.type))) break;
      this.changed();
    }
    if (this._closing.signal.aborted) return;
    this.entries = [];
    this.timeline = new Timeline(this.board, this.seat);
    await this.catchUp();
    this.changed();
  }

  /** The caller's account, if it has one. */
  get account() {
    return account();
  }

  /** Stop following. */
  close() {
    this._closing.abort();
  }
}
