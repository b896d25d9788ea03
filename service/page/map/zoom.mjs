/** Zoom and pan of an SVG by its viewBox, in the shape of its element: wheel, drag, pinch, keys, double
 * tap. */

const CLOSEST = 3; // maximum zoom: pixels per unit of the map, or the factor below
const MOST = 4;
const STEP = 1.35;
const MARGIN = 60; // units of the map
const DRAG = 6; // pixels after which a press is a drag, not a click

export class Zoom {
  /** @param {SVGSVGElement} picture @param {{ x: number, y: number, width: number, height: number }} home
   * the initial view box @param {(scale: number) => void} moved called when it was moved */
  constructor(picture, home, moved) {
    this.picture = picture;
    this.home = home;
    this.moved = moved;
    this.times = 1; // zoom factor; 1 shows the whole map
    this.x = home.x + home.width / 2; // the centre of the view
    this.y = home.y + home.height / 2;
    /** Pixels for a unit of the map. */
    this.scale = 1;
    this._wide = home.width;
    this._high = home.height;
    /** Whether the press that has just ended was a drag. */
    this.dragged = false;
    /** @type {Map<number, { x: number, y: number }>} */
    this._down = new Map();
    this._from = { x: 0, y: 0 };
    /** What to show first. @type {{ x: number, y: number }[] | null} */
    this._wanted = null;
    this._stop = new AbortController();
    const on = (/** @type {string} */ name, /** @type {(event: any) => void} */ does, more = {}) =>
      picture.addEventListener(name, does, { signal: this._stop.signal, ...more });
    on("wheel", (event) => this._wheel(event), { passive: false });
    on("pointerdown", (event) => this._press(event));
    on("pointermove", (event) => this._move(event));
    for (const end of ["pointerup", "pointercancel"]) on(end, (event) => this._down.delete(event.pointerId));
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

  /** Show these points as close as they fit, with a margin around. @param {{ x: number, y: number }[]} points */
  show(points) {
    this._wanted = points;
    if (!this.picture.clientWidth) return; // until it has a size
    this._wanted = null;
    const span = (/** @type {number[]} */ values) => ({ middle: (Math.min(...values) + Math.max(...values)) / 2,
      size: Math.max(...values) - Math.min(...values) + 2 * MARGIN });
    const [x, y] = [span(points.map((point) => point.x)), span(points.map((point) => point.y))];
    const scale = Math.min(this._wide / x.size, this._high / y.size);
    this._go(x.middle, y.middle, Math.min(MOST, Math.max(1, scale / (this.scale / this.times))));
  }

  /** Show the whole. */
  reset() {
    this._go(this.x, this.y, 1);
  }

  /** Remove all listeners. */
  close() {
    this._stop.abort();
    this._sizes.disconnect();
  }

  /** The point of the map at a point of the window. @param {number} clientX @param {number} clientY */
  at(clientX, clientY) {
    const box = this.picture.getBoundingClientRect();
    return { x: this.x + (clientX - box.left - box.width / 2) / this.scale,
      y: this.y + (clientY - box.top - box.height / 2) / this.scale };
  }

  /** Where in the element a point of the map is. @param {{ x: number, y: number }} point */
  from({ x, y }) {
    return { x: (x - this.x) * this.scale + this._wide / 2, y: (y - this.y) * this.scale + this._high / 2 };
  }

  /** Take the shape of the element. */
  _fit() {
    this._wide = this.picture.clientWidth || this.home.width;
    this._high = this.picture.clientHeight || this.home.height;
    this._go(this.x, this.y, this.times);
    if (this._wanted) this.show(this._wanted);
  }

  /** @param {number} x @param {number} y @param {number} times */
  _go(x, y, times) {
    const { home, _wide: wide, _high: high } = this;
    this.times = times;
    this.scale = Math.min(wide / home.width, high / home.height) * times;
    const within = (/** @type {number} */ value, /** @type {number} */ from, /** @type {number} */ size, /** @type {number} */ seen) =>
      seen >= size ? from + size / 2 : Math.min(from + size - seen / 2, Math.max(from + seen / 2, value));
    const width = wide / this.scale;
    const height = high / this.scale;
    this.x = within(x, home.x, home.width, width);
    this.y = within(y, home.y, home.height, height);
    this.picture.setAttribute("viewBox", [this.x - width / 2, this.y - height / 2, width, height]
      .map((value) => value.toFixed(2)).join(" "));
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
    if (this._down.size > 1) this.dragged = true;
    else [this.dragged, this._from] = [false, { x: event.clientX, y: event.clientY }];
  }

  /** @param {PointerEvent} event */
  _move(event) {
    const was = this._down.get(event.pointerId);
    if (!was) return;
    if (event.pointerType === "mouse" && !event.buttons) return void this._down.delete(event.pointerId);
    const now = { x: event.clientX, y: event.clientY };
    if (!this.dragged && Math.hypot(now.x - this._from.x, now.y - this._from.y) < DRAG) return;
    if (!this.picture.hasPointerCapture(event.pointerId)) this.picture.setPointerCapture(event.pointerId);
    this.dragged = true;
    this._down.set(event.pointerId, now);
    const other = [...this._down].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const apart = (/** @type {{ x: number, y: number }} */ one) => Math.hypot(one.x - other.x, one.y - other.y);
      this.by(apart(now) / (apart(was) || 1), { clientX: (now.x + other.x) / 2, clientY: (now.y + other.y) / 2 });
    }
    const share = other ? 2 : 1; // the middle of two fingers goes half as far as one of them
    this._go(this.x - (now.x - was.x) / this.scale / share, this.y - (now.y - was.y) / this.scale / share, this.times);
  }

  /** @param {KeyboardEvent} event */
  _key(event) {
    const far = 120 / this.scale;
    const { x, y, times } = this;
    /** @type {Record<string, () => void>} */
    const keys = {
      "+": () => this.by(STEP), "=": () => this.by(STEP), "-": () => this.by(1 / STEP), 0: () => this.reset(),
      ArrowLeft: () => this._go(x - far, y, times), ArrowRight: () => this._go(x + far, y, times),
      ArrowUp: () => this._go(x, y - far, times), ArrowDown: () => this._go(x, y + far, times),
    };
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  }
}
