/** The choices other than drawing a card: routes, stations, tickets, a tunnel's price; and their
 * highlights on the map. */

import { nothing } from "../vendor/lit-html/lit-html.js";
import { buildable, claimable, inOrder, keepable, may, same, ways, waysAt } from "./legal.mjs";
import { marksOf } from "../map/words.mjs";
import { lightTickets, visit } from "./owned.mjs";
import { nameOn } from "../seats.mjs";
import { offer, read } from "./tickets.mjs";
import { Panel } from "./panel.mjs";
import { paying, tunnel } from "./paying.mjs";
import { routeInfo, routeList, routeName } from "./routes.mjs";
import { texts } from "../texts/texts.mjs";
import { withPart } from "../waiting.mjs";
import { word } from "./cards.mjs";
import { own } from "../fold/own.mjs";

export class Offers {
  /** @param {import("./tray.mjs").Tray} tray */
  constructor(tray) {
    this.tray = tray;
    /** The route or location chosen on the map, to be paid.
     * @type {{ route?: string, location?: string } | null} */
    this.chosen = null;
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
      this.clear();
      tray.draw();
    };
    document.addEventListener("keydown", this.onKey);
    /** @type {import("./plan.mjs").Plan | undefined} */
    this.plan = undefined;
    this.panel = new Panel(tray.map);
    tray.map.info = (/** @type {any} */ route) => routeInfo(tray.table, route);
  }

  /** Stop: release listeners and timers. */
  close() {
    document.removeEventListener("keydown", this.onKey);
    this.plan?.close();
    this.panel.close();
  }

  /** Show what the ticket still takes that is pointed at or pinned. */
  showPlan() {
    const { map, table, pointed, pinned } = this.tray;
    const id = table.isOver ? null : pointed ?? pinned;
    if (this.plan || !id) return void this.plan?.draw(table, id);
    void withPart(({ Plan }) => {
      if (this.plan || this.tray.isClosed) return;
      this.plan = new Plan(map.root, this.tray.body);
      this.showPlan();
    }, () => import("./plan.mjs"));
  }

  /** Clear the current choice. */
  clear() {
    Object.assign(this, { chosen: null, builds: false, lists: false, keeps: true, picked: new Set() });
    Object.assign(this.tray, { hint: "", asks: null });
  }

  /** Drop choices that are no longer legal. */
  update() {
    const { actions, view } = this.tray.table;
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
      this.chosen = where;
      this.tray.draw();
      /** @type {HTMLElement | null} */ (this.panel.root.querySelector(".paying .main"))?.focus();
      return;
    }
    this.chosen = null;
    this.tray.draw();
    void withPart(({ refusal }) => this.tray.say(refusal(table, where)), () => import("./refusals.mjs"), ["refusals"]);
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

  /** Show the ways to pay for what is chosen, next to it. */
  pay() {
    const { chosen, tray: { table } } = this;
    const where = table.isLatest && !table.view.tunnel ? chosen : null;
    this.panel.show(/** @type {any} */ (where), where ? this.#paying(where) : nothing);
  }

  /** @param {{ route?: string, location?: string }} where */
  #paying(where) {
    const { tray } = this;
    const { board, actions, view } = tray.table;
    const station = word(board, "station");
    const route = board.routes.find((/** @type {any} */ one) => one.id === where.route);
    const place = board.locations.find((/** @type {any} */ one) => one.id === where.location);
    return paying({ board, busy: tray.busy, verb: route ? texts.choices.claim : texts.choices.build,
      ways: inOrder(waysAt(actions, where), view.you?.hand ?? {}), keep: this.keeps,
      title: route ? texts.choices.claimRoute(routeName(board, route.id))
        : texts.choices.buildAt(station, place?.name ?? ""),
      notes: route ? [texts.choices.scoresPoints(own(board.points, route.length) ?? 0), ...marksOf(board, "routes", route)
        .map((said) => texts.choices.isMarked(said))] : [],
      setKeep: (keep) => { this.keeps = keep; tray.draw(); },
      cancel: () => { this.clear(); tray.draw(); },
      play: (action) => tray.play(action) });
  }

  #routes() {
    const { tray } = this;
    const { actions, board, view } = tray.table;
    return routeList({ board, ids: [...claimable(actions)],
      payment: (route) => inOrder(waysAt(actions, { route }), view.you?.hand ?? {})[0].cards,
      point: (route) => { this.pointed = route; tray.light(); },
      choose: (route) => this.choose({ route }),
      cancel: () => { this.clear(); tray.draw(); } });
  }

  /** @param {any} view */
  #tickets(view) {
    const { tray, picked } = this;
    const { board, actions } = tray.table;
    const legal = keepable(actions);
    const kept = legal.find((tickets) => same(tickets, picked));
    const least = Math.min(...legal.map((tickets) => tickets.length));
    return offer({ picked, busy: tray.busy, isLegal: Boolean(kept), train: word(board, "train"),
      tickets: view.you.offered.map((/** @type {string} */ id) => read(tray.table, view, id)),
      title: texts.choices.keepSome(least, view.you.offered.length, word(board, "ticket")),
      point: (id) => tray.point(id),
      pick: (id) => {
        if (!picked.delete(id)) picked.add(id);
        visit(tray, picked.has(id) ? id : null);
        tray.draw();
      },
      keep: () => tray.play({ type: "keep_tickets", tickets: kept }) });
  }

  /** @param {any} view */
  #tunnel(view) {
    const { tray } = this;
    const { board, actions, seat } = tray.table;
    const name = routeName(board, view.tunnel.route);
    return tunnel({ board, busy: tray.busy, tunnel: view.tunnel,
      title: view.tunnel.seat === seat ? texts.choices.yourTunnel(name)
        : texts.choices.theirTunnel(nameOn(view, view.tunnel.seat), name),
      ways: inOrder(actions.filter((group) => group.type === "pay_tunnel").flatMap((group) => ways(group)
        .map((way) => ({ type: group.type, ...way }))), view.you?.hand ?? {}),
      withdraw: may(actions, "withdraw_tunnel") ? () => tray.play({ type: "withdraw_tunnel" }) : null,
      play: (action) => tray.play(action) });
  }

  /** The highlights on the map: claimable routes, the choice, and the pointed tickets. */
  lights() {
    const { tray } = this;
    const { actions } = tray.table;
    /** @type {Map<string, string>} */
    const routes = new Map();
    /** @type {Map<string, string>} */
    const locations = new Map();
    if (!this.builds) for (const id of claimable(actions)) routes.set(id, "can");
    if (this.builds) for (const id of buildable(actions)) locations.set(id, "can");
    lightTickets(tray, this.picked, { routes, locations });
    if (this.lists && this.pointed && routes.has(this.pointed)) routes.set(this.pointed, "chosen");
    if (this.chosen?.route) routes.set(this.chosen.route, "chosen");
    if (this.chosen?.location) locations.set(this.chosen.location, "chosen");
    return { routes, locations };
  }
}
