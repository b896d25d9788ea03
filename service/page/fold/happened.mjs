/** The state changes of each event type.
 *
 * @import { Event } from "../fold.js"
 * @import { State } from "./state.mjs"
 */

import { add, change, count, counted, discard, get, insert, lay, takeBack } from "./state.mjs";
import { follow, starts } from "./declared.mjs";
import { own } from "./own.mjs";
import { setPosition } from "./position.mjs";

/** Take members out of what is told of a seat. @type {(state: State, seat: number, ...names: string[]) => void} */
const omit = (state, seat, ...names) => {
  const was = state.seats[seat];
  const told = /** @type {any} */ (Object.fromEntries(Object.entries(was.told).filter(([name]) => !names.includes(name))));
  state.seats = state.seats.with(seat, { ...was, told });
};

/** The cards are about to be dealt. @type {(state: State) => void} */
const begin = (state) => {
  Object.assign(state, { status: "playing", row: [], deck: 0, discarded: {}, ticket_deck: 0,
    claims: [], isSetUp: false, declared: starts(state, "view") });
  state.seats.forEach((_, seat) => omit(state, seat, "rating_from", "rating_to"));
  state.seats.forEach((_, seat) => change(state, seat, {
    score: 0, trains: state.board.trains, cards: 0, tickets: 0, taken: {}, ...starts(state, "seat_view"),
  }, { hand: {}, tickets: [], removed: [] }));
};

/** @type {(state: State, reason: string) => void} */
const finish = (state, reason) => {
  state.seats = state.seats.map((seat) => ({ ...seat, offered: undefined, isOver: true }));
  Object.assign(state, { status: "finished", ending: reason, deciding: [], final: undefined });
};

/** @type {(state: State, seat: number) => void} */
const decided = (state, seat) => {
  state.deciding = state.deciding.filter((/** @type {any} */ one) => one.seat !== seat);
};

/** Changes by event type. The board declares the changes of other types (see declared.mjs).
 * `points` of any event are added to a score.
 * @type {{ [Type in Event["type"]]?: (state: State, event: Extract<Event, { type: Type }>) => void }} */
const HAPPENED = {
  game_created(state, event) {
    const { rules_version, creator, commitment, seed, seed_known, visibility, spectators } = event;
    const { tournament: place, pool, clock } = event;
    const seconds = (/** @type {number} */ n = 0) => Math.round(1000 * n) / 1000;
    const times = clock && ("per_decision" in clock ? {
      per_decision: seconds(clock.per_decision), ...(clock.total && { total: seconds(clock.total) }) }
      : { bank: seconds(clock.bank), increment: seconds(clock.increment) });
    Object.assign(state, {
      id: event.game, board_id: event.board, rules_version, creator, commitment, seed, seed_known,
      visibility, spectators,
      tournament: place && { id: place.id, round: place.round, table: place.table },
      pool: pool && { id: pool.id, ...(pool.test && { test: true }) },
      clock: times && { ...times, on_timeout: event.on_timeout ?? "resign" },
      seats: Array.from({ length: event.seats }, (_, seat) => ({ told: { seat } })),
    });
  },
  game_forked(state, { origin, version, cards, position }) {
    Object.assign(state, { fork: { game: origin, version, cards }, position });
  },
  seat_taken(state, { seat, player }) {
    omit(state, seat, "invited", "expires");
    change(state, seat, { player });
  },
  player_invited(state, { seat, player, expires }) {
    change(state, seat, { invited: player, expires });
  },
  invitation_closed(state, { seat }) {
    omit(state, seat, "invited", "expires");
  },
  rating_range_set(state, { seat, type: _, ...range }) {
    change(state, seat, range);
  },
  seat_left(state, { seat }) {
    omit(state, seat, "player");
  },
  open_seats_closed(state, { seats }) {
    state.seats = seats.map((was, seat) => ({ told: { ...state.seats[was].told, seat } }));
  },
  game_aborted(state, { reason, seat }) {
    if (seat !== undefined) change(state, seat, { left: "aborted" });
    else state.seats.forEach((_, one) => omit(state, one, "invited", "expires"));
    finish(state, reason);
  },
  game_started: begin,
  position_set(state) {
    if (!state.position) throw new Error("a fork under way keeps its position secret: adopt a view");
    begin(state);
    setPosition(state, state.position);
  },
  tickets_shuffled(state, event) {
    state.ticket_deck += count(event, "tickets"); // the long ones among them until all are dealt
    if (event.kind === "long") state.hasLong = true;
  },
  deck_shuffled(state, event) {
    Object.assign(state, { deck: count(event, "cards"), discarded: {} });
  },
  hand_dealt(state, event) {
    state.deck -= count(event, "cards");
    get(state, event.seat, count(event, "cards"), event.cards && counted(event.cards));
  },
  card_turned(state, { place, card }) {
    state.deck -= 1;
    state.row = [...state.row.slice(0, place), card, ...state.row.slice(place)];
  },
  row_discarded(state) {
    discard(state, counted(state.row));
    state.row = [];
  },
  card_drawn(state, { seat, card, place }) {
    get(state, seat, 1, card ? { [card]: 1 } : undefined);
    if (place === undefined || !card) state.deck -= 1;
    else {
      state.row = state.row.toSpliced(place, 1);
      change(state, seat, { taken: add(state, state.seats[seat].told.taken, { [card]: 1 }) });
    }
    state.deciding = [{ seat, decision: "second_card" }]; // unless a turn begins at once
  },
  tickets_drawn(state, event) {
    const decision = { seat: event.seat, decision: "keep_tickets" };
    state.ticket_deck -= count(event, "tickets");
    change(state, event.seat, {}, { offered: event.tickets });
    const others = state.isSetUp ? [] : state.deciding;
    state.deciding = count(event, "tickets") ? insert(others, decision) : others;
  },
  tickets_kept(state, event) {
    const { told, tickets } = state.seats[event.seat];
    state.hasLong = false;
    change(state, event.seat, { tickets: told.tickets + count(event, "kept") },
      { tickets: tickets && event.kept && [...tickets, ...event.kept], offered: undefined });
    decided(state, event.seat);
  },
  tickets_returned(state, event) {
    state.ticket_deck += count(event, "tickets");
  },
  tickets_removed(state, event) {
    if (state.hasLong) state.ticket_deck -= count(event, "tickets"); // else they were dealt before
    state.hasLong = false;
  },
  turn_began(state, { seat }) {
    Object.assign(state, { isSetUp: true, deciding: [{ seat, decision: "turn" }] });
    state.final = state.final?.slice(state.final.indexOf(seat));
  },
  final_turns_began(state, { seats }) {
    state.final = seats;
  },
  route_claimed(state, { seat, route, cards, points, kept, trains: taken }) {
    takeBack(state, seat);
    lay(state, seat, cards);
    discard(state, kept ? add(state, cards, { [kept]: 1 }, -1) : cards);
    const { score, trains } = state.seats[seat].told;
    const { length } = state.board.routes.find(({ id }) => id === route) ?? { length: 0 };
    change(state, seat, { score: score + points, trains: trains - (taken ?? length) });
    state.claims = insert(state.claims, { route, seat });
  },
  tunnel_attempted(state, { seat, route, cards }) {
    state.before = state.seats[seat].told.taken;
    lay(state, seat, cards);
    state.tunnel = { seat, route, laid: add(state, {}, cards), turned: [], extra: 0 };
  },
  tunnel_card_turned(state, { card }) {
    state.deck -= 1;
    state.tunnel = { ...state.tunnel, turned: [...state.tunnel.turned, card] };
  },
  tunnel_cost_raised(state, { seat, extra }) {
    state.tunnel = { ...state.tunnel, extra };
    state.deciding = [{ seat, decision: "tunnel" }];
  },
  tunnel_withdrawn(state, { seat }) {
    takeBack(state, seat);
  },
  tunnel_cards_discarded(state, { cards }) {
    discard(state, counted(cards));
    state.tunnel = state.before = undefined;
  },
  resigned(state, { seat, reason, cards, tickets }) {
    discard(state, cards);
    change(state, seat, { cards: 0, tickets: 0, taken: {}, left: reason },
      { hand: {}, tickets: [], offered: undefined, removed: tickets });
    if (state.tunnel?.seat === seat) state.tunnel = { ...state.tunnel, laid: {} };
    state.final = state.final?.filter((/** @type {number} */ one) => one !== seat);
    decided(state, seat);
  },
  game_ended(state, { reason, results }) {
    finish(state, reason);
    results.forEach((result, seat) => change(state, seat, { result }));
  },
};

/** Add the points of an event of any type to its seat.
 * @type {(state: State, event: any) => void} */
const score = (state, { seat, points }) => {
  const was = state.seats[seat]?.told.score;
  if (was !== undefined && Number.isInteger(points)) change(state, seat, { score: was + points });
};

/** Apply an event to a state in place. Nothing else may refer to that state. @param {State} state
 * @param {Event} event */
export function happen(state, event) {
  const known = own(/** @type {Record<string, (state: State, event: Event) => void>} */ (HAPPENED), event.type);
  (known ?? score)(state, event);
  follow(state, event);
}
