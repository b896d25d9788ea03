"""What every seat does in a playout: nearly what the planner does, in a style of its own.

Arrays are taken out of ``table`` and ``game`` before a loop: inside, that costs more than the loop.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from workers.bots.position import FEW_TRAINS
from workers.bots.search import cards
from workers.bots.search import table as shape
from workers.bots.search.style import (
    BLOCK,
    CARD,
    CROWD,
    FERRY,
    FOR_EXTRA,
    FOR_NEEDED,
    FOR_NOTHING,
    HAND,
    HELD,
    KEEPING,
    LACKING,
    LATE,
    LEAST,
    LINK,
    LONG,
    MORE_THRIFT,
    NEARLY,
    PER_CLAIM,
    RATE,
    RESERVE,
    SECOND,
    SLACK,
    THRIFT,
    TICKETS,
    TURN,
    URGENT,
    WAIT,
    WASTE,
    WILD,
)
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
CONNECTS, GOES_ON = 3.0, 1.0  # signs of a rival's wanting a route
MOST_TICKETS = 30  # of a seat, that are planned for
LAST = 120  # turns of each seat after which a playout is broken off
TURN_OF = shape.TURN
CLAIM, BLIND, TAKE, NEW_TICKETS = range(4)  # what a turn begins with


@njit(cache=True)
def play_out(table, game):
    """Play a game to its end, and count up."""
    for _ in range(LAST * len(game.trains)):
        if game.counts[FINAL] == 0:
            break
        play_turn(table, game, np.int64(game.counts[TURN_OF]))
        cards.end_turn(game)
    cards.count_up(table, game)


@njit(cache=True)
def play_turn(table, game, seat):
    """Claim, draw tickets or draw cards."""
    what, value, color = turn(table, game, seat)
    if what == CLAIM:
        cards.claim(table, game, seat, value, color)
    elif what == NEW_TICKETS:
        draw_tickets(table, game, seat)
    else:
        take_or_draw(game, seat, value)
        if value != len(game.deck) - 1:
            refresh(table, game, seat)
            take_or_draw(game, seat, best_card(table, game, seat, True))


@njit(cache=True)
def turn(table, game, seat):
    """Return what a turn begins with, (what, route or card, colour paid with); the plan is up to
    date after it."""
    refresh(table, game, seat)
    if turns_left(game, seat) <= game.style[seat, LATE] + game.style[seat, SLACK]:
        route = best_last(table, game, seat)
        if route != NONE:
            return CLAIM, route, color_for(table, game, seat, route)
    route = to_claim(table, game, seat)
    if route != NONE:
        return CLAIM, route, color_for(table, game, seat, route)
    if wants_tickets(table, game, seat):
        return NEW_TICKETS, NONE, NONE
    card = best_card(table, game, seat, False)
    return (BLIND if card == NONE else TAKE), card, NONE


@njit(cache=True)
def take_or_draw(game, seat, card):
    """Take a card of the row, or, for NONE, draw one from the deck."""
    if card == NONE:
        cards.draw_blind(game, seat)
    else:
        cards.take(game, seat, card)


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
        return 1.0 + game.style[seat, SLACK]
    trains_of, hands, gone = game.trains, game.hands, game.gone
    per_claim, least = game.style[seat, PER_CLAIM], FAR
    for rival in range(len(trains_of)):
        if rival != seat and not gone[rival]:
            trains = max(0, trains_of[rival] - FEW_TRAINS)
            held = 0
            for color in range(hands.shape[1]):
                held += hands[rival, color]
            least = min(least, max(0, trains - held) / 2 + trains / per_claim)
    return game.style[seat, SLACK] + (1.0 if least == FAR else 1.0 + least)


@njit(cache=True)
def crowds(table, game, seat):
    """Return, for each place, how many of the rivals' routes end there."""
    crowd = np.zeros(len(table.first) - 1, np.int32)
    owners, gone, a, b = game.owner, game.gone, table.a, table.b
    for route in range(len(a)):
        owner = owners[route]
        if owner != OPEN and owner != seat and not gone[owner]:
            crowd[a[route]] += 1
            crowd[b[route]] += 1
    return crowd


@njit(cache=True)
def open_to(table, game, seat):
    """Return which routes a seat may claim once it has the cards (4.1, 4.2)."""
    owner, length, twins, closed = game.owner, table.length, table.twin, table.closed
    trains = game.trains[seat]
    is_open = np.empty(len(owner), np.bool_)
    for route in range(len(owner)):
        twin = twins[route]
        is_open[route] = owner[route] == OPEN and length[route] <= trains and not (
            twin != NONE and (owner[twin] == seat or (closed and owner[twin] != OPEN)))
    return is_open


@njit(cache=True)
def most_held(hand):
    """Return how many cards there are of the colour held most, wilds aside."""
    most = 0
    for color in range(len(hand) - 1):
        most = max(most, hand[color])
    return most


@njit(cache=True)
def costs_of(table, game, seat, crowd):
    """Return what each route costs a seat: nothing if it is its own, or lent by a station."""
    hand, style, owner = game.hands[seat], game.style[seat], game.owner
    a, b, color, saved, ferry, points = (
        table.a, table.b, table.color, table.cards, table.ferry, table.points)
    most, is_open = most_held(hand), open_to(table, game, seat)
    card, turn = style[CARD] * table.mean_length, style[TURN] * table.mean_length
    held_share, crowded, least = style[HELD], style[CROWD], style[LEAST]
    costs = np.empty(len(a))
    for route in range(len(a)):
        if owner[route] == seat:
            costs[route] = 0.0
        elif is_open[route]:
            held = most if color[route] == ANY else hand[color[route]]
            held = min(held, saved[route] - ferry[route])
            cost = card * (saved[route] - held_share * held) + turn - points[route]
            cost += crowded * (crowd[a[route]] + crowd[b[route]])
            costs[route] = max(least, cost)
        else:
            costs[route] = FAR
    stations = game.stations[seat]
    for n in range(MOST_STATIONS):
        station = stations[n]
        if station != NONE:
            for route in range(len(a)):
                if (a[route] == station or b[route] == station) and owner[route] != OPEN:
                    costs[route] = 0.0
    return costs


@njit(cache=True)
def search_ways(table, costs, start, end, far, came):
    """Find the cheapest ways from a place: fill in what each costs, and by which route it comes;
    stop where the way to ``end`` is known, and return what it costs."""
    first, neighbour, by = table.first, table.neighbour, table.by
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
        for n in range(first[place], first[place + 1]):
            cost = least + costs[by[n]]
            if cost < far[neighbour[n]]:
                far[neighbour[n]] = cost
                came[neighbour[n]] = by[n]


@njit(cache=True)
def lay(table, costs, tickets, order, far, came):
    """Lay the tickets' ways one after the other, each using those before it; return what all of
    them cost, and for each route, as bits, whose ways it was laid for."""
    left = costs.copy()
    laid = np.zeros(len(costs), np.int64)
    total = 0.0
    ticket_a, ticket_b, a, b = table.ticket_a, table.ticket_b, table.a, table.b
    for n in order:
        start, place = ticket_a[tickets[n]], ticket_b[tickets[n]]
        total += search_ways(table, left, start, place, far, came)
        while place != start:
            route = came[place]
            if costs[route] > 0:
                laid[route] |= 1 << n
            left[route] = 0.0
            place = a[route] + b[route] - place
    return total, laid


@njit(cache=True)
def relay(table, costs, tickets, order, far, came, laid):
    """Let every ticket's way look for a better one beside all the others."""
    left = np.empty(len(costs))
    ticket_a, ticket_b, a, b = table.ticket_a, table.ticket_b, table.a, table.b
    for n in order:
        spent = 0.0
        for route in range(len(costs)):
            others = laid[route] & ~(1 << n)
            left[route] = 0.0 if others else costs[route]
            if laid[route] == 1 << n:
                spent += costs[route]
        start, place = ticket_a[tickets[n]], ticket_b[tickets[n]]
        if search_ways(table, left, start, place, far, came) < spent - 1e-9:
            for route in range(len(costs)):
                laid[route] &= ~(1 << n)
            while place != start:
                route = came[place]
                if costs[route] > 0:
                    laid[route] |= 1 << n
                place = a[route] + b[route] - place
    return laid


@njit(cache=True)
def share_out(table, spare, routes, count):
    """Share cards out among routes, coloured ones first; ``spare`` is left with the rest. Return
    the colour that each is paid with, and how many cards it lacks."""
    colors, saved, ferry = table.color, table.cards, table.ferry
    color, short = np.zeros(count, np.int32), np.zeros(count, np.int32)
    for n in range(count):
        route = routes[n]
        if colors[route] != ANY:
            paid = colors[route]
            given = min(spare[paid], saved[route] - ferry[route])
            spare[paid] -= given
            color[n], short[n] = paid, saved[route] - given
    for n in range(count):
        route = routes[n]
        if colors[route] == ANY:
            paid = 0
            for other in range(1, len(spare) - 1):
                if spare[other] > spare[paid]:
                    paid = other
            given = min(spare[paid], saved[route] - ferry[route])
            spare[paid] -= given
            color[n], short[n] = paid, saved[route] - given
    return color, short


@njit(cache=True)
def turns_for(short, wilds, waste):
    """Return how many turns routes take that lack so many cards."""
    total = 0
    for n in range(len(short)):
        total += short[n]
    return max(0, total - wilds) * waste / 2 + len(short)


@njit(cache=True)
def _fits(table, game, seat, laid, turns):
    """Return whether trains and turns allow for routes."""
    length = table.length
    routes, count, trains = np.empty(len(laid), np.int32), 0, 0
    for route in range(len(laid)):
        if laid[route]:
            routes[count] = route
            count += 1
            trains += length[route]
    if trains > game.trains[seat] or count > MOST_NEEDED:
        return False
    hand = game.hands[seat]
    _, short = share_out(table, hand.copy(), routes, count)
    return turns_for(short, hand[-1], game.style[seat, WASTE]) <= turns


@njit(cache=True)
def connect(table, game, seat, tickets, costs, turns):
    """Return what tickets bring in the end less what their routes cost, and for each route
    whether it is needed; the tickets that trains and turns do not allow for stay incomplete."""
    places = len(table.first) - 1
    length, points, ticket_a, ticket_b = (
        table.length, table.ticket_points, table.ticket_a, table.ticket_b)
    style = game.style[seat]
    far, came = np.empty(places), np.empty(places, np.int32)
    wanted, prices = np.empty(MOST_TICKETS, np.int32), np.empty(MOST_TICKETS)
    value, count = 0.0, 0
    for ticket in tickets:
        price = search_ways(table, costs, ticket_a[ticket], ticket_b[ticket], far, came)
        if price == 0:
            value += points[ticket]
        elif price >= FAR or count == MOST_TICKETS:
            value -= points[ticket]
        else:
            wanted[count], prices[count] = ticket, price
            count += 1
    laid = np.zeros(len(costs), np.int64)
    thrifty = np.empty(len(costs))
    while count > 0:
        is_good = False
        for step in range(3):
            thrift = 0.0
            if step == 1:
                thrift = style[THRIFT]
            if step == 2:
                thrift = style[MORE_THRIFT]
            for route in range(len(costs)):
                cost = costs[route]
                thrifty[route] = cost + thrift * length[route] if 0 < cost < FAR else cost
            order = np.argsort(prices[:count])
            total, laid = lay(table, thrifty, wanted, order, far, came)
            if count > 1:
                other, others = lay(table, thrifty, wanted, order[::-1].copy(), far, came)
                if other < total:
                    laid = others
                laid = relay(table, thrifty, wanted, order, far, came, laid)
            is_good = _fits(table, game, seat, laid, turns)
            if is_good:
                break
        if is_good:
            break
        least, worst = np.inf, 0
        for n in range(count):
            alone = 0.0
            for route in range(len(laid)):
                if laid[route] == 1 << n:
                    alone += length[route]
            stake = points[wanted[n]] / max(0.1, alone)
            if stake < least:
                least, worst = stake, n
        value -= points[wanted[worst]]
        count -= 1
        for n in range(worst, count):
            wanted[n], prices[n] = wanted[n + 1], prices[n + 1]
        laid[:] = 0
    for n in range(count):
        value += points[wanted[n]]
    spent, is_needed = 0.0, np.zeros(len(laid), np.bool_)
    for route in range(len(laid)):
        if laid[route] > 0:
            spent += costs[route]
            is_needed[route] = True
    return value - style[KEEPING] * spent, is_needed


@njit(cache=True)
def plan(table, game, seat):
    """Plan a seat's routes anew."""
    costs = costs_of(table, game, seat, crowds(table, game, seat))
    tickets = np.flatnonzero(game.held[seat]).astype(np.int32)
    _, is_needed = connect(table, game, seat, tickets, costs, turns_left(game, seat))
    lengths, needed = table.length, game.needed[seat]
    count = 0
    for length in range(lengths.max(), 0, -1):
        for route in range(len(is_needed)):
            if is_needed[route] and lengths[route] == length:
                needed[count] = route
                count += 1
    game.plans[seat, NEEDED] = count
    plan_extra(table, game, seat)


@njit(cache=True)
def plan_extra(table, game, seat):
    """Plan a seat's routes for points anew: those that bring many points a turn, while there are
    trains."""
    a, b, lengths, twins, colors, saved, ferry, points, owner = (
        table.a, table.b, table.length, table.twin, table.color, table.cards, table.ferry,
        table.points, game.owner)
    style, extra = game.style[seat], game.extra[seat]
    needed = game.needed[seat, : game.plans[seat, NEEDED]]
    trains = game.trains[seat]
    is_joined = np.zeros(len(table.first) - 1, np.int32)
    is_out = ~open_to(table, game, seat)
    for route in range(len(a)):
        if owner[route] == seat:
            is_joined[a[route]] = is_joined[b[route]] = 1
    for route in needed:
        trains -= lengths[route]
        is_joined[a[route]] = is_joined[b[route]] = 1
        is_out[route] = True
        if twins[route] != NONE:
            is_out[twins[route]] = True
    rest = game.hands[seat].copy()
    share_out(table, rest, needed, len(needed))
    spare = rest.copy()
    link, rated = (style[LINK] if table.longest_path else 0.0), style[RATE]
    block = style[BLOCK]
    bonus = blocks(table, game, seat) if block > 0 else np.zeros(1)
    count = 0
    while count < MOST_EXTRA:
        best, most, plain = NONE, -np.inf, most_held(spare)
        for route in range(len(a)):
            if is_out[route] or lengths[route] > trains:
                continue
            held = plain if colors[route] == ANY else spare[colors[route]]
            short = saved[route] - min(held, saved[route] - ferry[route])
            gain = points[route] + link * (is_joined[a[route]] + is_joined[b[route]])
            if block > 0:
                gain += block * bonus[route]
            rate = gain / (1 + short * rated)
            if rate > most:
                best, most = route, rate
        if best == NONE:
            break
        extra[count] = best
        count += 1
        trains -= lengths[best]
        is_joined[a[best]] = is_joined[b[best]] = 1
        is_out[best] = True
        if twins[best] != NONE:
            is_out[twins[best]] = True
        spare = rest.copy()
        share_out(table, spare, extra, count)
    game.plans[seat, EXTRA] = count
    game.plans[seat, STALE] = FRESH


@njit(cache=True)
def blocks(table, game, seat):
    """Return how much each route seems to be wanted by rivals: the more if it would connect what
    one has built apart, the less if it goes on from an end."""
    worth = np.zeros(len(table.a))
    a, b, owner = table.a, table.b, game.owner
    for rival in range(len(game.trains)):
        if rival == seat or game.gone[rival]:
            continue
        home = cards.homes(table, game, rival)
        ends = np.zeros(len(home), np.int32)
        for route in range(len(a)):
            if owner[route] == rival:
                ends[a[route]] += 1
                ends[b[route]] += 1
        for route in range(len(a)):
            if owner[route] == OPEN:
                if ends[a[route]] and ends[b[route]]:
                    if cards.find(home, a[route]) != cards.find(home, b[route]):
                        worth[route] += CONNECTS
                elif ends[a[route]] == 1 or ends[b[route]] == 1:
                    worth[route] += GOES_ON
    return worth


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
    hand, style = game.hands[seat], game.style[seat]
    needed, extra = game.needed[seat], game.extra[seat]
    price = np.full(len(hand), style[FOR_NOTHING])
    for n in range(len(colors)):
        if extra[n] != route:
            price[colors[n]] = style[FOR_EXTRA]
    for n in range(len(color)):
        if needed[n] != route:
            price[color[n]] = style[FOR_NEEDED]
    length, most = table.length[route], table.length[route] - table.ferry[route]
    best, least = len(price) - 1, np.inf
    for plain in range(len(price) - 1):
        held = min(hand[plain], most)
        wilds = length - held
        bill = held * price[plain] + wilds * style[WILD]
        if wilds <= hand[-1] and bill < least:
            best, least = plain, bill
    return best


@njit(cache=True)
def best_card(table, game, seat, is_second):
    """Return the card of the row that helps the plan most, NONE if drawing from the deck does."""
    worth = worth_of_cards(table, game, seat)
    wild = len(worth) - 1
    deck, hand, row = table.deck, game.hands[seat], game.row
    total, unseen = 0.0, 0
    for color in range(len(worth)):
        count = deck[color] - hand[color]
        total += worth[color] * count
        unseen += count
    for place in range(len(row)):
        if row[place] != NONE:
            total -= worth[row[place]]
            unseen -= 1
    blind = total / max(1, unseen)
    best, most = NONE, blind if game.counts[DECK] + game.counts[DISCARDS] else -FAR
    for place in range(len(row)):
        color = row[place]
        if color != NONE and not (is_second and color == wild):
            helps = worth[color]
            if color == wild:
                helps -= max(blind, game.style[seat, SECOND])
            if helps > most:
                best, most = color, helps
    return best


@njit(cache=True)
def worth_of_cards(table, game, seat):
    """Return what a card of each colour is worth to a seat's plan."""
    color, short, colors, shorts = shares(table, game, seat)
    needed, extra, ferry, style = game.needed[seat], game.extra[seat], table.ferry, game.style[seat]
    hand = game.hands[seat]
    worth, ferries = np.full(len(hand), style[FOR_NOTHING]), 0
    lacking = style[LACKING]
    for n in range(len(colors)):
        if shorts[n] > ferry[extra[n]]:
            worth[colors[n]] = max(worth[colors[n]], style[FOR_EXTRA] + lacking * shorts[n])
    for n in range(len(color)):
        wilds = ferry[needed[n]]
        ferries += wilds
        if short[n] > wilds:
            worth[color[n]] = max(worth[color[n]], style[FOR_NEEDED] + lacking * short[n])
    worth[-1] = style[WILD] + (style[FERRY] if ferries > hand[-1] else 0.0)
    return worth


@njit(cache=True)
def payable(table, game, seat):
    """Return which routes a seat may claim and pay for."""
    can, hand = open_to(table, game, seat), game.hands[seat]
    length, color, ferry = table.length, table.color, table.ferry
    wilds, most = hand[-1], most_held(hand)
    for route in range(len(can)):
        if can[route]:
            held = most if color[route] == ANY else hand[color[route]]
            can[route] = wilds >= ferry[route] and held + wilds >= length[route]
    return can


@njit(cache=True)
def to_claim(table, game, seat):
    """Return the route to claim now, or NONE: the needed one in most danger, or for points."""
    style, hand = game.style[seat], game.hands[seat]
    wilds, turns = hand[-1], turns_left(game, seat)
    tunnel, lengths, points = table.tunnel, table.length, table.points
    _, short, _, shorts = shares(table, game, seat)
    can, needed, extra = payable(table, game, seat), game.needed[seat], game.extra[seat]
    ready, count, trains = np.empty(len(short), np.int32), 0, game.trains[seat]
    for n in range(len(short)):
        route = needed[n]
        trains -= lengths[route]
        if can[route] and (not tunnel[route] or short[n] <= wilds or turns < 2):
            ready[count] = route
            count += 1
    if count > 1 or (count == 1 and style[WAIT] > 0):
        route, urgency = _most_urgent(table, game, seat, ready[:count])
        if urgency >= style[WAIT] or hand.sum() > style[HAND]:
            return route
        if turns_for(short, wilds, style[WASTE]) + 2 >= turns:
            return route
    elif count == 1:
        return ready[0]
    spare = trains - style[RESERVE]
    best, most = NONE, 0
    for n in range(len(shorts)):
        route = extra[n]
        fits = len(short) == 0 or style[LONG] <= lengths[route] <= spare
        if fits and can[route] and shorts[n] <= wilds and points[route] > most:
            best, most = route, points[route]
    return best


@njit(cache=True)
def _most_urgent(table, game, seat, ready):
    """Return which of the needed routes there is most to lose by, and how much."""
    crowd = crowds(table, game, seat)
    costs = costs_of(table, game, seat, crowd)
    needed = game.needed[seat]
    for n in range(game.plans[seat, NEEDED]):
        costs[needed[n]] = 0.0
    far, came = np.empty(len(crowd)), np.empty(len(crowd), np.int32)
    best, most, nobody = NONE, -np.inf, game.style[seat, URGENT]
    for route in ready:
        costs[route] = ROUND
        a, b = table.a[route], table.b[route]
        detour = min(WORST_DETOUR, search_ways(table, costs, a, b, far, came))
        costs[route] = 0.0
        urgency = (nobody + crowd[a] + crowd[b]) * detour + table.length[route]
        if urgency > most:
            best, most = route, urgency
    return best, most


@njit(cache=True)
def best_last(table, game, seat):
    """Return the route that adds most to the final score at once, NONE if nothing does."""
    home, can, points = cards.homes(table, game, seat), payable(table, game, seat), table.points
    best, most = NONE, 0
    for route in range(len(can)):
        if can[route]:
            adds = points[route] + 2 * cards.joins(table, game, seat, home, route)
            if adds > most:
                best, most = route, adds
    return best


@njit(cache=True)
def wants_tickets(table, game, seat):
    """Return whether new tickets promise more than a turn is worth."""
    plan, drawn, style = game.plans[seat], table.drawn, game.style[seat]
    if game.counts[PILE] < drawn or plan[SATED] or game.counts[FINAL] != NONE:
        return False
    _, short, _, _ = shares(table, game, seat)
    turns = turns_for(short, game.hands[seat, -1], style[WASTE])
    if turns > style[NEARLY]:
        return False
    needed, lengths = game.needed[seat], table.length
    costs = costs_of(table, game, seat, crowds(table, game, seat))
    trains = np.int64(game.trains[seat])
    for n in range(plan[NEEDED]):
        trains -= lengths[needed[n]]
        costs[needed[n]] = 0.0
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
    plan[SATED] = total / ways <= style[TICKETS] * style[TURN] * table.mean_length
    return not plan[SATED]


@njit(cache=True)
def _hopes(table, game, seat, costs, trains, turns):
    """Return what each ticket that the seat does not hold would bring, within trains and turns."""
    places = len(table.first) - 1
    ticket_a, ticket_b, ticket_points, is_long, held = (
        table.ticket_a, table.ticket_b, table.ticket_points, table.ticket_long, game.held[seat])
    a, b, lengths = table.a, table.b, table.length
    far, came = np.empty(places), np.empty(places, np.int32)
    worth, count, start = np.empty(len(ticket_a)), 0, NONE
    for ticket in range(len(ticket_a)):
        if held[ticket] or is_long[ticket]:
            continue
        if ticket_a[ticket] != start:
            start = ticket_a[ticket]
            search_ways(table, costs, start, NONE, far, came)
        place = ticket_b[ticket]
        points, cost = ticket_points[ticket], far[place]
        worth[count] = -points
        if cost < FAR:
            length, takes = 0, 0.0
            while place != start:
                route = came[place]
                if costs[route] > 0:
                    length += lengths[route]
                    takes += 1 + lengths[route] / 2
                place = a[route] + b[route] - place
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
    choices = np.arange(1, 1 << count)
    keep(table, game, seat, drawn, best_keep(table, game, seat, drawn, choices))


@njit(cache=True)
def best_keep(table, game, seat, drawn, choices):
    """Return which of the tickets drawn are worth most together: one of the choices, as bits."""
    held = np.flatnonzero(game.held[seat]).astype(np.int32)
    costs, turns = costs_of(table, game, seat, crowds(table, game, seat)), turns_left(game, seat)
    best, most = choices[0], -np.inf
    for choice in choices:
        kept = drawn[(choice >> np.arange(len(drawn))) & 1 == 1]
        value, _ = connect(table, game, seat, np.concatenate((held, kept)), costs, turns)
        if value > most:
            best, most = choice, value
    return best


@njit(cache=True)
def keep(table, game, seat, drawn, choice):
    """Keep the tickets that are bits of a choice; the others go under the ticket deck."""
    for n in range(len(drawn)):
        if choice >> n & 1:
            game.held[seat, drawn[n]] = 1
        elif not table.ticket_long[drawn[n]]:
            for at in range(game.counts[PILE], 0, -1):
                game.pile[at] = game.pile[at - 1]
            game.pile[0] = drawn[n]
            game.counts[PILE] += 1
    game.plans[seat, STALE] = OUTDATED
    game.plans[seat, SATED] = False
