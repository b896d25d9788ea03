/** The map of a game. */

import { html, nothing, render, svg } from "../vendor/lit-html/lit-html.js";

export class GameMap extends EventTarget {
  /** @param {HTMLElement} root @param {import("../table.mjs").Table} table */
  constructor(root, table) {
    super();
    this.root = root;
    this.table = table;
    /** @type {{ routes?: Map<string, string>, locations?: Map<string, string>, traced?: any[] }} */
    this.lit = {};
    /** @type {(route: any) => unknown} */
    this.info = () => nothing;
  }

  /** Light something up. @param {GameMap["lit"]} lit */
  light(lit) {
    this.lit = lit;
    this.update();
  }

  /** Show the table as it is now. */
  update() {
    const { layout, view } = this.table;
    const owner = (/** @type {string} */ id) => view.claims?.find((one) => one.route === id);
    const chosen = (/** @type {any} */ detail) => () => this.dispatchEvent(new CustomEvent("choose", { detail }));
    render(html`<svg viewBox="0 0 ${layout.width} ${layout.height}" width="100%" height="100%">${layout.routes.map((/** @type {any} */ one) => svg`
      <g data-route=${one.id} class=${this.lit.routes?.get(one.id) ?? ""} tabindex="0" role="button" aria-label=${one.id}
      @click=${chosen({ route: one.id })} @keydown=${(/** @type {KeyboardEvent} */ event) => event.key === "Enter" && chosen({ route: one.id })()}>
      ${one.spaces.map((/** @type {any} */ space) => svg`<rect x=${space.x - space.length / 2} y=${space.y - space.width / 2}
        width=${space.length} height=${space.width} transform="rotate(${space.angle} ${space.x} ${space.y})"
        fill=${owner(one.id) ? "#00808f" : this.lit.routes?.has(one.id) ? "#c90" : "#999"}></rect>`)}</g>`)}
      ${layout.locations.map((/** @type {any} */ one) => svg`<circle data-location=${one.id} cx=${one.x} cy=${one.y} r="8"
        class=${this.lit.locations?.get(one.id) ?? ""} @click=${chosen({ location: one.id })}
        fill=${this.lit.locations?.has(one.id) ? "#c00" : "#555"}></circle>`)}</svg>`, this.root);
  }

  /** Let go of whatever goes on. */
  close() {}
}
