/** Steps through a game, also while it goes on: a slider, buttons, keys, and everybody's score. */

import { html, nothing, render, svg } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { Jumps } from "./jumps.mjs";
import { Playback, SPEEDS, speedOf } from "./playback.mjs";
import { isolated } from "../declared.mjs";
import { words } from "../log/words.mjs";
import { isEmbedded } from "../account.mjs";
import { GamePlot } from "./plot.mjs";
import { nameOn } from "../seats.mjs";
import { PAUSE } from "../tempo.mjs";
import { texts } from "../texts/texts.mjs";
import { withPart } from "../waiting.mjs";
import { own } from "../own.mjs";

const { replay } = texts;
const MANY = 3; // entries ahead: fewer are as good as live
const SETTLED = 300; // milliseconds before the address is updated: browsers limit the rate
const SIGNS = {
  first: "M5 5v14M19 5l-10 7 10 7z",
  back: "M17 5l-10 7 10 7z",
  play: "M7 4l13 8-13 8z",
  pause: "M8 5v14M16 5v14",
  on: "M7 5l10 7-10 7z",
  last: "M19 5v14M5 5l10 7-10 7z",
  previous: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
};

/** @param {keyof typeof SIGNS} name */
const icon = (name) => svg`<svg class="icon ${name}" viewBox="0 0 24 24" width="20" height="20"
  aria-hidden="true"><path d=${SIGNS[name]}></path></svg>`;

export class ReplayBar {
  /** @param {HTMLElement} root @param {Table} table @param {GameMap} map
   * @param {{ query: URLSearchParams, go: (to: string) => void, close: () => void }} address `close`
   * ends the replay for players of the game */
  constructor(root, table, map, { query, go, close }) {
    this.root = root;
    this.table = table;
    this.map = map;
    this.isShown = query.get("controls") !== "0";
    this.playback = new Playback(table);
    this.jumps = new Jumps(table.board);
    this.kind = "turns";
    this.settling = 0;
    render(
      html`<div class="scores"></div>
        <div class="controls"></div>
        <div class="analysis"></div>`,
      root,
    );
    const [scores, controls, analysis] = /** @type {HTMLElement[]} */ ([...root.children]);
    this.plot = new GamePlot(scores, table, this.jumps);
    this.controls = controls;
    this.analysed = analysis;
    /** @type {import("./analysis.mjs").Analysis | null} */ this.analysis = null;
    this.go = go;
    this.end = close;
    this.onKey = (/** @type {KeyboardEvent} */ event) => stepsBy(event, this);
    document.addEventListener("keydown", this.onKey);
  }

  /** Whether the bar can be closed: only players of the game may close it. */
  get mayEnd() {
    return this.table.seat !== null && !this.table.isOver && !isEmbedded;
  }

  /** Begin as the address says. @param {URLSearchParams} query */
  start(query) {
    const seat = query.get("seat");
    if (seat !== null) this.table.look(Number(seat));
    const speed = speedOf(query.get("speed"));
    if (speed === null) return;
    this.playback.speed = this.table.pace.speed = speed;
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) this.playback.play();
  }

  get version() {
    return this.table.shown ?? this.table.version;
  }

  update() {
    const { table } = this;
    this.jumps.update(table.entries);
    this.root.hidden = table.version < 2 || !this.isShown;
    this.plot.update();
    render(this.template(), this.controls);
    this.analysis?.update();
    clearTimeout(this.settling);
    if (!isEmbedded) this.settling = setTimeout(() => this.keepAddress(), SETTLED);
  }

  /** Write the shown version into the address, so that it can be shared. */
  keepAddress() {
    if (this.playback.frame) return;
    const to = new URL(location.href);
    for (const [name, value] of [
      ["at", this.table.shown],
      ["seat", this.table.open],
    ]) {
      if (value === null) to.searchParams.delete(String(name));
      else to.searchParams.set(String(name), String(value));
    }
    if (to.href !== location.href) history.replaceState(history.state, "", to);
  }

  /** The entry at the shown version, in words. */
  get words() {
    const entry = this.table.entries[this.version - 1];
    return entry && !this.table.isCounting
      ? words(entry, this.told)
          .map(({ text }) => text)
          .join("; ")
      : "";
  }

  /** The context for log/words.mjs. */
  get told() {
    return {
      board: this.table.board,
      viewer: this.table.open,
      name: (/** @type {number} */ seat) => this.name(seat),
    };
  }

  /** @param {number} seat */
  name(seat) {
    return isolated(nameOn(this.table.now, seat));
  }

  /** The kind of entries to jump by: the chosen one, or the first that the game has until then. */
  get jumpsBy() {
    const { byKind } = this.jumps;
    return byKind.has(this.kind) ? this.kind : [...byKind.keys()][0];
  }

  /** Go to the next entry of the chosen kind, or to the one before. @param {boolean} isBack */
  jump(isBack) {
    const to = this.jumps.from(this.jumpsBy, this.version, isBack);
    if (to) this.table.show(to);
  }

  template() {
    const { table, playback, version } = this;
    return html` <div class="slide">
        <input
          type="range"
          min="1"
          max=${table.version}
          step="1"
          .value=${live(String(version))}
          aria-label=${replay.position}
          aria-valuetext=${replay.version(version, this.words)}
          @input=${(/** @type {any} */ { target }) => table.show(Number(target.value))}
        />
      </div>
      <div class="buttons" role="group" aria-label=${replay.position}>
        ${this.button("first", version > 1, () => table.show(1))}
        ${this.button("back", version > 1, () => playback.step(-1))}
        ${this.button(playback.isPlaying ? "pause" : "play", true, () => playback.toggle())}
        ${this.button("on", version < table.version, () => playback.step(1))}
        ${this.button("last", version < table.version, () => table.show(null))}
        <label class="number"
          ><span class="hidden-text">${replay.number}</span>
          <input
            type="number"
            min="1"
            max=${table.version}
            .value=${live(String(version))}
            @change=${(/** @type {any} */ { target }) => table.show(Number(target.value) || 1)}
          />
          <span class="faint">${replay.of(table.version)}</span></label
        >
        ${table.isOver ? nothing : this.liveTemplate()}
      </div>
      <div class="picks">
        ${this.jumpTemplate()}${this.choice(
          replay.speed,
          SPEEDS.map((speed) => [String(speed), replay.speeds(speed, PAUSE)]),
          String(playback.speed),
          (value) => {
            playback.speed = table.pace.speed = Number(value);
          },
        )}
        ${table.isOpenBook ? this.handsTemplate() : nothing}
        ${isEmbedded ? nothing : this.moreTemplate()}
        ${this.mayEnd ? html`<button @click=${this.end}>${replay.end}</button>` : nothing}
      </div>`;
  }

  /** The buttons that open dialogs: what they offer of a game that is over is there only then. */
  moreTemplate() {
    const { table, go } = this;
    const parts = /** @type {import("./more.mjs").Part[]} */ (
      table.isOpenBook ? ["share", "fork", "check", "keys"] : ["share", "keys"]
    );
    return html`<span class="parts"
      >${parts.map(
        (part) =>
          html`<button
            aria-haspopup="dialog"
            data-part=${part}
            @click=${() =>
              withPart(
                ({ openMore }) => openMore(table, go, part),
                () => import("./more.mjs"),
              )}
          >
            ${replay.parts[part]}
          </button>`,
      )}${
        !table.isOpenBook || table.view.visibility === "private"
          ? nothing
          : html`<button
              aria-expanded=${this.analysis?.isOpen ?? false}
              @click=${() => this.analyse()}
            >
              ${replay.analyse}
            </button>`
      }</span
    >`;
  }

  analyse() {
    return withPart(
      ({ Analysis }) => {
        this.analysis ??= new Analysis(this.analysed, this);
        this.analysis.toggle();
        this.update();
      },
      () => import("./analysis.mjs"),
    );
  }

  /** @param {Parameters<typeof icon>[0]} name @param {boolean} can @param {() => void} act */
  button(name, can, act) {
    const words = replay[name];
    return html`<button
      class="sign ${name === "play" || name === "pause" ? "main" : ""}"
      title=${words}
      aria-label=${words}
      aria-disabled=${can ? nothing : "true"}
      @click=${() => can && act()}
    >
      ${icon(name)}
    </button>`;
  }

  /** In a running game: whether the latest version is shown, and the button to go to it. */
  liveTemplate() {
    const {
      isLatest,
      isShow,
      pace,
      pace: {
        waiting: { length },
      },
    } = this.table;
    if (isLatest && isShow && length >= MANY)
      return html`<button class="ahead" title=${replay.skip} @click=${() => pace.skip()}>
        ${replay.ahead(length)} ${icon("last")}
      </button>`;
    if (isLatest) return html`<span class="live">${replay.isLive}</span>`;
    return html`<button
      class="main"
      @click=${() => {
        this.playback.pause();
        this.table.show(null);
      }}
    >
      ${replay.live}
    </button>`;
  }

  jumpTemplate() {
    const seats = this.table.now.seats.map(
      (_, seat) =>
        /** @type {[string, string]} */ ([`turns-${seat}`, replay.turnsOf(this.name(seat))]),
    );
    /** @type {[string, string][]} */
    const kinds = [
      ["turns", replay.turns],
      ...seats,
      ...this.jumps.kinds.map(
        (kind) => /** @type {[string, string]} */ ([kind, own(replay.kinds, kind) ?? kind]),
      ),
      ["notes", replay.notes],
    ];
    const there = kinds.filter(([kind]) => this.jumps.byKind.has(kind));
    if (!there.length) return nothing;
    const can = (/** @type {boolean} */ isBack) =>
      this.jumps.from(this.jumpsBy, this.version, isBack) !== undefined;
    return html`<span class="jumps"
      >${this.button("previous", can(true), () => this.jump(true))}
      ${this.choice(replay.jump, there, this.jumpsBy, (kind) => {
        this.kind = kind;
      })}
      ${this.button("next", can(false), () => this.jump(false))}</span
    >`;
  }

  handsTemplate() {
    const { table } = this;
    /** @type {[string, string][]} */
    const seats = table.now.seats.map((_, seat) => [String(seat), replay.seenBy(this.name(seat))]);
    return this.choice(
      replay.hands,
      [["", replay.allHands], ...seats],
      String(table.open ?? ""),
      (value) => table.look(value === "" ? null : Number(value)),
    );
  }

  /** @param {string} label @param {[string, string][]} options @param {string} chosen
   * @param {(value: string) => void} choose */
  choice(label, options, chosen, choose) {
    return html`<label class="pick"
      ><span class="hidden-text">${label}</span>
      <select
        title=${label}
        .value=${live(chosen)}
        @change=${(/** @type {any} */ { target }) => {
          choose(target.value);
          this.table.changed();
        }}
      >
        ${options.map(([value, words]) => html`<option value=${value} ?selected=${value === chosen}>${words}</option>`)}
      </select></label
    >`;
  }

  close() {
    clearTimeout(this.settling);
    this.playback.pause();
    this.plot.close();
    this.analysis?.close();
    document.removeEventListener("keydown", this.onKey);
  }
}

/** Elements whose keys take precedence. */
const OTHERS =
  "input, select, textarea, dialog, summary, .map, [role=radio], [role=listbox], [contenteditable]";

/** The action of each key. @type {Record<string, (bar: ReplayBar) => void>} */
const DEEDS = {
  " ": (bar) => bar.playback.toggle(),
  ArrowLeft: (bar) => bar.playback.step(-1),
  ArrowRight: (bar) => bar.playback.step(1),
  "shift ArrowLeft": (bar) => bar.jump(true),
  "shift ArrowRight": (bar) => bar.jump(false),
  Home: (bar) => bar.table.show(1),
  End: (bar) => bar.table.show(null),
};

/** A number shows an open book as that seat saw it, 0 shows all hands.
 * @param {string} key @param {ReplayBar} bar @returns {((bar: ReplayBar) => void) | undefined} */
const looks = (key, { table }) =>
  /^\d$/.test(key) && table.isOpenBook
    ? () => table.look(key === "0" ? null : Number(key) - 1)
    : undefined;

/** Run the action of a key. @param {KeyboardEvent} event @param {ReplayBar} bar */
function stepsBy(event, bar) {
  const { target, key } = event;
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
  if (target instanceof Element && target.closest(OTHERS)) return;
  if (key === " " && target instanceof Element && target.closest("button, a, [role=button]"))
    return;
  const deed = own(DEEDS, `${event.shiftKey ? "shift " : ""}${key}`) ?? looks(key, bar);
  if (!deed) return;
  event.preventDefault();
  deed(bar);
}
