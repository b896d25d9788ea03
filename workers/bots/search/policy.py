"""What every seat does in a playout: nearly what the planner does, in a hundredth of the time."""

from __future__ import annotations

import numpy as np
from numba import njit

from workers.bots.costs import CARD, CROWD, HELD, LEAST, TURN
from workers.bots.paying import A_WILD, FOR_EXTRA, FOR_NOTHING
from workers.bots.paying import NEEDED as FOR_NEEDED
from workers.bots.plan import LINK, THRIFT, WASTE
from workers.bots.planner import (
    FOR_A_FERRY,
    LACKING,
    LONG,
    NEARLY_DONE,
    RESERVE,
    SECOND_CARD,
    SOON,
)
from workers.bots.position import FEW_TRAINS, TRAINS_A_CLAIM
from workers.bots.search import cards
from workers.bots.search import table as shape
from workers.bots.search.table import (
    ANY,
    DECK,
    DISCARDS,
    EXTRA,
    FINAL,
    FRESH,
    MOST_EXTRA,
    MOST_NEEDED,
    MOST_STATIONS,
    NEEDED,
    NONE,
    OPEN,
    OUTDATED,
    PILE,
    SATED,
    STALE,
)

FAR = 1e9  # dearer than any way round
ROUND = 1_000.0  # what a route costs to whom it was taken from, in weighing the way round it
WORST_DETOUR = 30.0
MOST_TICKETS = 30  # of a seat, that are planned for
LAST = 120  # turns of each seat after which a playout is broken off
LATE = 1  # turns left in which only what scores at once counts
TURN_OF = shape.TURN


@njit(cache=True)
def play_out(table, game):
    """Play a game to its end, and count up."""
    for _ in range(LAST * len(game.trains)):
        if game.counts[FINAL] == 0:
            break
        play_turn(table, game, game.counts[TURN_OF])
        cards.end_turn(game)
    cards.count_up(table, game)


@njit(cache=True)
def play_turn(table, game, seat):
    """Claim, draw tickets or draw cards."""
    refresh(table, game, seat)
    if turns_left(game, seat) <= LATE:
        route = best_last(table, game, seat)
        if route != NONE:
            cards.claim(table, game, seat, route, color_for(table, game, seat, route))
            return
    route = to_claim(table, game, seat)
    if route != NONE:
        cards.claim(table, game, seat, route, color_for(table, game, seat, route))
    elif wants_tickets(table, game, seat):
        draw_tickets(table, game, seat)
    else:
        draw_cards(table, game, seat)


@njit(cache=True)
def draw_cards(table, game, seat):
    """Draw one card and, unless it is a wild of the row, another."""
    refresh(table, game, seat)
    if not draw_one(table, game, seat, False):
        draw_one(table, game, seat, True)


@njit(cache=True)
def refresh(table, game, seat):
    """Bring a seat's plan up to date."""
    if game.plans[seat, STALE] == OUTDATED:
        plan(table, game, seat)
    elif game.plans[seat, STALE] != FRESH or game.plans[seat, EXTRA] == 0:
        plan_extra(table, game, seat)


@njit(cache=True)
def turns_left(game, seat):
    """Return how many turns a seat may hope for, the present one included."""
    if game.counts[FINAL] != NONE:
        return 1.0
    least = FAR
    for rival in range(len(game.trains)):
        if rival != seat and not game.gone[rival]:
            trains = max(0, game.trains[rival] - FEW_TRAINS)
            missing = max(0, trains - game.hands[rival].sum())
            least = min(least, missing / 2 + trains / TRAINS_A_CLAIM)
    return 1.0 if least == FAR else 1.0 + least


@njit(cache=True)
def crowds(table, game, seat):
    """Return, for each place, how many of the rivals' routes end there."""
    crowd = np.zeros(len(table.first) - 1, np.int32)
    for route in range(len(table.a)):
        owner = game.owner[route]
        if owner != OPEN and owner != seat and not game.gone[owner]:
            crowd[table.a[route]] += 1
            crowd[table.b[route]] += 1
    return crowd


@njit(cache=True)
def costs_of(table, game, seat, crowd):
    """Return what each route costs a seat: nothing if it is its own, or lent by a station."""
    hand, most = game.hands[seat], game.hands[seat, :-1].max()
    card, turn = CARD * table.mean_length, TURN * table.mean_length
    costs = np.empty(len(table.a))
    for route in range(len(table.a)):
        if game.owner[route] == seat:
            costs[route] = 0.0
        elif cards.is_open(table, game, seat, route):
            held = most if table.color[route] == ANY else hand[table.color[route]]
            held = min(held, table.cards[route] - table.ferry[route])
            cost = card * (table.cards[route] - HELD * held) + turn - table.points[route]
            cost += CROWD * (crowd[table.a[route]] + crowd[table.b[route]])
            costs[route] = max(LEAST, cost)
        else:
            costs[route] = FAR
            if game.owner[route] != OPEN:
                for n in range(MOST_STATIONS):
                    station = game.stations[seat, n]
                    if station == table.a[route] or station == table.b[route]:
                        costs[route] = 0.0
    return costs


@njit(cache=True)
def search_ways(table, costs, start, end, far, came):
    """Find the cheapest ways from a place: fill in what each costs, and by which route it comes;
    stop where the way to ``end`` is known, and return what it costs."""
    far[:] = FAR
    came[:] = NONE
    is_known = np.zeros(len(far), np.bool_)
    far[start] = 0.0
    while True:
        place, least = NONE, FAR
        for other in range(len(far)):
            if not is_known[other] and far[other] < least:
                place, least = other, far[other]
        if place == NONE:
            return FAR
        if place == end:
            return least
        is_known[place] = True
        for n in range(table.first[place], table.first[place + 1]):
            cost = least + costs[table.by[n]]
            if cost < far[table.neighbour[n]]:
                far[table.neighbour[n]] = cost
                came[table.neighbour[n]] = table.by[n]


@njit(cache=True)
def lay(table, costs, tickets, order, far, came):
    """Lay the tickets' ways one after the other, each using those before it; return what all of
    them cost, and for each route, as bits, whose ways it was laid for."""
    left = costs.copy()
    laid = np.zeros(len(costs), np.int64)
    total = 0.0
    for n in order:
        start, place = table.ticket_a[tickets[n]], table.ticket_b[tickets[n]]
        total += search_ways(table, left, start, place, far, came)
        while place != start:
            route = came[place]
            if costs[route] > 0:
                laid[route] |= 1 << n
            left[route] = 0.0
            place = table.a[route] + table.b[route] - place
    return total, laid


@njit(cache=True)
def share_out(table, spare, routes, count):
    """Share cards out among routes, coloured ones first; ``spare`` is left with the rest. Return
    the colour that each is paid with, and how many cards it lacks."""
    color, short = np.zeros(count, np.int32), np.zeros(count, np.int32)
    for is_grey in (False, True):
        for n in range(count):
            route = routes[n]
            if (table.color[route] == ANY) == is_grey:
                paid = spare[:-1].argmax() if is_grey else table.color[route]
                given = min(spare[paid], table.cards[route] - table.ferry[route])
                spare[paid] -= given
                color[n], short[n] = paid, table.cards[route] - given
    return color, short


@njit(cache=True)
def turns_for(short, wilds):
    """Return how many turns routes take that lack so many cards."""
    return max(0, short.sum() - wilds) * WASTE / 2 + len(short)


@njit(cache=True)
def _fits(table, game, seat, laid, turns):
    """Return whether trains and turns allow for routes."""
    routes = np.flatnonzero(laid)
    if table.length[routes].sum() > game.trains[seat] or len(routes) > MOST_NEEDED:
        return False
    _, short = share_out(table, game.hands[seat].copy(), routes, len(routes))
    return turns_for(short, game.hands[seat, -1]) <= turns


@njit(cache=True)
def connect(table, game, seat, tickets, costs, turns):
    """Return what tickets bring in the end less what their routes cost, and for each route
    whether it is needed; the tickets that trains and turns do not allow for stay incomplete."""
    places = len(table.first) - 1
    far, came = np.empty(places), np.empty(places, np.int32)
    wanted, prices = np.empty(MOST_TICKETS, np.int32), np.empty(MOST_TICKETS)
    value, count = 0.0, 0
    for ticket in tickets:
        price = search_ways(
            table, costs, table.ticket_a[ticket], table.ticket_b[ticket], far, came)
        if price == 0:
            value += table.ticket_points[ticket]
        elif price >= FAR or count == MOST_TICKETS:
            value -= table.ticket_points[ticket]
        else:
            wanted[count], prices[count] = ticket, price
            count += 1
    laid = np.zeros(len(costs), np.int64)
    while count > 0:
        is_good = False
        for thrift in THRIFT:
            thrifty = np.where((costs > 0) & (costs < FAR), costs + thrift * table.length, costs)
            order = np.argsort(prices[:count])
            total, laid = lay(table, thrifty, wanted, order, far, came)
            if count > 1:
                other, others = lay(table, thrifty, wanted, order[::-1], far, came)
                if other < total:
                    laid = others
            is_good = _fits(table, game, seat, laid, turns)
            if is_good:
                break
        if is_good:
            break
        least, worst = np.inf, 0
        for n in range(count):
            alone = table.length[laid == 1 << n].sum()
            stake = table.ticket_points[wanted[n]] / max(0.1, alone)
            if stake < least:
                least, worst = stake, n
        value -= table.ticket_points[wanted[worst]]
        count -= 1
        for n in range(worst, count):
            wanted[n], prices[n] = wanted[n + 1], prices[n + 1]
        laid[:] = 0
    value += table.ticket_points[wanted[:count]].sum() - costs[laid > 0].sum()
    return value, laid > 0


@njit(cache=True)
def plan(table, game, seat):
    """Plan a seat's routes anew."""
    costs = costs_of(table, game, seat, crowds(table, game, seat))
    tickets = np.flatnonzero(game.held[seat])
    _, needed = connect(table, game, seat, tickets, costs, turns_left(game, seat))
    count = 0
    for length in range(table.length.max(), 0, -1):
        for route in range(len(needed)):
            if needed[route] and table.length[route] == length:
                game.needed[seat, count] = route
                count += 1
    game.plans[seat, NEEDED] = count
    plan_extra(table, game, seat)


@njit(cache=True)
def plan_extra(table, game, seat):
    """Plan a seat's routes for points anew: those that bring many points a turn, while there are
    trains."""
    needed = game.needed[seat, : game.plans[seat, NEEDED]]
    trains = game.trains[seat] - table.length[needed].sum()
    is_joined = np.zeros(len(table.first) - 1, np.int32)
    is_out = np.zeros(len(table.a), np.bool_)
    for route in range(len(table.a)):
        if game.owner[route] == seat:
            is_joined[table.a[route]] = is_joined[table.b[route]] = 1
        is_out[route] = not cards.is_open(table, game, seat, route)
    for route in needed:
        _plan_for(table, route, is_joined, is_out)
    rest = game.hands[seat].copy()
    share_out(table, rest, needed, len(needed))
    spare = rest.copy()
    link = LINK if table.longest_path else 0
    count = 0
    while count < MOST_EXTRA:
        best, most, plain = NONE, -np.inf, spare[:-1].max()
        for route in range(len(table.a)):
            if is_out[route] or table.length[route] > trains:
                continue
            held = plain if table.color[route] == ANY else spare[table.color[route]]
            short = table.cards[route] - min(held, table.cards[route] - table.ferry[route])
            links = is_joined[table.a[route]] + is_joined[table.b[route]]
            rate = (table.points[route] + link * links) / (1 + short / 2)
            if rate > most:
                best, most = route, rate
        if best == NONE:
            break
        game.extra[seat, count] = best
        count += 1
        trains -= table.length[best]
        _plan_for(table, best, is_joined, is_out)
        spare = rest.copy()
        share_out(table, spare, game.extra[seat], count)
    game.plans[seat, EXTRA] = count
    game.plans[seat, STALE] = FRESH


@njit(cache=True)
def _plan_for(table, route, is_joined, is_out):
    is_joined[table.a[route]] = is_joined[table.b[route]] = 1
    is_out[route] = True
    if table.twin[route] != NONE:
        is_out[table.twin[route]] = True


@njit(cache=True)
def shares(table, game, seat):
    """Return colours and lacking cards of the needed routes, then those of the extra ones."""
    spare, plan = game.hands[seat].copy(), game.plans[seat]
    color, short = share_out(table, spare, game.needed[seat], plan[NEEDED])
    colors, shorts = share_out(table, spare, game.extra[seat], plan[EXTRA])
    return color, short, colors, shorts


@njit(cache=True)
def color_for(table, game, seat, route):
    """Return the colour to pay a route with that the rest of the plan misses least; the wild's own
    where nothing else is held. The seat can pay."""
    if table.color[route] != ANY:
        return table.color[route]
    color, _, colors, _ = shares(table, game, seat)
    price = np.full(len(game.deck), FOR_NOTHING)
    for n in range(len(colors)):
        if game.extra[seat, n] != route:
            price[colors[n]] = FOR_EXTRA
    for n in range(len(color)):
        if game.needed[seat, n] != route:
            price[color[n]] = FOR_NEEDED
    best, least = len(price) - 1, np.inf
    for plain in range(len(price) - 1):
        held = min(game.hands[seat, plain], table.length[route] - table.ferry[route])
        wilds = table.length[route] - held
        bill = held * price[plain] + wilds * A_WILD
        if wilds <= game.hands[seat, -1] and bill < least:
            best, least = plain, bill
    return best


@njit(cache=True)
def draw_one(table, game, seat, is_second):
    """Draw the card that helps the plan most; return whether the turn is over by it."""
    wild = len(game.deck) - 1
    worth = worth_of_cards(table, game, seat)
    unseen = table.deck - game.hands[seat]
    for color in game.row:
        if color != NONE:
            unseen[color] -= 1
    blind = (worth * unseen).sum() / max(1, unseen.sum())
    best, most = NONE, blind if game.counts[DECK] + game.counts[DISCARDS] else -FAR
    for color in game.row:
        if color != NONE and not (is_second and color == wild):
            helps = worth[color] - (max(blind, SECOND_CARD) if color == wild else 0)
            if helps > most:
                best, most = color, helps
    if best == NONE:
        cards.draw_blind(game, seat)
    else:
        cards.take(game, seat, best)
    return best == wild


@njit(cache=True)
def worth_of_cards(table, game, seat):
    """Return what a card of each colour is worth to a seat's plan."""
    color, short, colors, shorts = shares(table, game, seat)
    worth, ferries = np.full(len(game.deck), FOR_NOTHING), 0
    for n in range(len(colors)):
        if shorts[n] > table.ferry[game.extra[seat, n]]:
            worth[colors[n]] = max(worth[colors[n]], FOR_EXTRA + LACKING * shorts[n])
    for n in range(len(color)):
        ferry = table.ferry[game.needed[seat, n]]
        ferries += ferry
        if short[n] > ferry:
            worth[color[n]] = max(worth[color[n]], FOR_NEEDED + LACKING * short[n])
    worth[-1] = A_WILD + (FOR_A_FERRY if ferries > game.hands[seat, -1] else 0)
    return worth


@njit(cache=True)
def to_claim(table, game, seat):
    """Return the route to claim now, or NONE: the needed one in most danger, or for points."""
    wilds, turns = game.hands[seat, -1], turns_left(game, seat)
    _, short, _, shorts = shares(table, game, seat)
    ready = np.empty(len(short), np.int32)
    count = 0
    for n in range(len(short)):
        route = game.needed[seat, n]
        is_safe = not table.tunnel[route] or short[n] <= wilds or turns < SOON
        if is_safe and cards.can_pay(table, game, seat, route) and cards.is_open(
                table, game, seat, route):
            ready[count] = route
            count += 1
    if count == 1:
        return ready[0]
    if count > 1:
        return _most_urgent(table, game, seat, ready[:count])
    needed = game.needed[seat, : len(short)]
    spare = game.trains[seat] - table.length[needed].sum() - RESERVE
    best, most = NONE, 0
    for n in range(len(shorts)):
        route = game.extra[seat, n]
        fits = len(short) == 0 or LONG <= table.length[route] <= spare
        if fits and shorts[n] <= wilds and table.points[route] > most and cards.can_pay(
                table, game, seat, route) and cards.is_open(table, game, seat, route):
            best, most = route, table.points[route]
    return best


@njit(cache=True)
def _most_urgent(table, game, seat, ready):
    """Return which of the needed routes there is most to lose by."""
    crowd = crowds(table, game, seat)
    costs = costs_of(table, game, seat, crowd)
    costs[game.needed[seat, : game.plans[seat, NEEDED]]] = 0.0
    far, came = np.empty(len(crowd)), np.empty(len(crowd), np.int32)
    best, most = NONE, -np.inf
    for route in ready:
        costs[route] = ROUND
        a, b = table.a[route], table.b[route]
        detour = min(WORST_DETOUR, search_ways(table, costs, a, b, far, came))
        costs[route] = 0.0
        urgency = (0.5 + crowd[a] + crowd[b]) * detour + table.length[route]
        if urgency > most:
            best, most = route, urgency
    return best


@njit(cache=True)
def best_last(table, game, seat):
    """Return the route that adds most to the final score at once, NONE if nothing does."""
    home = cards.homes(table, game, seat)
    best, most = NONE, 0
    for route in range(len(table.a)):
        if cards.is_open(table, game, seat, route) and cards.can_pay(table, game, seat, route):
            adds = table.points[route] + 2 * cards.joins(table, game, seat, home, route)
            if adds > most:
                best, most = route, adds
    return best


@njit(cache=True)
def wants_tickets(table, game, seat):
    """Return whether new tickets promise more than a turn is worth."""
    plan, drawn = game.plans[seat], table.drawn
    if game.counts[PILE] < drawn or plan[SATED] or game.counts[FINAL] != NONE:
        return False
    _, short, _, _ = shares(table, game, seat)
    turns = turns_for(short, game.hands[seat, -1])
    if turns > NEARLY_DONE:
        return False
    needed = game.needed[seat, : plan[NEEDED]]
    trains = game.trains[seat] - table.length[needed].sum()
    costs = costs_of(table, game, seat, crowds(table, game, seat))
    costs[needed] = 0.0
    worth = np.sort(_hopes(table, game, seat, costs, trains, turns_left(game, seat) - 1 - turns))
    if len(worth) <= drawn:
        return False
    total = ways = 0.0
    for n in range(drawn - 1, len(worth)):
        chance = 1.0  # in how many draws this one is the best
        for other in range(drawn - 1):
            chance *= (n - other) / (other + 1)
        total += chance * worth[n]
        ways += chance
    plan[SATED] = total / ways <= TURN * table.mean_length
    return not plan[SATED]


@njit(cache=True)
def _hopes(table, game, seat, costs, trains, turns):
    """Return what each ticket that the seat does not hold would bring, within trains and turns."""
    places = len(table.first) - 1
    far, came = np.empty(places), np.empty(places, np.int32)
    worth, count, start = np.empty(len(table.ticket_a)), 0, NONE
    for ticket in range(len(table.ticket_a)):
        if game.held[seat, ticket] or table.ticket_long[ticket]:
            continue
        if table.ticket_a[ticket] != start:
            start = table.ticket_a[ticket]
            search_ways(table, costs, start, NONE, far, came)
        place = table.ticket_b[ticket]
        points, cost = table.ticket_points[ticket], far[place]
        worth[count] = -points
        if cost < FAR:
            length, takes = 0, 0.0
            while place != start:
                route = came[place]
                if costs[route] > 0:
                    length += table.length[route]
                    takes += 1 + table.length[route] / 2
                place = table.a[route] + table.b[route] - place
            if length <= trains and takes <= turns:
                worth[count] = max(worth[count], points - cost)
        count += 1
    return worth[:count]


@njit(cache=True)
def draw_tickets(table, game, seat):
    """Draw tickets and keep those that are worth most together."""
    count = min(table.drawn, game.counts[PILE])
    game.counts[PILE] -= count
    drawn = game.pile[game.counts[PILE] : game.counts[PILE] + count].copy()
    held = np.flatnonzero(game.held[seat])
    costs, turns = costs_of(table, game, seat, crowds(table, game, seat)), turns_left(game, seat)
    best, most = 1, -np.inf
    for choice in range(1, 1 << count):
        kept = drawn[(choice >> np.arange(count)) & 1 == 1]
        tickets = np.concatenate((held.astype(np.int32), kept))
        value, _ = connect(table, game, seat, tickets, costs, turns)
        if value > most:
            best, most = choice, value
    keep(game, seat, drawn, best)


@njit(cache=True)
def keep(game, seat, drawn, choice):
    """Keep the tickets that are bits of a choice; the others go under the ticket deck."""
    for n in range(len(drawn)):
        if choice >> n & 1:
            game.held[seat, drawn[n]] = 1
        else:
            for at in range(game.counts[PILE], 0, -1):
                game.pile[at] = game.pile[at - 1]
            game.pile[0] = drawn[n]
            game.counts[PILE] += 1
    game.plans[seat, STALE] = OUTDATED
    game.plans[seat, SATED] = False
