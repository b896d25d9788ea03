/** Says which of the viewer's tickets have just been completed or lost, over the map: for people who look at it
 * and for those who listen. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { isLost, read } from "./tickets.mjs";
import { texts } from "../texts/texts.mjs";

const STAYS = 5000; // milliseconds that it is shown

/** @typedef {import("./tickets.mjs").Read} Read */

export class Milestones {
  /** @param {HTMLElement} map the section of the map */
  constructor(map) {
    this.root = document.createElement("div");
    this.root.className = "milestones";
    this.root.setAttribute("role", "status");
    map.append(this.root);
    /** Whether each ticket was completed or lost, by its id. @type {Map<string, string>} */
    this.known = new Map();
    /** The ids of the tickets that have just been completed. @type {Set<string>} */
    this.fresh = new Set();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** Look at the tickets of the latest version. @param {import("../table.mjs").Table} table
   * @param {() => void} end called when the celebration is over */
  update(table, end) {
    if (!table.isLatest || table.isOver) return;
    const tickets = (table.view.you?.tickets ?? []).map((id) => read(table, table.view, id));
    const changed = tickets.filter((ticket) => this.known.has(ticket.id) && this.known.get(ticket.id) !== fate(ticket));
    this.known = new Map(tickets.map((ticket) => [ticket.id, fate(ticket)]));
    const told = changed.filter((ticket) => fate(ticket));
    if (!told.length) return;
    this.fresh = new Set(told.filter(({ state }) => state === "done").map(({ id }) => id));
    render(told.map((ticket) => html`<p class=${fate(ticket)}>${fate(ticket) === "done"
      ? texts.play.completed(nameOf(ticket), ticket.points) : texts.play.lost(nameOf(ticket))}</p>`), this.root);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.fresh.clear();
      render(nothing, this.root);
      end();
    }, STAYS);
  }

  /** Stop: remove what is shown. */
  close() {
    clearTimeout(this.timer);
    this.root.remove();
  }
}

/** "done", "lost", or "" while it is open. @param {Read} ticket */
const fate = (ticket) => (ticket.state === "done" ? "done" : isLost(ticket) ? "lost" : "");

/** @param {Read} ticket */
const nameOf = ({ names }) => `${names[0]} – ${names[1]}`;
