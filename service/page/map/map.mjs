/** The map of a game. */
export class GameMap extends EventTarget {
  /** @param {HTMLElement} root @param {import("../table.mjs").Table} table */
  constructor(root, table) {
    super();
    this.root = root;
    this.table = table;
  }

  /** Show the table as it is now. */
  update() {
    this.root.textContent = `${this.table.board.name} ${this.table.view.version}`;
  }

  /** Let go of whatever goes on. */
  close() {}
}
