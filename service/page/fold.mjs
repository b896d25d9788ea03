/**
 * A projection of a game from its entries: the view of `GET /v1/games/{id}?at=N&legal_actions=false`.
 *
 * Entries carry outcomes, so this module contains no rules: events change members of the API's
 * view. Entries are those of `/v1/games/{id}/events`. Once the game is an open book, they are
 * complete and give the view of any seat. Before that they hold only the facts that their reader may
 * see, and give only the reader's view. Entries do not contain deadlines, banks, the invitation,
 * legal actions or later deletions of accounts, so views lack these. Nothing is imported: it runs in
 * browsers and in Node.js.
 *
 * A state and its parts are immutable: changes replace them. Views at two versions share the
 * objects that are equal in both.
 *
 * @import { Board, Entry, View } from "./fold.js"
 * @import { State } from "./fold/state.mjs"
 */

import { happen } from "./fold/happened.mjs";
import { stateOf, viewOf } from "./fold/view.mjs";

/**
 * Return the view after these entries for a viewer: a seat number, or null for a spectator.
 * @param {Iterable<Entry>} entries @param {Board} board @param {number | null} [viewer]
 * @returns {View}
 */
export function fold(entries, board, viewer = null) {
  const timeline = new Timeline(board, viewer);
  for (const entry of entries) timeline.push(entry);
  return timeline.last();
}

/** A game at each of its versions. */
export class Timeline {
  /** @type {State[]} */ #states = [];
  #first = 1;

  /** @param {Board} board as `GET /v1/boards/{board}` has it
   * @param {number | null} [viewer] the default viewer */
  constructor(board, viewer = null) {
    this.board = board;
    this.viewer = viewer;
  }

  /** How many versions there are. */
  get length() {
    return this.#states.length;
  }

  /** The first version: 1, unless it began with a view. */
  get first() {
    return this.#first;
  }

  /** The last version, 0 before the first. */
  get version() {
    return this.#first + this.length - 1;
  }

  /** Append an entry; throw a RangeError if its version is not the next. @param {Entry} entry */
  push(entry) {
    if (entry.version !== this.version + 1) {
      throw new RangeError(`entry ${entry.version} does not follow on ${this.version}`);
    }
    const was = this.#states.at(-1);
    /** @type {State} */
    const state = was ? { ...was } : { board: this.board, status: "lobby", seats: [], deciding: [] };
    for (const event of entry.events) happen(state, event);
    state.version = entry.version;
    state.created ??= entry.at;
    state.updated = entry.at;
    if (state.row) state.started ??= entry.at;
    this.#states.push(state);
  }

  /**
   * Append a view instead of an entry, or start with one. A fork that is under way needs this at
   * the entry that sets its position: its entries do not contain the position. (If the fork began
   * at an open tunnel that is withdrawn later, `taken` may be too high.)
   * @param {View} view
   */
  adopt(view) {
    if (!this.length) this.#first = view.version;
    else if (view.version !== this.version + 1) {
      throw new RangeError(`view ${view.version} does not follow on ${this.version}`);
    }
    this.#states.push(stateOf(view, this.board));
  }

  /** Remove all versions after this one, for a rollback at the service.
   * @param {number} version */
  cut(version) {
    this.#states.length = Math.max(0, Math.min(this.length, version - this.#first + 1));
  }

  /** The view at a version. @param {number} version @param {number | null} [viewer]
   * @returns {View} */
  at(version, viewer = this.viewer) {
    const state = this.#states[version - this.#first];
    if (!state) throw new RangeError(`there is no version ${version}`);
    return viewOf(state, viewer);
  }

  /** The view at the last version. @param {number | null} [viewer] */
  last(viewer = this.viewer) {
    return this.at(this.version, viewer);
  }
}
