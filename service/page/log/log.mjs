/** What happened, in words. */
export class Log {
  /** @param {HTMLElement} root @param {import("../table.mjs").Table} table @param {import("../map/map.mjs").GameMap} map  */
  constructor(root, table, map) {
    this.root = root;
    this.table = table;
    this.map = map;
  }

  /** Show the table as it is now. */
  update() {}

  /** Let go of whatever goes on. */
  close() {}
}
