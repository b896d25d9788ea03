/** A game embedded in a page of another site. Posts its size, the shown version and the end to that
 * page; shows the version that it asks for. Messages are public: any origin may read them. */

/** @typedef {{ type: "fogg:size", width: number, height: number }
 *   | { type: "fogg:version", version: number, of: number }
 *   | { type: "fogg:end", results: Record<string, any>[] }} Message */

export class Frame {
  /** @param {HTMLElement} root @param {import("../table.mjs").Table} table */
  constructor(root, table) {
    this.table = table;
    this.told = "";
    this.hasEnded = false;
    this.watching = new ResizeObserver(() => this.tellSize());
    for (const part of root.querySelectorAll(".game, .game > *")) this.watching.observe(part);
    this.root = root;
    this.size = "";
    this.onMessage = (/** @type {MessageEvent} */ { source, data }) => {
      if (source !== parent || data?.type !== "fogg:show") return;
      if (data.version === null || Number.isInteger(data.version)) table.show(data.version);
    };
    addEventListener("message", this.onMessage);
  }

  /** Post the size at which the map fills the frame's width and everything else fits below it. It
   * does not depend on the current height. */
  tellSize() {
    const { width, height } = this.table.layout;
    const { offsetWidth, offsetHeight } = /** @type {HTMLElement} */ (this.root.querySelector(".game"));
    const map = /** @type {HTMLElement} */ (this.root.querySelector(".map"));
    const needed = Math.ceil(offsetHeight - map.offsetHeight + map.offsetWidth * height / width);
    const size = `${offsetWidth} ${needed}`;
    if (size !== this.size && offsetWidth) this.tell({ type: "fogg:size", width: offsetWidth, height: needed });
    this.size = size;
  }

  /** @param {Message} message */
  tell(message) {
    parent.postMessage(message, "*");
  }

  /** Redraw after a change of the table. */
  update() {
    const { table } = this;
    const version = table.shown ?? table.version;
    const told = `${version} ${table.version}`;
    if (told !== this.told) this.tell({ type: "fogg:version", version, of: table.version });
    this.told = told;
    const isEnd = table.isOver && table.isLatest;
    if (isEnd && !this.hasEnded) {
      const { seats = [] } = table.view;
      this.tell({ type: "fogg:end", results: seats.flatMap(({ seat, player, result }) => (
        result ? [{ seat, name: player?.name, ...result }] : [])) });
    }
    this.hasEnded = isEnd;
  }

  /** Stop: release listeners and timers. */
  close() {
    this.watching.disconnect();
    removeEventListener("message", this.onMessage);
  }
}
