/** A game as its screen shows it: the entries so far, live or replayed, from one seat's view. */
import { client, recognized } from "./account.mjs";
import { allViews, boardOf, GROUPED, present, seenBy } from "./fetched.mjs";
import { Pace } from "./pace.mjs";
import { trouble } from "./waiting.mjs";

const ENDS = ["game_ended", "game_aborted"];
const STALE = 412;
const LATER = 5000; // milliseconds until the stream is opened again

/**
 * Dispatches "change" when any member that the screen shows has changed.
 *
 * `shown` is the version that is displayed, null for the latest. `open` is the seat whose hand is
 * displayed once the game is an open book, null for all.
 */
export class Table extends EventTarget {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #again;
  /** By version - 1: the views that have come. @type {View[]} */ #views = [];
  #isClosed = false;
  #closing = new AbortController();

  /** @param {string} id @param {any} board @param {any} layout
   * @param {{ now: View, entries: Entry[] }} present */
  constructor(id, board, layout, { now, entries }) {
    super();
    this.id = id;
    this.board = board;
    this.layout = layout;
    /** The view at the latest version. */
    this.now = now;
    this.entries = entries;
    this.shown = this.open = /** @type {number | null} */ (null);
    /** Whether the final score is being added up, so that nothing else may tell it yet. */
    this.isCounting = false;
    /** Whether the views of earlier versions have come, or cannot be had. */
    this.isWhole = false;
    this.whole = Promise.resolve();
    this.pace = new Pace();
    this._seen = () => this.#seen();
    document.addEventListener("visibilitychange", this._seen);
  }

  /** Load a game, and follow it while it runs. @param {string} id */
  static async load(id) {
    const views = allViews(id);
    views.catch(() => {}); // the game may be none of the viewer's
    const [[board, layout], now] = await Promise.all([boardOf(id), present(id)]);
    const table = new Table(id, board, layout, now);
    table.whole = views
      .then((all) => {
        all.forEach((view) => {
          table.#views[view.version - 1] ??= view;
        });
      })
      .catch(() => {})
      .then(() => {
        table.isWhole = true;
        table.changed();
      });
    if (!table.isOver) void table.follow();
    return table;
  }

  /** The version of the latest entry. */
  get version() {
    return this.entries.length;
  }

  /** The viewer's seat, null for none. */
  get seat() {
    return this.now.you?.seat ?? null;
  }

  get isOver() {
    return this.now.status === "finished";
  }

  /** Whether the viewer has no seat, and only bots decide: such a game is shown as at a stage. */
  get isShow() {
    return this.seat === null && this.now.seats.every(({ player, left }) => left || player?.bot);
  }

  get isLatest() {
    return this.shown === null;
  }

  /** Whether the game is over and nothing in it is secret any more. */
  get isOpenBook() {
    return this.now.seed !== undefined;
  }

  /** The view at a version; until it has come, the latest. @param {number} version */
  at(version) {
    return version === this.version ? this.now : (this.#views[version - 1] ?? this.now);
  }

  get view() {
    const view = this.at(this.shown ?? this.version);
    return this.open === null ? view : seenBy(view, this.open, view === this.now);
  }

  /** The groups of legal actions; empty while an earlier version is shown. */
  get actions() {
    return (this.isLatest && this.now.you?.grouped_actions) || [];
  }

  /** Show another version; null follows the latest. @param {number | null} version */
  show(version) {
    this.shown =
      version !== null && version < this.version ? Math.max(1, Math.floor(version)) : null;
    if (this.shown !== null) this.isCounting = false;
    this.changed();
  }

  /** Show an open book as one seat saw it; null shows all hands. @param {number | null} seat */
  look(seat) {
    this.open =
      this.isOpenBook && seat !== null && Object.hasOwn(this.now.seats, seat) ? seat : null;
    this.changed();
  }

  /** The final score is added up, or nobody wants to see how: show it everywhere. */
  counted() {
    if (!this.isCounting) return;
    this.isCounting = false;
    this.changed();
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }

  /** Append an entry, if it is the next one; `view` is the view after it.
   * @param {Entry & { view?: View }} entry */
  take({ view, ...entry }) {
    if (entry.version === this.version + 1) this.entries.push(entry);
    if (view) this.#learn(view);
  }

  /** Follow the game until it is over; then reload it as an open book. */
  async follow() {
    this.#closing.abort();
    this.#closing = new AbortController();
    const { signal } = this.#closing;
    const stream = client.stream(`/v1/games/${this.id}/events`, {
      after: this.version,
      signal,
      query: { ...GROUPED, views: true },
      onState: (/** @type {string} */ state) => {
        trouble(this, state === "connected" ? null : "away");
        this.changed();
      },
    });
    try {
      for await (const { event, data } of this.pace.direct(stream, this, signal)) {
        if (event === "view") this.#learn(data);
        else if (event === "lost") this.#forget(data.version);
        else this.take(data);
        if (data.events?.some((/** @type {any} */ one) => ENDS.includes(one.type))) break;
        if (!this.pace.isSkipping) this.changed();
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
    const [fresh, views] = await Promise.all([present(this.id), allViews(this.id)]);
    if (this.#isClosed) return;
    this.#closing.abort();
    Object.assign(this, fresh);
    this.#views = views;
    trouble(this, null);
    this.changed();
    if (!this.isOver) void this.follow();
  }

  /** Play an action and show the result; return whether it was played. If the game has moved on in
   * the meantime, retry while the same decision is pending. @param {Record<string, any>} action */
  async play(action) {
    for (let decision = this.#decision(); ;) {
      try {
        const answer = await client.post(`/v1/games/${this.id}/actions`, {
          query: GROUPED,
          body: action,
          ifMatch: this.now.version,
        });
        for (const entry of answer.entries) this.take(entry);
        this.pace.moved();
        this.#learn(answer.view);
        this.changed();
        return true;
      } catch (error) {
        const { status, body } = /** @type {any} */ (error);
        if (status !== STALE || !body.view) throw error;
        for (const entry of body.entries) this.take(entry);
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

  /** Store a view of the API; the views of later versions come with their entries. @param {View} view */
  #learn(view) {
    if (view.version > this.version) return;
    this.#views[view.version - 1] = view;
    if (view.version === this.version) this.now = view;
  }

  /** Remove the versions that the service rolled back. @param {number} version */
  #forget(version) {
    this.entries.length = this.#views.length = Math.min(this.version, version);
    this.now = this.#views[version - 1] ?? this.now;
  }

  /** Close the stream while the window is hidden: browsers allow six connections to a service. */
  #seen() {
    if (document.hidden) this.#closing.abort();
    else if (this.#closing.signal.aborted && !this.isOver) void this.follow();
  }

  close() {
    this.#isClosed = true;
    trouble(this, null);
    document.removeEventListener("visibilitychange", this._seen);
    this.pace.close();
    clearTimeout(this.#again);
    this.#closing.abort();
  }
}
