/** The map as a list of all routes with their facts, for players who cannot see the picture or
 * search for a name. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { facts, ownership } from "./words.mjs";
import { placeNames, plain } from "./places.mjs";
import { seatBadge } from "../marks.mjs";
import { texts } from "../texts/texts.mjs";

export class RouteList {
  /** @param {HTMLDetailsElement} root @param {GameMap} map */
  constructor(root, map) {
    this.root = root;
    this.map = map;
    this.wanted = "";
    const { board } = map.table;
    const names = placeNames(board);
    this.routes = board.routes.map((/** @type {any} */ route) => {
      const ends = `${names.get(route.a)} – ${names.get(route.b)}`;
      return { route, ends, plain: plain(ends), facts: facts(board, route).join(", ") };
    });
    this.body = /** @type {HTMLElement} */ (root.querySelector("div"));
    root.addEventListener("toggle", () => this.draw());
    root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !root.open) return;
      root.open = false;
      root.querySelector("summary")?.focus();
    });
    this.draw();
  }

  /** Draw the list; while it is closed, it is empty. */
  draw() {
    if (!this.root.open && this.drawn) return;
    this.drawn = !this.root.open;
    const { view } = this.map.table;
    const owners = new Map(
      (view.claims ?? []).map((/** @type {any} */ { route, seat }) => [route, seat]),
    );
    const routes = this.root.open
      ? this.routes.filter((/** @type {any} */ { plain: text }) => text.includes(this.wanted))
      : [];
    render(
      html`<input
          type="search"
          aria-label=${texts.map.filter}
          placeholder=${texts.map.filter}
          @input=${(/** @type {any} */ event) => {
            this.wanted = plain(event.target.value);
            this.draw();
          }}
        />
        <p class="hidden-text" role="status">
          ${this.root.open ? texts.map.found(routes.length) : ""}
        </p>
        <ul class="routes">
          ${routes.map(
            (/** @type {any} */ { route, ends, facts: said }) =>
              html` <li>
                <button
                  data-listed=${route.id}
                  @click=${() => this.map.choose({ route: route.id })}
                  @focus=${() => this.map.point({ route: route.id })}
                  @blur=${() => this.map.point(null)}
                >
                  ${owners.has(route.id) ? seatBadge(owners.get(route.id)) : nothing}
                  <span
                    ><strong>${ends}</strong>
                    <span>${said}, <bdi>${ownership(view, route.id)}</bdi></span></span
                  >
                </button>
              </li>`,
          )}
        </ul>`,
      this.body,
    );
  }
}
