/** Steps through a game. */
export class ReplayBar {
  /** @param {HTMLElement} root @param {import("../table.mjs").Table} table @param {import("../map/map.mjs").GameMap} map @param {{ query: URLSearchParams, go: (to: string) => void }} address */
  constructor(root, table, map, address) {
    this.root = root;
    this.table = table;
    this.map = map;
    this.address = address;
  }

  /** Show the table as it is now. */
  update() {}

  /** Let go of whatever goes on. */
  close() {}
}
