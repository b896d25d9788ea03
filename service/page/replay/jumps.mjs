/** Where in a game something happened: the versions to jump to. */

import { own } from "../own.mjs";

export class Jumps {
  /** @param {any} board which declares by which events one can jump */
  constructor(board) {
    /** @type {Record<string, { jump?: string }>} */ this.events = board.declared.events;
    /** Kinds of entries that one can jump by. */
    this.kinds = [...new Set(Object.values(this.events).flatMap(({ jump }) => jump ?? []))];
    /** @type {Map<string, number[]>} */ this.byKind = new Map();
    this.read = 0;
    /** @type {any} */ this.first = undefined;
    this.turn = NaN;
  }

  /** Take in entries that are new. @param {any[]} entries */
  update(entries) {
    if (entries[0] !== this.first || entries.length < this.read) {
      Object.assign(this, { byKind: new Map(), read: 0, first: entries[0], turn: NaN });
    }
    for (; this.read < entries.length; this.read++) this.take(entries[this.read]);
  }

  /** @param {any} entry */
  take(entry) {
    if (entry.seat !== undefined && entry.seat === this.turn) {
      this.note("turns", entry.version);
      this.note(`turns-${entry.seat}`, entry.version);
      this.turn = NaN;
    }
    if (entry.note) this.note("notes", entry.version);
    for (const event of entry.events) {
      const { jump } = own(this.events, event.type) ?? {};
      if (jump) this.note(jump, entry.version);
      if (event.type === "turn_began") this.turn = event.seat;
    }
  }

  /** @param {string} kind @param {number} version */
  note(kind, version) {
    const versions = this.byKind.get(kind) ?? [];
    if (versions.at(-1) !== version) versions.push(version);
    this.byKind.set(kind, versions);
  }

  /** The next version of this kind, or the one before. @param {string} kind @param {number} version
   * @param {boolean} isBack @returns {number | undefined} */
  from(kind, version, isBack) {
    const versions = this.byKind.get(kind) ?? [];
    return isBack
      ? versions.findLast((one) => one < version)
      : versions.find((one) => one > version);
  }
}
