/** The choices other than drawing a card: routes, stations, tickets, a tunnel's price; and their
 * highlights on the map. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { buildable, claimable, inOrder, keepable, may, same, ways, waysAt } from "./legal.mjs";
import { marksOf } from "../map/words.mjs";
import { helping, litBy } from "./helping.mjs";
import { lightTickets, visit } from "./owned.mjs";
import { nameOn } from "../seats.mjs";
import { placeName } from "../map/places.mjs";
import { offer, read } from "./tickets.mjs";
import { paying, tunnel, tunnelWays } from "./paying.mjs";
import { routeInfo, routeList, routeName } from "./routes.mjs";
import { texts } from "../texts/texts.mjs";
import { withPart } from "../waiting.mjs";
import { word } from "./cards.mjs";
import { own } from "../own.mjs";

export class Offers {
  /** @param {import("./tray.mjs").Tray} tray */
  constructor(tray) {
    this.tray = tray;
    /** The route or location chosen on the map, to be paid.
     * @type {{ route?: string, location?: string } | null} */
    this.chosen = null;
    /** What had the focus before. @type {Element | null} */
    this.before = null;
    /** Whether a place for a station is being chosen. */
    this.builds = false;
    /** Whether the routes that may be claimed are listed. */
    this.lists = false;
    /** Whether to keep a card for the flag. */
    this.keeps = true;
    /** The tickets picked of those on offer. @type {Set<string>} */
    this.picked = new Set();
    /** The route of the list that is pointed at. @type {string | null} */
    this.pointed = null;
    this.onKey = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      if (!this.chosen && !this.builds && !this.lists && !tray.asks || tray.busy) return;
      this.back();
    };
    document.addEventListener("keydown", this.onKey);
    /** The routes that help tickets. */
    this.helps = helping(tray.table);
    tray.map.info = (/** @type {any} */ route) => routeInfo(tray.table, route, this.helps.get(route.id));
  }

  /** Stop: release listeners and timers. */
  close() {
    document.removeEventListener("keydown", this.onKey);
  }

  /** Clear the current choice. */
  clear() {
    Object.assign(this, { chosen: null, builds: false, lists: false, keeps: true, picked: new Set() });
    Object.assign(this.tray, { hint: "", asks: null });
  }

  /** Drop choices that are no longer legal. */
  update() {
    const { actions, view } = this.tray.table;
    this.helps = helping(this.tray.table);
    if (this.chosen && !waysAt(actions, this.chosen).length && !this.tray.busy) this.chosen = null;
    if (!buildable(actions).size) this.builds = false;
    if (this.tray.asks?.type === "draw_tickets" && !may(actions, "draw_tickets")) this.tray.asks = null;
    const offered = view.you?.offered ?? [];
    for (const id of this.picked) if (!offered.includes(id)) this.picked.delete(id);
  }

  /** Something was clicked on the map. @param {{ route?: string, location?: string }} where */
  choose(where) {
    const { table } = this.tray;
    if (this.tray.busy) return;
    this.tray.hint = "";
    if (waysAt(table.actions, where).length) {
      if (!this.chosen) this.before = document.activeElement;
      this.chosen = where;
      this.tray.draw();
      /** @type {HTMLElement | null} */ (this.tray.body.querySelector(".deeds .main"))?.focus();
      return;
    }
    this.chosen = null;
    this.tray.draw();
    void withPart(({ refusal }) => this.tray.say(refusal(table, where), where), () => import("./refusals.mjs"));
  }

  /** Open the list of routes, or the choice of a place to build at; or close it. @param {"lists" | "builds"} what */
  open(what) {
    const isOpen = this[what];
    this.clear();
    this[what] = !isOpen;
    this.tray.draw();
  }

  /** Go back from the payment to what was before, else clear the choice. */
  back() {
    const { chosen, before } = this;
    if (chosen) this.chosen = null;
    else this.clear();
    this.tray.draw();
    if (chosen && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
  }

  /** The current choice, as a template; null if there is none. */
  shown() {
    const { table } = this.tray;
    const { actions, view } = table;
    if (!table.isLatest) return null;
    if (view.tunnel) return this.#tunnel(view);
    if (keepable(actions).length) return this.#tickets(view);
    if (this.lists && claimable(actions).size) return this.#routes();
    return null;
  }

  /** What is chosen and has to be paid now. */
  get due() {
    const { table } = this.tray;
    return table.isLatest && !table.view.tunnel ? this.chosen : null;
  }

  /** What is paid for, as the prompt's words; null if nothing is. */
  title() {
    const { board } = this.tray.table;
    if (!this.due) return null;
    const { route, location = "" } = this.due;
    return `${route ? texts.choices.claimRoute(routeName(board, route))
      : texts.choices.buildAt(word(board, "station"), placeName(board, location))}: ${texts.choices.whichCards}`;
  }

  /** What is to know about the route that is paid for, or about a tunnel's price. */
  notes() {
    const { board, actions } = this.tray.table;
    if (may(actions, "withdraw_tunnel") && !this.#tunnelWays().length) return texts.choices.cannotPay;
    const route = board.routes.find((/** @type {any} */ one) => one.id === this.due?.route);
    return route ? html`<span class="faint">${[texts.choices.scoresPoints(own(board.points, route.length) ?? 0),
      ...marksOf(board, "routes", route).map((said) => texts.choices.isMarked(said))].join(" ")}</span>` : nothing;
  }

  /** The buttons that belong to the current choice; null if there is none. */
  deeds() {
    const { tray, picked, due } = this;
    const { board, actions, view } = tray.table;
    const [busy, hand] = [tray.busy, view.you?.hand ?? {}];
    const play = (/** @type {any} */ action) => tray.play(action);
    const legal = keepable(actions);
    if (view.tunnel) {
      return may(actions, "withdraw_tunnel") ? tunnelWays({ board, busy, play, withdraw: () => play({ type: "withdraw_tunnel" }),
        ways: inOrder(this.#tunnelWays(), hand) }) : null;
    }
    if (legal.length) {
      const kept = legal.find((tickets) => same(tickets, picked));
      return html`<button type="button" class="main keep-tickets" aria-disabled=${kept && !busy ? nothing : "true"}
        @click=${() => kept && play({ type: "keep_tickets", tickets: kept })}>${texts.choices.keep(picked.size)}</button>`;
    }
    return due && paying({ board, busy, play, verb: due.route ? texts.choices.claim : texts.choices.build,
      ways: inOrder(waysAt(actions, due), hand), keep: this.keeps, cancel: () => this.back(),
      setKeep: (keep) => { this.keeps = keep; tray.draw(); } });
  }

  #routes() {
    const { tray } = this;
    const { actions, board, view } = tray.table;
    return routeList({ board, ids: [...claimable(actions)], helps: this.helps,
      payment: (route) => inOrder(waysAt(actions, { route }), view.you?.hand ?? {})[0].cards,
      point: (route) => { this.pointed = route; tray.light(); },
      choose: (route) => this.choose({ route }) });
  }

  /** @param {any} view */
  #tickets(view) {
    const { tray, picked } = this;
    const { board, actions } = tray.table;
    const least = Math.min(...keepable(actions).map((tickets) => tickets.length));
    return offer({ picked, train: word(board, "train"),
      tickets: view.you.offered.map((/** @type {string} */ id) => read(tray.table, view, id)),
      title: texts.choices.keepSome(least, view.you.offered.length, word(board, "ticket")),
      point: (id) => tray.point(id),
      pick: (id) => {
        if (!picked.delete(id)) picked.add(id);
        visit(tray, picked.has(id) ? id : null);
        tray.draw();
      } });
  }

  #tunnelWays() {
    return this.tray.table.actions.filter((group) => group.type === "pay_tunnel")
      .flatMap((group) => ways(group).map((way) => ({ type: group.type, ...way })));
  }

  /** @param {any} view */
  #tunnel(view) {
    const { board, seat } = this.tray.table;
    const name = routeName(board, view.tunnel.route);
    return tunnel({ board, tunnel: view.tunnel, title: view.tunnel.seat === seat ? texts.choices.yourTunnel(name)
      : texts.choices.theirTunnel(nameOn(view, view.tunnel.seat), name) });
  }

  /** The highlights on the map: claimable routes, the choice, and the pointed tickets. */
  lights() {
    const { tray } = this;
    const { actions } = tray.table;
    const routes = this.builds ? new Map() : litBy(claimable(actions), this.helps);
    /** @type {Map<string, string>} */
    const locations = new Map();
    if (this.builds) for (const id of buildable(actions)) locations.set(id, "can");
    lightTickets(tray, this.picked, { routes, locations });
    if (this.lists && this.pointed && routes.has(this.pointed)) routes.set(this.pointed, "chosen");
    if (this.chosen?.route) routes.set(this.chosen.route, "chosen");
    if (this.chosen?.location) locations.set(this.chosen.location, "chosen");
    return { routes, locations };
  }
}
