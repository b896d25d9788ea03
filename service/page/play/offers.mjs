/** The choices other than drawing a card: routes, stations, tickets, a tunnel's price; and their
 * highlights on the map. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { buildable, claimable, inOrder, keepable, may, same, ways, waysAt } from "./legal.mjs";
import { onShortest } from "./shortest.mjs";
import { marksOf } from "../map/words.mjs";
import { lightTickets, visit } from "./owned.mjs";
import { nameOn } from "../seats.mjs";
import { placeName } from "../map/places.mjs";
import { offer, read } from "./tickets.mjs";
import { paying, tunnel, tunnelWays } from "./paying.mjs";
import { routeInfo, routeList, routeName } from "./routes.mjs";
import { texts } from "../texts/texts.mjs";
import { word } from "./cards.mjs";
import { own } from "../own.mjs";

/** The routes to claim on a shortest way of each open ticket, as long as the viewer's trains suffice; with the names
 * of these tickets. Empty but on the viewer's turn. @param {Table} table
 * @returns {Map<string, string[]>} */
function helping(table) {
  const { board, view, seat, isLatest } = table;
  /** @type {Map<string, string[]>} */ const found = new Map();
  const isDue =
    isLatest && view.deciding.some((one) => one.seat === seat && one.decision === "turn");
  for (const id of (isDue && view.you?.tickets) || []) {
    const { a, b, names, state } = read(table, view, id);
    if (state !== "open") continue;
    for (const route of onShortest(board, view, seat, a, b)) {
      found.set(route, [...(found.get(route) ?? []), `${names[0]} – ${names[1]}`]);
    }
  }
  return found;
}

/** How routes are lit: those that help strongly, dashed if they cannot be claimed now, others faintly.
 * @param {Set<string>} claimable @param {Map<string, string[]>} helps @returns {Map<string, string>} */
const litBy = (claimable, helps) =>
  new Map([
    ...[...claimable]
      .filter((id) => !helps.has(id))
      .map((id) => /** @type {const} */ ([id, "can"])),
    ...[...helps.keys()].map(
      (id) => /** @type {const} */ ([id, claimable.has(id) ? "helps" : "would"]),
    ),
  ]);

/** The routes that help tickets, by the actions of which they are. @type {WeakMap<object, Map<string, string[]>>} */
const known = new WeakMap();
/** @param {Table} table */
function helped(table) {
  const helps = known.get(table.actions) ?? helping(table);
  known.set(table.actions, helps);
  return helps;
}

/** The ways to pay for what is chosen, the best guess first. @param {Tray} tray */
const toPay = ({ table: { actions, view }, state }) =>
  inOrder(waysAt(actions, state.where), view.you?.hand ?? {});

/** The ways to pay for a tunnel, the best guess first. @param {Tray} tray */
const forTunnel = ({ table: { actions, view } }) =>
  inOrder(
    actions
      .filter((group) => group.type === "pay_tunnel")
      .flatMap((group) => ways(group).map((way) => ({ type: group.type, ...way }))),
    view.you?.hand ?? {},
  );

/** The choices shown in place of the cards, as a template; null if there are none. @param {Tray} tray */
export function choice(tray) {
  const {
    state: { mode, under },
    table: { view },
  } = tray;
  const shown = mode === "paying" || mode === "asking" ? under : mode;
  return shown === "tunnel"
    ? turned(tray, view)
    : shown === "keeping"
      ? tickets(tray, view)
      : shown === "listing"
        ? routes(tray)
        : null;
}

/** The choice to make, in words; null if the prompt of the decision says it. @param {Tray} tray */
export function title({
  state: {
    mode,
    where: { route, location = "" },
  },
  table: { board },
}) {
  const station = word(board, "station");
  return mode === "building"
    ? texts.play.choosePlace(word(board, "location"), station)
    : mode !== "paying"
      ? null
      : `${
          route
            ? texts.choices.claimRoute(routeName(board, route))
            : texts.choices.buildAt(station, placeName(board, location))
        }: ${texts.choices.whichCards}`;
}

/** Facts about the route to pay for, or about a tunnel's price. @param {Tray} tray */
export function notes(tray) {
  const {
    state: { mode, where },
    table: { board },
  } = tray;
  const route =
    mode === "paying" && board.routes.find((/** @type {any} */ one) => one.id === where.route);
  return mode === "tunnel" && may(tray.table.actions, "withdraw_tunnel") && !forTunnel(tray).length
    ? texts.choices.cannotPay
    : route
      ? html`<span class="faint"
          >${[
            texts.choices.scoresPoints(own(board.points, route.length) ?? 0),
            ...marksOf(board, "routes", route).map((said) => texts.choices.isMarked(said)),
          ].join(" ")}</span
        >`
      : nothing;
}

/** The buttons of the mode; null if it has none of its own. @param {Tray} tray */
export function buttons(tray) {
  const {
    state: { mode, picked, busy, keeps, where },
    table: { board, actions, view },
  } = tray;
  const till = {
    board,
    busy,
    hand: view.you?.hand ?? {},
    play: (/** @type {any} */ action) => tray.play(action),
  };
  if (mode === "tunnel" && may(actions, "withdraw_tunnel")) {
    return tunnelWays({
      ...till,
      ways: forTunnel(tray),
      withdraw: () => tray.play({ type: "withdraw_tunnel" }),
    });
  }
  if (mode === "keeping") {
    const kept = keepable(actions).find((tickets) => same(tickets, picked));
    return html`<button
      type="button"
      class="main"
      aria-disabled=${kept && !busy ? nothing : "true"}
      @click=${() => {
        if (!kept) return;
        visit(tray, null);
        tray.play({ type: "keep_tickets", tickets: kept });
      }}
    >
      ${texts.choices.keep(picked.length)}
    </button>`;
  }
  return mode !== "paying"
    ? null
    : paying({
        ...till,
        verb: where.route ? texts.choices.claim : texts.choices.build,
        ways: toPay(tray),
        keep: keeps,
        cancel: () => tray.back(),
        setKeep: (value) => tray.send({ type: "keep", keeps: value }),
      });
}

/** @param {Tray} tray */
function routes(tray) {
  const { actions, board, view } = tray.table;
  return routeList({
    board,
    ids: [...claimable(actions)],
    helps: helped(tray.table),
    payment: (route) => inOrder(waysAt(actions, { route }), view.you?.hand ?? {})[0].cards,
    point: (aimed) => tray.send({ type: "aim", aimed }),
    choose: (route) => tray.choose({ route }),
  });
}

/** @param {Tray} tray @param {any} view */
function tickets(tray, view) {
  const {
    table,
    table: { board, actions },
  } = tray;
  const least = Math.min(...keepable(actions).map((one) => one.length));
  return offer({
    picked: tray.state.picked,
    train: word(board, "train"),
    tickets: view.you.offered.map((/** @type {string} */ id) => read(table, view, id)),
    title: texts.choices.keepSome(least, view.you.offered.length, word(board, "ticket")),
    point: (pointed) => tray.send({ type: "point", pointed }),
    pick: (id) => {
      visit(tray, tray.state.picked.includes(id) ? null : id);
      tray.send({ type: "pick", id });
    },
  });
}

/** @param {Tray} tray @param {any} view */
function turned({ table: { board, seat } }, view) {
  const name = routeName(board, view.tunnel.route);
  return tunnel({
    board,
    tunnel: view.tunnel,
    title:
      view.tunnel.seat === seat
        ? texts.choices.yourTunnel(name)
        : texts.choices.theirTunnel(nameOn(view, view.tunnel.seat), name),
  });
}

/** The highlights on the map: claimable routes, the choice, and the pointed tickets. @param {Tray} tray */
export function lights(tray) {
  const {
    table,
    state: { mode, under, where, aimed },
  } = tray;
  const helps = helped(table);
  tray.map.info = (/** @type {any} */ route) => routeInfo(table, route, helps.get(route.id));
  const isBuilding = mode === "building" || (mode === "paying" && under === "building");
  /** @type {Map<string, string>} */
  const lit = isBuilding ? new Map() : litBy(claimable(table.actions), helps);
  /** @type {Map<string, string>} */
  const locations = new Map(
    isBuilding ? [...buildable(table.actions)].map((id) => [id, "can"]) : [],
  );
  lightTickets(tray, { routes: lit, locations });
  if (aimed && lit.has(aimed)) lit.set(aimed, "chosen");
  if (mode === "paying" && where.route) lit.set(where.route, "chosen");
  if (mode === "paying" && where.location) locations.set(where.location, "chosen");
  return { routes: lit, locations };
}
