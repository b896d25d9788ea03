export class Timeline {
  /** @param {any} _board @param {number | null} [_viewer] */
  constructor(_board, _viewer) { this.version = 0; }
  /** @param {any} entry */
  push(entry) { this.version = entry.version; }
  /** @param {number} version @param {number | null} [_viewer] @returns {any} */
  at(version, _viewer) { return { version }; }
  /** @param {number | null} [viewer] @returns {any} */
  last(viewer) { return this.at(this.version, viewer); }
}
