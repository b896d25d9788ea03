/** Preset reactions of the players, shown at their seats for some seconds, and how many watch. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { client } from "../account.mjs";
import { nameOn } from "../seats.mjs";
import { set, settings } from "../settings.mjs";
import { texts } from "../texts/texts.mjs";

const STAYS = 6000; // milliseconds that a reaction is shown
const PAUSE = 4000; // milliseconds between two of the viewer's reactions
const POLL = 5000; // milliseconds: after the end no stream brings reactions
const POLLS = 60;

/** @typedef {{ seat: number, reaction: string, at: string }} Reaction */

export class Audience {
  /** @param {HTMLElement} root @param {import("../table.mjs").Table} table */
  constructor(root, table) {
    this.root = root;
    this.table = table;
    /** The reactions that have come, shown or not. @type {Set<string>} */
    this._known = new Set();
    /** @type {Map<number, ReturnType<typeof setTimeout>>} */
    this._ends = new Map();
    this._told = ""; // to those who listen
    this._isSent = false; // a moment ago
    this._isFailed = false;
    this._polls = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this._timer = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this._pause = undefined;
    this._wasLive = !table.isOver;
  }

  /** Redraw after a change of the table. */
  update() {
    const { table } = this;
    for (const one of table.audience.reactions) this._hear(one);
    if (table.isOver && this._wasLive) this._poll();
    this.root.hidden = table.view.status === "lobby" || !table.isLatest || !this._wasLive;
    if (this.root.hidden) return;
    const { hides } = settings();
    const { watchers } = table.audience;
    const off = this._isSent ? "true" : nothing;
    render(html`${watchers ? html`<span class="watchers">${texts.audience.watching(watchers)}</span>` : nothing}
      ${table.seat === null || hides ? nothing : html`<span class="reactions" role="group" aria-label=${texts.audience.title}>
        ${Object.entries(texts.audience.reactions).map(([reaction, words]) => html`<button aria-disabled=${off}
          @click=${() => this._send(reaction)}>${words}</button>`)}</span>`}
      <button class="quiet" aria-label=${hides ? texts.audience.show : texts.audience.hide} title=${hides ? texts.audience.show : texts.audience.hide}
        @click=${() => this._mute(!hides)}>${hides ? texts.audience.show : texts.audience.hideShort}</button>
      ${this._isFailed ? html`<span class="problem" role="status">${texts.audience.failed}</span>` : nothing}
      <span class="hidden-text" role="status">${this._told}</span>`, this.root);
  }

  /** Show a reaction, unless it was shown before. @param {Reaction} reaction */
  _hear({ seat, reaction, at }) {
    const { table } = this;
    const id = `${seat} ${at}`;
    const words = texts.audience.reactions[reaction];
    if (this._known.has(id)) return;
    this._known.add(id);
    if (!words || settings().hides || !table.isLatest) return;
    table.said.set(seat, words);
    this._told = texts.audience.says(nameOn(table.view, seat), words);
    clearTimeout(this._ends.get(seat));
    this._ends.set(seat, setTimeout(() => {
      table.said.delete(seat);
      this._told = "";
      table.changed();
    }, STAYS));
    queueMicrotask(() => table.changed()); // the seats were drawn before
  }

  /** @param {string} reaction */
  async _send(reaction) {
    if (this._isSent) return;
    this._isSent = true;
    this.update();
    this._pause = setTimeout(() => { this._isSent = false; this.update(); }, PAUSE);
    try {
      this._hear(await client.post(`/v1/games/${this.table.id}/reactions`, { body: { reaction } }));
      this._isFailed = false;
    } catch {
      this._isFailed = true;
    }
    this.update();
  }

  /** @param {boolean} hides */
  _mute(hides) {
    set({ hides });
    if (hides) this.table.said.clear();
    this.table.changed();
  }

  /** After the end, ask for reactions for some minutes. */
  _poll() {
    if (this._timer || this._polls >= POLLS) return;
    this._timer = setTimeout(async () => {
      this._polls += 1;
      if (!document.hidden) await this._ask().catch(() => {}); // the next time, then
      this._timer = undefined;
      this.update();
    }, POLL);
  }

  async _ask() {
    this.table.audience = await client.get(`/v1/games/${this.table.id}/audience`);
  }

  /** Stop: release timers. */
  close() {
    this._polls = POLLS;
    for (const timer of [this._timer, this._pause, ...this._ends.values()]) clearTimeout(timer);
  }
}
