/** The map of a game: the ground drawn once, and over it claims, stations and lights. */

import { html, nothing, render, svg } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { claim, ground, lit, litSpot, station, target, traced } from "./drawing.mjs";
import { cardColor, GREY, cardSymbol } from "../marks.mjs";
import { facts, ownership } from "./words.mjs";
import { placeNames } from "./places.mjs";
import { texts } from "../texts/texts.mjs";
import { Zoom } from "./zoom.mjs";

/** What is lit: how, by id; and trails of seats.
 * @typedef {{ routes?: Map<string, string>, locations?: Map<string, string>,
 *   traced?: { seat: number, routes: string[] }[] }} Lights */

/** Tells "choose" when a track or a location is chosen, "point" when one is pointed at. */
export class GameMap extends EventTarget {
  /** @param {HTMLElement} root @param {import("../table.mjs").Table} table */
  constructor(root, table) {
    super();
    this.root = root;
    this.table = table;
    /** What else is said of a route that is pointed at. @type {(route: any) => any} */
    this.info = () => nothing;
    /** @type {Lights} */
    this._lights = {};
    /** @type {string | null} */
    this._pointed = null;
    this._drawn = 0; // the version that is drawn
    const { board, layout } = table;
    this._routes = new Map(board.routes.map((/** @type {any} */ route) => [route.id, route]));
    this._spaces = new Map(layout.routes.map((/** @type {any} */ route) => [route.id, route.spaces]));
    this._places = new Map(layout.locations.map((/** @type {any} */ place) => [place.id, place]));
    this._names = placeNames(board);
    render(this._frame(), root);
    const at = (/** @type {string} */ name) => /** @type {HTMLElement} */ (root.querySelector(`.${name}`));
    this._parts = { claims: at("claims"), lights: at("lights"), hint: at("hint"), list: at("routes") };
    this._picture = /** @type {SVGSVGElement} */ (root.querySelector(".board"));
    this._zoom = new Zoom(this._picture, layout.width, layout.height);
  }

  /** Light up routes, locations and trails; nothing else stays lit. @param {Lights} lights */
  light(lights) {
    this._lights = lights;
    for (const each of this._picture.querySelectorAll("[data-route]")) {
      each.setAttribute("data-lit", lights.routes?.get(each.getAttribute("data-route") ?? "") ?? "");
    }
    this._drawLights();
  }

  /** Show the table as it is now. */
  update() {
    const { view } = this.table;
    const isStep = view.version === this._drawn + 1;
    this._drawn = view.version;
    this._picture.ariaLabel = texts.map.said(this.table.board.name, this._places.size, this._routes.size,
      view.claims?.length ?? 0);
    render(svg`${repeat(view.claims ?? [], (/** @type {any} */ each) => each.route,
      (/** @type {any} */ each) => claim(this._spaces.get(each.route), each.seat, isStep))}
      ${view.stations?.map((/** @type {any} */ each) => station(this._places.get(each.location), each.seat))}`,
    this._parts.claims);
    if (this._pointed) this._drawHint();
    this._drawList();
  }

  /** Let go of whatever goes on. */
  close() {
    this._zoom.close();
  }

  _frame() {
    const { board, layout } = this.table;
    const route = (/** @type {any} */ event) => event.target.closest?.("[data-route]")?.dataset.route;
    const place = (/** @type {any} */ event) => event.target.closest?.("[data-location]")?.dataset.location;
    const click = (/** @type {any} */ event) => {
      if (this._zoom.dragged) return;
      if (place(event)) this._choose({ location: place(event) });
      else if (route(event)) this._choose({ route: route(event) });
    };
    return html`<svg class="board" role="img" tabindex="0" @click=${click}
        @pointerover=${(/** @type {any} */ event) => this._point(route(event) ?? null, place(event) ?? null)}>
      ${ground(board, layout)}<g class="claims"></g><g class="lights"></g>
      ${board.routes.map((/** @type {any} */ each) => target(each, this._spaces.get(each.id)))}
      ${layout.locations.map((/** @type {any} */ { id, x, y }) => svg`<circle class="target" data-location=${id}
        cx=${x} cy=${y} r="14"></circle>`)}</svg>
    <div class="hint" role="tooltip" hidden></div>
    <div class="tools">
      <button aria-label=${texts.map.closer} title=${texts.map.closer} @click=${() => this._zoom.by(1.5)}>+</button>
      <button aria-label=${texts.map.farther} title=${texts.map.farther} @click=${() => this._zoom.by(1 / 1.5)}>−</button>
      <button aria-label=${texts.map.whole} title=${texts.map.whole} @click=${() => this._zoom.reset()}>⤢</button>
    </div>
    <details class="listed" @toggle=${() => this._drawList()}><summary>${texts.map.list}</summary>
      <input type="search" aria-label=${texts.map.filter} placeholder=${texts.map.filter}
        @input=${() => this._drawList()}><ul class="routes"></ul></details>`;
  }

  /** @param {{ route: string } | { location: string }} detail */
  _choose(detail) {
    if ("route" in detail) this._point(detail.route, null);
    this.dispatchEvent(new CustomEvent("choose", { detail }));
  }

  /** @param {string | null} route @param {string | null} location */
  _point(route, location) {
    if (route === this._pointed && !location) return;
    this._pointed = route;
    this.dispatchEvent(new CustomEvent("point", {
      detail: location ? { location } : route ? { route } : null }));
    this._drawHint();
    this._drawLights();
  }

  _drawLights() {
    const { routes = new Map(), locations = new Map(), traced: trails = [] } = this._lights;
    const pointed = this._pointed ? [lit(this._spaces.get(this._pointed), "pointed")] : nothing;
    render(svg`${trails.map(({ routes: ids }) => ids.map((id) => traced(this._spaces.get(id))))}
      ${[...routes].map(([id, kind]) => lit(this._spaces.get(id), kind))}
      ${[...locations].map(([id, kind]) => litSpot(this._places.get(id), kind))}${pointed}`, this._parts.lights);
  }

  _drawHint() {
    const route = this._routes.get(this._pointed ?? "");
    this._parts.hint.hidden = !route;
    if (!route) return;
    const { board, view } = this.table;
    render(html`<strong>${this._names.get(route.a)} – ${this._names.get(route.b)}</strong>
      <span class="chip">${route.color === GREY ? nothing : html`<svg viewBox="-11 -11 22 22" width="20" height="20"
        aria-hidden="true"><rect class="swatch" x="-11" y="-11" width="22" height="22" rx="4"
        fill=${cardColor(board, route.color).paint}></rect><g transform="scale(.8)">${cardSymbol(board, route.color)}</g></svg>`}
        ${facts(board, route).join(" · ")}</span>
      <span class="faint"><bdi>${ownership(view, route.id)}</bdi></span>${this.info(route)}`, this._parts.hint);
  }

  _drawList() {
    const details = /** @type {HTMLDetailsElement} */ (this.root.querySelector("details.listed"));
    if (!details.open) return render(nothing, this._parts.list);
    const wanted = (details.querySelector("input")?.value ?? "").toLocaleLowerCase();
    const { board, view } = this.table;
    const named = board.routes.map((/** @type {any} */ route) => ({ route,
      ends: `${this._names.get(route.a)} – ${this._names.get(route.b)}` }));
    const found = named.filter((/** @type {{ ends: string }} */ { ends }) => ends.toLocaleLowerCase().includes(wanted));
    return render(found.map((/** @type {{ route: any, ends: string }} */ { route, ends }) => html`
      <li><button data-listed=${route.id} @click=${() => this._choose({ route: route.id })}
        @focus=${() => this._point(route.id, null)}><strong>${ends}</strong> ${facts(board, route).join(", ")},
        <bdi>${ownership(view, route.id)}</bdi></button></li>`), this._parts.list);
  }
}
