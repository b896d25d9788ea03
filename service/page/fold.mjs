/**
 * A game from its entries: what `GET /v1/games/{id}?at=N&legal_actions=false` shows, worked out here.
 *
 * Entries carry outcomes, so nothing here knows a rule: an event changes what a state says, in the
 * words of the API's view. Entries are those of `/v1/games/{id}/events`: whole once the game is an
 * open book, which gives any seat's view; before that as their reader may see them, which gives the
 * reader's own. Left out is what entries do not tell: deadlines, banks, the invitation, legal
 * actions, and which accounts were deleted since. Nothing is imported: it runs in browsers and in
 * Node.js.
 *
 * A state is never changed, only replaced, and so are its parts: what is the same at two versions
 * is the same object in both views.
 *
 * @import { Board, Entry, View } from "./fold.js"
 * @import { State } from "./fold/state.mjs"
 */

import { happen } from "./fold/happened.mjs";
import { stateOf, viewOf } from "./fold/view.mjs";

/**
 * The view after these entries, as a viewer may see it: a seat's number, or null for anybody else.
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
   * @param {number | null} [viewer] whose views are meant where none is named */
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

  /** Go on by an entry, the one after the last. @param {Entry} entry */
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
   * Go on by a view instead of an entry, or begin with one. A fork that is under way needs that
   * where its position is set: its entries do not tell the position. (Begun at an open tunnel,
   * `taken` may be too high should the tunnel be withdrawn.)
   * @param {View} view
   */
  adopt(view) {
    if (!this.length) this.#first = view.version;
    else if (view.version !== this.version + 1) {
      throw new RangeError(`view ${view.version} does not follow on ${this.version}`);
    }
    this.#states.push(stateOf(view, this.board));
  }

  /** Forget all after a version, as when the service says that it has lost it.
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
