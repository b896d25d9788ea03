/** The map of a game: drawn once, and over it claims, pieces and lights. */

import { html, nothing, render, svg } from "../vendor/lit-html/lit-html.js";
import {
  aside,
  byId,
  claim,
  extent,
  ground,
  lit,
  litSpot,
  names,
  spots,
  station,
  traced,
  tracks,
} from "./drawing.mjs";
import { Hits } from "./hits.mjs";
import { Labels } from "./labels.mjs";
import { described } from "./words.mjs";
import { texts } from "../texts/texts.mjs";
import { Zoom } from "./zoom.mjs";
import { withPart } from "../waiting.mjs";
import { own } from "../own.mjs";

const REACH = { mouse: 7, touch: 22 }; // pixels: the tolerance of the hit test
const PHONE = 640; // pixels: narrower windows begin with a part of the map
const PAUSE = 200; // milliseconds: quicker steps skip the animation of wagons
export const BEAT = 0.09; // seconds from a wagon that drops to the next
const THICK = 5; // pixels: tracks are drawn thicker where they were narrower on the screen
const SETTLED = 200; // milliseconds after the last move
const SVG = "http://www.w3.org/2000/svg";

/** Highlights: their kind by id, and trails of seats in travel order.
 * @typedef {{ routes?: Map<string, string>, locations?: Map<string, string>,
 *   traced?: { seat: number, routes: string[] }[] }} Lights */

/** The pieces at locations, from all lists of a view that rules declare to hold such pieces.
 * @param {any} board @param {any} view @returns {{ location: string, seat: number }[]} */
const piecesOf = (board, view) =>
  Object.keys(board.declared.view)
    .map((name) => own(view, name))
    .filter(Array.isArray)
    .flat()
    .filter(({ location }) => location);

/** Dispatches "choose" when a track or a location is chosen, "point" when one is pointed at, "move" when the map
 * was zoomed or moved. */
export class GameMap extends EventTarget {
  /** @param {HTMLElement} root @param {Table} table */
  constructor(root, table) {
    super();
    this.root = root;
    this.table = table;
    /** Return further content for the hint of a route. @type {(route: any) => any} */
    this.info = () => nothing;
    const { board, layout } = table;
    this._routes = byId(board.routes);
    this._places = byId(layout.locations);
    /** @type {Map<string, Space[]>} */
    this._spaces = new Map(layout.routes.map((/** @type {any} */ { id, spaces }) => [id, spaces]));
    this._hits = new Hits(layout);
    /** The claims and pieces on the map; `_made` caches all that were ever drawn.
     * @type {Map<string, SVGElement>} */
    this._lying = new Map();
    /** @type {Map<string, SVGElement>} */ this._made = new Map();
    this._last = { version: 0, when: 0 };
    /** @type {Where | null} */ this._pointed = null;
    render(this._frame(), root);
    const at = (/** @type {string} */ name) => /** @type {any} */ (root.querySelector(`.${name}`));
    this._parts = {
      claims: at("claims"),
      pieces: at("pieces"),
      glow: at("glow"),
      over: at("over"),
      hint: at("hint"),
    };
    /** @type {Map<string, SVGElement>} */
    this._tracks = new Map(
      [...root.querySelectorAll("[data-route]")].map((one) => [
        one.getAttribute("data-route") ?? "",
        /** @type {SVGElement} */ (one),
      ]),
    );
    this._picture = /** @type {SVGSVGElement} */ (at("chart"));
    const home = extent(layout);
    this._labels = new Labels(at("names"), layout, home);
    this._hasBegun = false;
    this._wide = layout.routes[0]?.spaces[0]?.width ?? THICK;
    for (const [id, track] of this._tracks)
      aside(/** @type {any} */ (track), this._spaces.get(id) ?? [], this._twin(id));
    /** @type {ReturnType<typeof setTimeout> | undefined} */ this._settling = undefined;
    this._zoom = new Zoom(
      this._picture,
      home,
      () => this._onZoom(),
      {
        places: layout.locations,
        radius: layout.spot,
        buttons: [...root.querySelectorAll(".tools, .listed > summary")],
      },
      ({ x, y }) => this.point(this._near(x, y, REACH.touch)),
    );
    this._onZoom();
    /** @type {import("./list.mjs").RouteList | null} */ this._list = null;
    at("listed").addEventListener("toggle", () => void this._openList(at("listed")));
    this._picture.addEventListener("keydown", (event) => {
      if (event.key === "?") void this.explain();
    });
  }

  /** Redraw the parts that depend on the scale. */
  _onZoom() {
    if (!this._zoom) return; // it is being made
    const thick = Math.min(1.5, Math.max(1, THICK / (this._wide * this._zoom.scale))).toFixed(2);
    if (this._picture.style.getPropertyValue("--thick") !== thick)
      this._picture.style.setProperty("--thick", thick);
    this._placeHint();
    if (!this._zoom.isMoving) this._rest();
    clearTimeout(this._settling);
    this._settling = setTimeout(() => {
      this._rest();
      this._labels.settle(this._zoom.seen());
    }, SETTLED);
  }

  /** Find new places for the names and what floats over the map; that takes too long for each frame of a move. */
  _rest() {
    this.dispatchEvent(new Event("move"));
    this._labels.fit(this._zoom.scale, this._zoom.covered(), this._zoom.times > 1);
  }

  /** Show some locations as close as they fit, or what was shown before that. On a phone only: elsewhere all is in
   * sight. @param {string[] | null} ids */
  visit(ids) {
    if (innerWidth >= PHONE) return;
    scrollTo({ top: 0, behavior: "smooth" }); // the map may be under the cards
    this._zoom.visit(ids?.map((id) => this._places.get(id)));
  }

  /** Where in the map's section the spaces of a track are, or a location, in pixels.
   * @param {Where} where @returns {import("./zoom.mjs").Box[]} */
  boxesOf(where) {
    const spaces =
      "route" in where ? (this._spaces.get(where.route) ?? []) : [this._places.get(where.location)];
    return spaces.map((/** @type {any} */ space) => {
      const by = (space.length / 2 || this.table.layout.spot) * this._zoom.scale;
      const { x, y } = this._zoom.from(space);
      return { left: x - by, top: y - by, right: x + by, bottom: y + by };
    });
  }

  /** Where its buttons are, in the same pixels. */
  buttons() {
    return this._zoom.buttons();
  }

  /** Replace all highlights of routes, locations and trails. @param {Lights} lights */
  light({ routes = new Map(), locations = new Map(), traced: trails = [] }) {
    for (const [id, track] of this._tracks) track.dataset.lit = routes.get(id) ?? "";
    render(
      svg`${[...routes].map(([id, kind]) => lit(this._spaces.get(id) ?? [], kind))}
      ${[...locations].map(([id, kind]) => litSpot(this._places.get(id), kind))}`,
      this._parts.glow,
    );
    for (const path of this._parts.glow.querySelectorAll("path"))
      path.style.setProperty("--band", path.getAttribute("stroke-width"));
    render(
      svg`${trails.map(({ routes: ids }) =>
        ids.map((id, i) => traced(this._spaces.get(id) ?? [], i)),
      )}`,
      this._parts.over,
    );
    for (const path of this._parts.over.children)
      path.style.animationDelay = `${path.dataset.place * 0.12}s`;
  }

  update() {
    const { board, view } = this.table;
    const now = performance.now();
    const isStep = view.version === this._last.version + 1 && now - this._last.when > PAUSE;
    if (view.version !== this._last.version) {
      this._last = { version: view.version, when: now };
      if (this._zoom.isTouched) this.point(null); // no finger leaves it
    }
    const claims = view.claims ?? [];
    this._begin(view);
    this._picture.ariaLabel = texts.map.said(
      board.name,
      this._places.size,
      this._routes.size,
      claims.length,
    );
    /** @type {Map<string, SVGElement>} */ const lying = new Map();
    for (const { route, seat } of claims)
      lying.set(`${route} ${seat}`, this._lay("claims", route, seat));
    for (const { location, seat } of piecesOf(board, view)) {
      lying.set(`${location} ${seat}`, this._lay("pieces", location, seat));
    }
    for (const [key, group] of this._lying) if (!lying.has(key)) group.remove();
    for (const [key, group] of lying) {
      if (this._lying.has(key)) continue;
      group.setAttribute("class", isStep ? "new" : "");
      this._parts[group.dataset.layer === "claims" ? "claims" : "pieces"].append(group);
    }
    this._lying = lying;
    this._drawHint();
    this._list?.draw();
  }

  /** On a phone, begin with the part of the map where the viewer's tickets are. @param {any} view */
  _begin({ you }) {
    const held = new Set([...(you?.tickets ?? []), ...(you?.offered ?? [])]);
    if (this._hasBegun || !held.size) return;
    this._hasBegun = true;
    const ends = this.table.board.tickets
      .filter((/** @type {any} */ { id }) => held.has(id))
      .flatMap((/** @type {any} */ { a, b }) => [a, b]);
    this._labels.first = new Set(ends);
    if (innerWidth < PHONE)
      this._zoom.show(ends.map((/** @type {string} */ id) => this._places.get(id)));
  }

  close() {
    clearTimeout(this._settling);
    this._zoom.close();
  }

  /** The spaces of the other track of a double route, none of a single one. @param {string} id */
  _twin(id) {
    return this._spaces.get(id.endsWith("--2") ? id.slice(0, -3) : `${id}--2`) ?? [];
  }

  /** The cached drawing of a claim or a piece. @param {"claims" | "pieces"} layer
   * @param {string} id @param {number} seat @returns {SVGElement} */
  _lay(layer, id, seat) {
    const made = this._made.get(`${id} ${seat}`);
    if (made) return made;
    const group = /** @type {SVGElement} */ (document.createElementNS(SVG, "g"));
    group.dataset.layer = layer;
    render(
      layer === "pieces"
        ? station(this._places.get(id), seat)
        : claim(this._routes.get(id), this._spaces.get(id) ?? [], this._places, seat),
      /** @type {any} */ (group),
    );
    [...group.querySelectorAll(".wagon")].forEach((wagon, i) => {
      /** @type {SVGElement} */ (wagon).style.animationDelay = `${i * BEAT}s`;
    });
    if (layer === "claims") aside(group, this._spaces.get(id) ?? [], this._twin(id));
    this._made.set(`${id} ${seat}`, group);
    return group;
  }

  _frame() {
    const { board, layout } = this.table;
    const at = (/** @type {PointerEvent} */ { clientX, clientY, pointerType }) => {
      const { pressed } = this._zoom; // a browser moves the click of a finger to what it takes for its goal
      return pointerType === "touch"
        ? this._near(pressed.x, pressed.y, REACH.touch)
        : this._near(clientX, clientY, pointerType === "mouse" ? REACH.mouse : REACH.touch);
    };
    const leave = (/** @type {PointerEvent} */ { pointerType }) => {
      if (pointerType === "mouse") this.point(null);
    };
    const move = (/** @type {PointerEvent} */ event) => {
      if (event.pointerType === "mouse") this.point(event.buttons ? null : at(event));
    };
    const click = (/** @type {PointerEvent} */ event) => {
      if (this._zoom.dragged) return;
      const where = at(event);
      if (where) this.choose(where);
      else this.point(null);
    };
    const button = (
      /** @type {string} */ words,
      /** @type {string} */ sign,
      /** @type {() => void} */ act,
    ) => html`<button aria-label=${words} title=${words} @click=${act}>${sign}</button>`;
    return html`<svg
        class="chart"
        role="img"
        tabindex="0"
        aria-describedby="map-keys"
        @click=${click}
        @pointermove=${move}
        @pointerleave=${leave}
      >
        ${ground(board, layout)}
        <g class="glow"></g>
        ${tracks(board, layout)}
        <g class="claims"></g>
        <g class="over"></g>
        ${spots(board, layout)}
        <g class="pieces"></g>
        <g class="names" font-size=${layout.font}>${names(layout)}</g>
      </svg>
      <span id="map-keys" hidden>${texts.map.keys}</span>
      <div class="hint" role="tooltip" hidden></div>
      <div class="tools" role="group" aria-label=${texts.map.zoom}>
        ${button(texts.map.key, "?", () => this.explain())}
        ${button(texts.map.closer, "+", () => this._zoom.by(1.5))}
        ${button(texts.map.farther, "−", () => this._zoom.by(1 / 1.5))}
        ${button(texts.map.whole, "⤢", () => this._zoom.reset())}
      </div>
      <details class="listed">
        <summary>${texts.map.list}</summary>
        <div></div>
      </details>`;
  }

  /** The track or location at a point of the window. @param {number} x @param {number} y
   * @param {number} reach pixels that a pointer of its kind may be away */
  _near(x, y, reach) {
    const at = this._zoom.at(x, y);
    return this._hits.at(at.x, at.y, reach / this._zoom.scale);
  }

  /** Load the list of routes when it is first opened. @param {HTMLDetailsElement} root */
  _openList(root) {
    if (this._list || !root.open) return undefined;
    return withPart(
      ({ RouteList }) => {
        this._list ??= new RouteList(root, this);
      },
      () => import("./list.mjs"),
    );
  }

  explain() {
    return withPart(
      ({ openKey }) => openKey(this.root, this.table),
      () => import("./key.mjs"),
    );
  }

  /** Choose a track or a location, as a click does. @param {Where} detail */
  choose(detail) {
    this.point(detail);
    this.dispatchEvent(new CustomEvent("choose", { detail }));
  }

  /** Point at a track, a location or nothing. @param {Where | null} where */
  point(where) {
    const id = (/** @type {any} */ one) => one?.route ?? one?.location ?? null;
    if (id(where) === id(this._pointed)) return;
    this._pointed = where;
    for (const one of this.root.querySelectorAll(".pointed")) one.classList.remove("pointed");
    if (where) {
      this._tracks.get(id(where))?.classList.add("pointed");
      for (const one of this.root.querySelectorAll(`[data-name="${CSS.escape(id(where))}"]`))
        one.classList.add("pointed");
    }
    this._picture.classList.toggle("aimed", where !== null);
    this._drawHint();
    this.dispatchEvent(new CustomEvent("point", { detail: where }));
  }

  _drawHint() {
    const { hint } = this._parts;
    hint.hidden = !this._pointed;
    if (!this._pointed) return;
    render(described(this.table, this._pointed, this.info), hint);
    this._placeHint();
  }

  /** Place the hint next to the pointed track or location, where there is room. */
  _placeHint() {
    const where = this._pointed;
    if (!where) return;
    const { hint } = this._parts;
    const spaces =
      "route" in where ? (this._spaces.get(where.route) ?? []) : [this._places.get(where.location)];
    const { x, y } = this._zoom.from(spaces[spaces.length >> 1]);
    const left = Math.max(
      8,
      Math.min(this.root.clientWidth - hint.offsetWidth - 8, x - hint.offsetWidth / 2),
    );
    const above = y - hint.offsetHeight - 18;
    hint.style.setProperty("left", `${left}px`);
    hint.style.setProperty("top", `${above < 4 ? y + 18 : above}px`);
  }
}
