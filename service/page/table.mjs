/** A game as its screen shows it: the entries so far, live or replayed, from one seat's view. */
import { client, recognized } from "./account.mjs";
import { boardOf, entriesAfter, GROUPED, MOST, told } from "./fetched.mjs";
import { Pace } from "./pace.mjs";
import { Timeline } from "./fold.mjs";
import { trouble } from "./waiting.mjs";

/** @typedef {import("./fold.js").View} View */
/** @typedef {import("./fold.js").Entry} Entry */

const ENDS = ["game_ended", "game_aborted"];
const STALE = 412;
const SOON = 400; // milliseconds until the view is fetched when nobody needs it at once
const LATER = 5000; // milliseconds until that is retried

/**
 * Dispatches "change" when any member that the screen shows has changed.
 *
 * `shown` is the version that is displayed, null for the latest. `open` is the seat whose hand is
 * displayed once the game is an open book, null for all.
 */
export class Table extends EventTarget {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #again;
  #isFetching = false;
  #isClosed = false;
  #closing = new AbortController();

  /** @param {string} id @param {any} board @param {any} layout @param {View} view as the API shows it */
  constructor(id, board, layout, view) {
    super();
    this.id = id;
    this.board = board;
    this.layout = layout;
    /** The last view of the API. It has members that entries do not contain (deadlines, banks, the
     * invitation, legal actions). */
    this.now = view;
    /** The viewer's seat, null for none. @type {number | null} */
    this.seat = view.you?.seat ?? null;
    this.entries = /** @type {Entry[]} */ ([]);
    this.news = /** @type {Entry[]} */ ([]); // that have come since the last "change"
    this.timeline = new Timeline(board, this.seat);
    this.shown = this.open = /** @type {number | null} */ (null);
    /** Whether the final score is being added up, so that nothing else may tell it yet. */
    this.isCounting = false;
    this.pace = new Pace();
    this._seen = () => this.#seen();
    document.addEventListener("visibilitychange", this._seen);
  }

  /** Load a game, and follow it while it runs. @param {string} id */
  static async load(id) {
    const [[board, layout], view, entries] = await Promise.all([
      boardOf(id), client.get(`/v1/games/${id}`, { query: GROUPED }), entriesAfter(id, 0)]);
    const table = new Table(id, board, layout, view);
    await table.catchUp(entries);
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

  /** Whether the viewer has no seat, and only bots decide: such a game is shown as at a stage. */
  get isShow() {
    return this.seat === null && this.timeline.last(null).seats.every(({ player, left }) => left || player?.bot);
  }

  /** Whether the latest version is shown. */
  get isLatest() {
    return this.shown === null;
  }

  /** Whether the game is over and nothing in it is secret any more. */
  get isOpenBook() {
    return this.timeline.last(null).seed !== undefined;
  }

  /** The view that is shown. */
  get view() {
    const version = this.shown ?? this.version;
    const view = this.timeline.at(version, this.open ?? this.seat);
    return this.open === null || version === this.version ? view : { ...view, seats: told(view.seats) };
  }

  /** The groups of legal actions; empty while an earlier version is shown. */
  get actions() {
    return this.isLatest && (this.now.version === this.version || this.#isStillDue()) && this.now.you?.grouped_actions || [];
  }

  /** Whether the caller has the same decision as in the API's last view: others may decide at once. */
  #isStillDue() {
    const isMine = (/** @type {any} */ { seat }) => seat === this.seat;
    return this.#decision() && this.timeline.last(this.seat).deciding.find(isMine)?.decision === this.#decision()
      && !this.entries.slice(this.now.version).some(({ events }) => events.some(isMine));
  }

  /** Show another version; null follows the latest. @param {number | null} version */
  show(version) {
    this.shown = version !== null && version < this.version ? Math.max(1, Math.floor(version)) : null;
    if (this.shown !== null) this.isCounting = false;
    this.changed();
  }

  /** Show an open book as one seat saw it; null shows all hands. @param {number | null} seat */
  look(seat) {
    this.open = this.isOpenBook && seat !== null && Object.hasOwn(this.timeline.last(null).seats, seat) ? seat : null;
    this.changed();
  }

  /** The final score is added up, or nobody wants to see how: show it everywhere. */
  counted() {
    if (!this.isCounting) return;
    this.isCounting = false;
    this.changed();
  }

  /** Say that something has changed. */
  changed() {
    this.dispatchEvent(new Event("change"));
    this.news = [];
  }

  /** Append one entry, if it is the next one. @param {Entry} entry */
  async take(entry) {
    if (entry.version !== this.version + 1) return;
    try {
      this.timeline.push(entry);
    } catch (error) {
      // No entry contains the position of a fork under way; only the view does.
      if (!entry.events.some((event) => event.type === "position_set")) throw error;
      const query = { at: entry.version, legal_actions: false };
      const view = await client.get(`/v1/games/${this.id}`, { query });
      if (entry.version !== this.version + 1) return;
      this.timeline.adopt(view);
    }
    this.entries.push(entry);
    this.news.push(entry);
  }

  /** Append the missing entries; `fetched` has the first of them.
   * @param {Entry[]} [fetched] */
  async catchUp(fetched) {
    for (let entries = fetched; ; entries = undefined) {
      entries ??= await entriesAfter(this.id, this.version);
      for (const entry of entries) await this.take(entry);
      if (entries.length < MOST) break;
    }
    this.news = [];
  }

  /** Follow the game until it is over; then reload it as an open book. */
  async follow() {
    this.#closing.abort();
    this.#closing = new AbortController();
    const { signal } = this.#closing;
    const stream = client.stream(`/v1/games/${this.id}/events`, {
      after: this.version, signal, query: GROUPED,
      onState: (/** @type {string} */ state) => {
        trouble(this, state === "connected" ? null : "away");
        this.changed();
      },
    });
    try {
      for await (const { event, data } of this.pace.direct(stream, this, signal)) {
        if (event === "view") this.#learn(data);
        else if (event === "lost") this.#forget(data.version);
        else await this.take(data);
        if (data.events?.some((/** @type {any} */ one) => ENDS.includes(one.type))) break;
        if (!this.pace.isSkipping) this.changed();
        this.#askAgain();
      }
      if (!signal.aborted) await this.reload();
    } catch (problem) {
      if (signal.aborted) return;
      if (/** @type {any} */ (problem).status === 401) void recognized();
      trouble(this, "away");
      clearTimeout(this.#again);
      this.#again = setTimeout(() => void this.follow(), LATER);
    }
  }

  /** Reload the game, for the account that is signed in now. */
  async reload() {
    const fresh = new Table(this.id, this.board, this.layout,
      await client.get(`/v1/games/${this.id}`, { query: GROUPED }));
    fresh.close();
    await fresh.catchUp();
    if (this.#isClosed) return;
    this.#closing.abort();
    const { now, seat, entries, timeline } = fresh;
    Object.assign(this, { now, seat, entries, timeline });
    trouble(this, null);
    this.changed();
    if (!this.isOver) void this.follow();
  }

  /** Play an action and show the result; return whether it was played. If the game has moved on in
   * the meantime, retry while the same decision is pending.
   * @param {Record<string, any>} action */
  async play(action) {
    for (let decision = this.#decision();;) {
      try {
        const answer = await client.post(`/v1/games/${this.id}/actions`, {
          query: GROUPED, body: action, ifMatch: this.now.version });
        for (const entry of answer.entries) await this.take(entry);
        this.pace.moved();
        this.#learn(answer.view);
        this.changed();
        return true;
      } catch (error) {
        const { status, body } = /** @type {any} */ (error);
        if (status !== STALE || !body.view) throw error;
        for (const entry of body.entries) await this.take(entry);
        this.#learn(body.view);
        this.changed();
        if (!decision || decision !== (decision = this.#decision())) return false;
      }
    }
  }

  /** The caller's pending decision. */
  #decision() {
    return this.now.deciding.find((one) => one.seat === this.seat)?.decision;
  }

  /** Store a view of the API. @param {View} view */
  #learn(view) {
    if (view.version < this.now.version) return;
    this.now = view;
    const seat = view.you?.seat ?? null;
    if (seat === this.seat || this.isOver) return;
    this.seat = seat; // seats are renumbered when a game starts with fewer players
    this.timeline.viewer = seat;
  }

  /** Remove the versions that the service rolled back. @param {number} version */
  #forget(version) {
    this.timeline.cut(version);
    this.entries.length = Math.min(this.entries.length, version);
    this.news = [];
    this.now = { ...this.now, version: 0 };
  }

  /** Fetch the members that only the API's view has, if needed: at once on the caller's turn,
   * else after SOON, since a deadline can wait. Built-in bots have no deadline. */
  #askAgain() {
    if (this.now.version >= this.version) return;
    const { deciding, seats } = this.timeline.last(this.seat);
    const people = deciding.filter((/** @type {{ seat: number }} */ { seat }) =>
      (seats[seat].player?.bot ?? "external") === "external");
    const isMine = deciding.some(({ seat }) => seat === this.seat);
    if (!isMine && !people.length && seats.every((seat) => seat.player)) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fetch(), isMine ? 0 : SOON);
  }

  async #fetch() {
    if (this.#isFetching) return;
    this.#isFetching = true;
    const { signal } = this.#closing;
    try {
      this.#learn(await client.get(`/v1/games/${this.id}`, { query: GROUPED, signal }));
      this.changed();
    } catch {
      if (!signal.aborted) this.#timer = setTimeout(() => this.#fetch(), LATER);
    } finally {
      this.#isFetching = false;
    }
    if (!signal.aborted) this.#askAgain();
  }

  /** Close the stream while the window is hidden: browsers allow six connections to a service. */
  #seen() {
    if (document.hidden) this.#closing.abort();
    else if (this.#closing.signal.aborted && !this.isOver) void this.follow();
  }

  /** Stop following. */
  close() {
    this.#isClosed = true;
    trouble(this, null);
    document.removeEventListener("visibilitychange", this._seen);
    this.pace.close();
    for (const timer of [this.#timer, this.#again]) clearTimeout(timer);
    this.#closing.abort();
  }
}
