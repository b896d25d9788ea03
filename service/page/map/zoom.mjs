/** Zoom and pan of an SVG by its viewBox, in the shape of its element: wheel, drag, pinch, keys, double
 * tap; and a finger that is held down. Where a button would hide a place, the map keeps to the rest of the element. */

import { own } from "../own.mjs";

const CLOSEST = 3; // maximum zoom: pixels per unit of the map, or the factor below
const MOST = 4;
const STEP = 1.35;
const MARGIN = { x: 56, y: 28 }; // pixels around what is to be shown, for names
const DRAG = 6; // pixels after which a press is a drag, not a click
const GAP = 2; // pixels between a place and a button
const HOLD = 450; // milliseconds until a finger that does not move is a long press
const GLIDE = 320; // milliseconds of a move that is not the hand's own

/** @typedef {{ x: number, y: number }} Point
 * @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

export class Zoom {
  /** @param {SVGSVGElement} picture @param {{ x: number, y: number, width: number, height: number }} home
   * the initial view box @param {(scale: number) => void} moved called when it was moved
   * @param {{ places: Point[], radius: number, buttons: Element[] }} hidden places that no button may hide
   * @param {(at: Point) => void} held called at a long press, with its point of the window */
  constructor(picture, home, moved, hidden, held) {
    this.picture = picture;
    this.home = home;
    this.moved = moved;
    this.hidden = hidden;
    this.held = held;
    this.times = 1; // zoom factor; 1 shows the whole map
    this.x = home.x + home.width / 2; // the centre of the view
    this.y = home.y + home.height / 2;
    /** Pixels for a unit of the map. */
    this.scale = 1;
    /** The part of the element that the map keeps to, in pixels. @type {Box} */
    this._free = { left: 0, top: 0, right: home.width, bottom: home.height };
    this._wide = home.width;
    this._high = home.height;
    /** Whether the press that has just ended was a drag or a long one: no click. */
    this.dragged = false;
    /** @type {Map<number, Point>} */ this._down = new Map();
    /** Where in the window the last press began. */
    this.pressed = { x: 0, y: 0 };
    /** What to show first. @type {Point[] | null} */
    this._wanted = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */ this._holding = undefined;
    this._next = 0; // the next frame of a move in sight, and where that ends
    this._isGliding = false;
    this._goal = { x: this.x, y: this.y, times: 1 };
    /** What was shown before a visit. @type {(Point & { times: number }) | null} */
    this._before = null;
    /** Whether the last press was a finger's. */
    this.isTouched = false;
    this._stop = new AbortController();
    const on = (/** @type {string} */ name, /** @type {(event: any) => void} */ does, more = {}) =>
      picture.addEventListener(name, does, { signal: this._stop.signal, ...more });
    on("wheel", (event) => this._wheel(event), { passive: false });
    on("pointerdown", (event) => this._press(event));
    on("pointermove", (event) => this._move(event));
    for (const end of ["pointerup", "pointercancel"]) on(end, (event) => this._release(event));
    on("contextmenu", (event) => event.pointerType === "touch" && event.preventDefault());
    on("dblclick", (event) => this.by(STEP * STEP, event));
    on("keydown", (event) => this._key(event));
    this._sizes = new ResizeObserver(() => this._fit());
    this._sizes.observe(picture);
    this._fit();
  }

  /** Zoom by a factor around a point of the window. @param {number} times
   * @param {{ clientX: number, clientY: number }} [about] */
  by(times, about) {
    const most = Math.max(MOST, CLOSEST / (this.scale / this.times));
    const next = Math.min(most, Math.max(1, this.times * times));
    const at = about ? this.at(about.clientX, about.clientY) : this;
    const stay = this.times / next;
    this._go(at.x - (at.x - this.x) * stay, at.y - (at.y - this.y) * stay, next);
  }

  /** Show these points as close as they fit, with a margin around. @param {Point[]} points
   * @param {boolean} [glides] whether to move there in sight */
  show(points, glides = false) {
    this._wanted = points;
    if (!this.picture.clientWidth) return; // until it has a size
    this._wanted = null;
    const span = (/** @type {number[]} */ values) => ({
      middle: (Math.min(...values) + Math.max(...values)) / 2,
      size: Math.max(...values) - Math.min(...values) + 1,
    });
    const [x, y] = [span(points.map((point) => point.x)), span(points.map((point) => point.y))];
    const { left, top, right, bottom } = this._free;
    const scale = Math.min(
      (right - left - 2 * MARGIN.x) / x.size,
      (bottom - top - 2 * MARGIN.y) / y.size,
    );
    this[glides ? "glide" : "_go"](
      x.middle,
      y.middle,
      Math.min(MOST, Math.max(1, scale / (this.scale / this.times))),
    );
  }

  reset() {
    this._before = null;
    this._go(this.x, this.y, 1);
  }

  /** Show these points for a while; without any, what was shown before. @param {Point[]} [points] */
  visit(points) {
    const { x, y, times } = this._before ?? this;
    this._before = points ? { x, y, times } : null;
    if (points) this.show(points, true);
    else this.glide(x, y, times);
  }

  /** Move there in sight; at once where less motion is wanted. @param {number} x @param {number} y
   * @param {number} times */
  glide(x, y, times) {
    const from = { x: this.x, y: this.y, times: this.times };
    this._goal = { x, y, times };
    const [begun, lasts] = [
      performance.now(),
      matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : GLIDE,
    ];
    const step = () => {
      const part = Math.min(1, (performance.now() - begun) / lasts || 1);
      const eased = 1 - (1 - part) ** 3;
      this._go(
        from.x + (x - from.x) * eased,
        from.y + (y - from.y) * eased,
        from.times * (times / from.times) ** eased,
        part < 1,
      );
      if (part < 1) this._next = requestAnimationFrame(step);
    };
    step();
  }

  /** Whether it is about to move on: by two fingers or by itself. */
  get isMoving() {
    return this._down.size > 1 || this._isGliding;
  }

  close() {
    clearTimeout(this._holding);
    cancelAnimationFrame(this._next);
    this._stop.abort();
    this._sizes.disconnect();
  }

  /** The point of the map at a point of the window. @param {number} clientX @param {number} clientY */
  at(clientX, clientY) {
    const box = this.picture.getBoundingClientRect();
    const { x, y } = middle(this._free);
    return {
      x: this.x + (clientX - box.left - x) / this.scale,
      y: this.y + (clientY - box.top - y) / this.scale,
    };
  }

  /** Where in the element a point of the map is. @param {Point} point */
  from({ x, y }) {
    const at = middle(this._free);
    return { x: (x - this.x) * this.scale + at.x, y: (y - this.y) * this.scale + at.y };
  }

  /** What is seen of the map, in its units. @returns {Box} */
  seen() {
    const { x, y, width, height } = this.picture.viewBox.baseVal;
    return { left: x, top: y, right: x + width, bottom: y + height };
  }

  /** Where buttons are, in the map's units; none while the map can be moved from under them. @returns {Box[]} */
  covered() {
    if (this.times > 1) return [];
    const box = this.picture.getBoundingClientRect();
    return this.buttons().map(({ left, top, right, bottom }) => {
      const [from, to] = [
        this.at(left + box.left, top + box.top),
        this.at(right + box.left, bottom + box.top),
      ];
      return { left: from.x, top: from.y, right: to.x, bottom: to.y };
    });
  }

  /** Where the buttons are in the element. @returns {Box[]} */
  buttons() {
    const box = this.picture.getBoundingClientRect();
    return this.hidden.buttons
      .map((one) => one.getBoundingClientRect())
      .filter(({ width }) => width)
      .map(({ left, top, right, bottom }) => ({
        left: left - box.left,
        top: top - box.top,
        right: right - box.left,
        bottom: bottom - box.top,
      }));
  }

  /** The part of the element where the map is largest without a place under a button: all of it, or the part
   * next to or above the buttons. */
  _freed() {
    const all = { left: 0, top: 0, right: this._wide, bottom: this._high };
    const buttons = this.buttons();
    const isLeft = (/** @type {Box} */ one) => one.left + one.right < this._wide;
    const left = Math.max(0, ...buttons.filter(isLeft).map((one) => one.right));
    const right = Math.min(
      this._wide,
      ...buttons.filter((one) => !isLeft(one)).map((one) => one.left),
    );
    const ways = [
      all,
      { ...all, left },
      { ...all, right },
      { ...all, left, right },
      { ...all, bottom: Math.min(this._high, ...buttons.map((one) => one.top)) },
    ];
    const isClear = (/** @type {Box} */ way) => {
      const [at, scale] = [middle(way), this._fitting(way)];
      const radius = this.hidden.radius * scale + GAP;
      return !this.hidden.places
        .map((/** @type {Point} */ { x, y }) => ({
          x: at.x + (x - this.home.x - this.home.width / 2) * scale,
          y: at.y + (y - this.home.y - this.home.height / 2) * scale,
        }))
        .some(({ x, y }) =>
          buttons.some(
            (one) =>
              x + radius > one.left &&
              x - radius < one.right &&
              y + radius > one.top &&
              y - radius < one.bottom,
          ),
        );
    };
    return (
      ways.toSorted((one, other) => this._fitting(other) - this._fitting(one)).find(isClear) ?? all
    );
  }

  /** The scale at which the whole map fits. @param {Box} box */
  _fitting({ left, top, right, bottom }) {
    return Math.min((right - left) / this.home.width, (bottom - top) / this.home.height);
  }

  /** Take the shape of the element. */
  _fit() {
    this._wide = this.picture.clientWidth || this.home.width;
    this._high = this.picture.clientHeight || this.home.height;
    this._free = this._freed();
    const { x, y, times } = this._isGliding ? this._goal : this;
    this._go(x, y, times);
    if (this._wanted) this.show(this._wanted);
  }

  /** @param {number} x @param {number} y @param {number} times @param {boolean} [isGliding] whether it goes on */
  _go(x, y, times, isGliding = false) {
    const { home, _free: free } = this;
    if (!isGliding) cancelAnimationFrame(this._next);
    this._isGliding = isGliding;
    this.times = times;
    this.scale = this._fitting(free) * times;
    const within = (
      /** @type {number} */ value,
      /** @type {number} */ from,
      /** @type {number} */ size,
      /** @type {number} */ seen,
    ) =>
      seen >= size
        ? from + size / 2
        : Math.min(from + size - seen / 2, Math.max(from + seen / 2, value));
    this.x = within(x, home.x, home.width, (free.right - free.left) / this.scale);
    this.y = within(y, home.y, home.height, (free.bottom - free.top) / this.scale);
    const at = middle(free);
    this.picture.setAttribute(
      "viewBox",
      [
        this.x - at.x / this.scale,
        this.y - at.y / this.scale,
        this._wide / this.scale,
        this._high / this.scale,
      ]
        .map((value) => value.toFixed(2))
        .join(" "),
    );
    this.picture.classList.toggle("closer", times > 1.01);
    this.picture.classList.toggle("far", this.scale < 0.6);
    this.picture.classList.toggle("farther", this.scale < 0.4);
    this.moved(this.scale);
  }

  /** @param {WheelEvent} event */
  _wheel(event) {
    event.preventDefault();
    this.by(2 ** (-event.deltaY / (event.deltaMode ? 12 : 400)), event);
  }

  /** @param {PointerEvent} event */
  _press(event) {
    this._down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    clearTimeout(this._holding);
    if (this._down.size > 1) return void (this.dragged = true);
    [this.dragged, this.pressed] = [false, { x: event.clientX, y: event.clientY }];
    this.isTouched = event.pointerType === "touch";
    if (this.isTouched) this._holding = setTimeout(() => this._hold(), HOLD);
  }

  _hold() {
    this.dragged = true;
    this.held(this.pressed);
  }

  /** @param {PointerEvent} event */
  _release({ pointerId }) {
    clearTimeout(this._holding);
    this._down.delete(pointerId);
  }

  /** @param {PointerEvent} event */
  _move(event) {
    const was = this._down.get(event.pointerId);
    if (!was) return;
    if (event.pointerType === "mouse" && !event.buttons)
      return void this._down.delete(event.pointerId);
    const now = { x: event.clientX, y: event.clientY };
    if (!this.dragged && Math.hypot(now.x - this.pressed.x, now.y - this.pressed.y) < DRAG) return;
    if (!this.picture.hasPointerCapture(event.pointerId))
      this.picture.setPointerCapture(event.pointerId);
    clearTimeout(this._holding);
    this.dragged = true;
    this._down.set(event.pointerId, now);
    const other = [...this._down].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const apart = (/** @type {Point} */ one) => Math.hypot(one.x - other.x, one.y - other.y);
      this.by(apart(now) / (apart(was) || 1), {
        clientX: (now.x + other.x) / 2,
        clientY: (now.y + other.y) / 2,
      });
    }
    const share = other ? 2 : 1; // the middle of two fingers goes half as far as one of them
    this._go(
      this.x - (now.x - was.x) / this.scale / share,
      this.y - (now.y - was.y) / this.scale / share,
      this.times,
    );
  }

  /** @param {KeyboardEvent} event */
  _key(event) {
    const far = 120 / this.scale;
    const { x, y, times } = this;
    /** @type {Record<string, () => void>} */
    const keys = {
      "+": () => this.by(STEP),
      "=": () => this.by(STEP),
      "-": () => this.by(1 / STEP),
      0: () => this.reset(),
      ArrowLeft: () => this._go(x - far, y, times),
      ArrowRight: () => this._go(x + far, y, times),
      ArrowUp: () => this._go(x, y - far, times),
      ArrowDown: () => this._go(x, y + far, times),
    };
    const deed = own(keys, event.key);
    if (event.ctrlKey || event.metaKey || event.altKey || !deed) return;
    event.preventDefault();
    event.stopPropagation();
    deed();
  }
}

/** @param {Box} box @returns {Point} */
const middle = ({ left, top, right, bottom }) => ({ x: (left + right) / 2, y: (top + bottom) / 2 });
