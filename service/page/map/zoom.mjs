/** Zoom and pan of an SVG by its viewBox: wheel, drag, pinch, keys, double tap. */

const MOST = 6; // times closer than the whole
const STEP = 1.35;
const FAR = 6; // pixels after which a press is a drag and no click

export class Zoom {
  /** @param {SVGSVGElement} picture @param {number} width @param {number} height */
  constructor(picture, width, height) {
    this.picture = picture;
    this.whole = { width, height };
    this.view = { x: 0, y: 0, width, height };
    /** Whether the press that has just ended was a drag. */
    this.dragged = false;
    /** @type {Map<number, { x: number, y: number }>} */
    this._down = new Map();
    this._stop = new AbortController();
    const on = (/** @type {string} */ name, /** @type {(event: any) => void} */ does, more = {}) =>
      picture.addEventListener(name, does, { signal: this._stop.signal, ...more });
    on("wheel", (event) => this._wheel(event), { passive: false });
    on("pointerdown", (event) => this._press(event));
    on("pointermove", (event) => this._move(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
      on(end, (event) => this._down.delete(event.pointerId));
    }
    on("dblclick", (event) => this.by(STEP * STEP, event));
    on("keydown", (event) => this._key(event));
    this._show();
  }

  /** Come so many times closer, about a point of the window. @param {number} times
   * @param {{ clientX: number, clientY: number }} [about] */
  by(times, about) {
    const at = about ? this._at(about.clientX, about.clientY)
      : { x: this.view.x + this.view.width / 2, y: this.view.y + this.view.height / 2 };
    const width = Math.min(this.whole.width, Math.max(this.whole.width / MOST, this.view.width / times));
    const scale = width / this.view.width;
    this._set(at.x - (at.x - this.view.x) * scale, at.y - (at.y - this.view.y) * scale, width);
  }

  /** Show the whole. */
  reset() {
    this._set(0, 0, this.whole.width);
  }

  /** Let go of the picture. */
  close() {
    this._stop.abort();
  }

  /** @param {number} x @param {number} y @param {number} width */
  _set(x, y, width) {
    const height = width * this.whole.height / this.whole.width;
    const within = (/** @type {number} */ value, /** @type {number} */ most) => Math.min(most, Math.max(0, value));
    this.view = { x: within(x, this.whole.width - width), y: within(y, this.whole.height - height), width, height };
    this._show();
  }

  _show() {
    const { x, y, width, height } = this.view;
    this.picture.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    this.picture.classList.toggle("close", width < this.whole.width * 0.99);
  }

  /** How many units of the map a pixel is. */
  _scale() {
    const { width, height } = this.picture.getBoundingClientRect();
    return Math.max(this.view.width / (width || 1), this.view.height / (height || 1));
  }

  /** @param {number} clientX @param {number} clientY */
  _at(clientX, clientY) {
    const box = this.picture.getBoundingClientRect();
    const scale = this._scale();
    return {
      x: this.view.x + this.view.width / 2 + (clientX - box.left - box.width / 2) * scale,
      y: this.view.y + this.view.height / 2 + (clientY - box.top - box.height / 2) * scale,
    };
  }

  /** @param {WheelEvent} event */
  _wheel(event) {
    event.preventDefault();
    this.by(2 ** (-event.deltaY / (event.deltaMode ? 12 : 400)), event);
  }

  /** @param {PointerEvent} event */
  _press(event) {
    this._down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this._down.size === 1) {
      this.dragged = false;
      this._from = { x: event.clientX, y: event.clientY };
    }
  }

  /** @param {PointerEvent} event */
  _move(event) {
    const was = this._down.get(event.pointerId);
    if (!was || !this._from) return;
    const now = { x: event.clientX, y: event.clientY };
    if (!this.dragged && Math.hypot(now.x - this._from.x, now.y - this._from.y) < FAR) return;
    this.dragged = true;
    this._down.set(event.pointerId, now);
    const other = [...this._down].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const apart = (/** @type {{ x: number, y: number }} */ one) => Math.hypot(one.x - other.x, one.y - other.y);
      this.by(apart(now) / (apart(was) || 1), { clientX: (now.x + other.x) / 2, clientY: (now.y + other.y) / 2 });
    } else {
      const scale = this._scale();
      this._set(this.view.x - (now.x - was.x) * scale, this.view.y - (now.y - was.y) * scale, this.view.width);
    }
  }

  /** @param {KeyboardEvent} event */
  _key(event) {
    const far = this.view.width / 8;
    const { x, y, width } = this.view;
    /** @type {Record<string, () => void>} */
    const keys = {
      "+": () => this.by(STEP), "=": () => this.by(STEP), "-": () => this.by(1 / STEP), 0: () => this.reset(),
      ArrowLeft: () => this._set(x - far, y, width), ArrowRight: () => this._set(x + far, y, width),
      ArrowUp: () => this._set(x, y - far, width), ArrowDown: () => this._set(x, y + far, width),
    };
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  }
}
