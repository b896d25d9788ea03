"""A seat's costs of routes, and the cheapest paths that connect its tickets."""

from __future__ import annotations

import numpy as np

from workers.bots.position import FEW_TRAINS
from workers.bots.search.arrays import ANY, FINAL, MOST_NEEDED, MOST_STATIONS, NONE, OPEN
from workers.bots.search.compiled import inner
from workers.bots.search.rows import order_of
from workers.bots.search.style import (
    CARD,
    CROWD,
    HELD,
    KEEPING,
    LEAST,
    MORE_THRIFT,
    PER_CLAIM,
    SLACK,
    THRIFT,
    TURN,
    WASTE,
)

FAR = 1e9  # more than any real path costs
MOST_TICKETS = 30  # of a seat, that are planned


@inner
def turns_left(game, seat):
    """Return the expected number of turns left, with the present one."""
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


@inner
def crowds(board, game, seat):
    """Return, for each place, the number of rivals' routes that end there."""
    crowd = np.zeros(len(board.first) - 1, np.int32)
    owners, gone, a, b = game.owner, game.gone, board.a, board.b
    for route in range(len(a)):
        owner = owners[route]
        if owner != OPEN and owner != seat and not gone[owner]:
            crowd[a[route]] += 1
            crowd[b[route]] += 1
    return crowd


@inner
def open_to(board, game, seat):
    """Return which routes a seat may claim once it has the cards (4.1, 4.2)."""
    owner, takes, twins, closed = game.owner, board.trains, board.twin, board.closed
    trains = game.trains[seat]
    is_open = np.empty(len(owner), np.bool_)
    for route in range(len(owner)):
        twin = twins[route]
        is_open[route] = owner[route] == OPEN and takes[route] <= trains and not (
            twin != NONE and (owner[twin] == seat or (closed and owner[twin] != OPEN)))
    return is_open


@inner
def most_held(hand):
    """Return the number of cards of the commonest colour, wilds aside."""
    most = 0
    for color in range(len(hand) - 1):
        most = max(most, hand[color])
    return most


@inner
def costs_of(board, game, seat, crowd):
    """Return each route's cost to a seat: zero if it is its own, or lent by a station."""
    hand, style, owner = game.hands[seat], game.style[seat], game.owner
    a, b, color, saved, ferry, points = (
        board.a, board.b, board.color, board.cards, board.ferry, board.points)
    most, is_open = most_held(hand), open_to(board, game, seat)
    card, turn = style[CARD] * board.mean_length, style[TURN] * board.mean_length
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


@inner
def search_ways(board, costs, start, end, far, came):
    """Find the cheapest paths from a place: fill in their costs and last routes. Stop once the path
    to ``end`` is known, and return its cost."""
    first, neighbour, by = board.first, board.neighbour, board.by
    far[:] = FAR
    came[:] = NONE
    far[start] = 0.0
    reached, count = np.empty(len(far), np.int32), 1  # places to which there may be a cheaper path
    reached[0] = start
    while count > 0:
        at, place = 0, reached[0]
        least = far[place]
        for n in range(1, count):
            other = reached[n]
            cost = far[other]
            if cost < least or (cost == least and other < place):
                at, place, least = n, other, cost
        if place == end:
            return least
        count -= 1
        reached[at] = reached[count]
        for n in range(first[place], first[place + 1]):
            other, cost = neighbour[n], least + costs[by[n]]
            if cost < far[other]:
                if far[other] == FAR:
                    reached[count] = other
                    count += 1
                far[other] = cost
                came[other] = by[n]
    return FAR


@inner
def lay(board, costs, tickets, order, far, came):
    """Lay the tickets' paths one after the other, each reusing those before it. Return their total
    cost and, for each route, its tickets as bits."""
    left = costs.copy()
    laid = np.zeros(len(costs), np.int64)
    total = 0.0
    ticket_a, ticket_b, a, b = board.ticket_a, board.ticket_b, board.a, board.b
    for n in order:
        start, place = ticket_a[tickets[n]], ticket_b[tickets[n]]
        total += search_ways(board, left, start, place, far, came)
        while place != start:
            route = came[place]
            if costs[route] > 0:
                laid[route] |= 1 << n
            left[route] = 0.0
            place = a[route] + b[route] - place
    return total, laid


@inner
def relay(board, costs, tickets, order, far, came, laid):
    """Search a better path for each ticket, given the paths of all others."""
    left = np.empty(len(costs))
    ticket_a, ticket_b, a, b = board.ticket_a, board.ticket_b, board.a, board.b
    for n in order:
        spent = 0.0
        for route in range(len(costs)):
            others = laid[route] & ~(1 << n)
            left[route] = 0.0 if others else costs[route]
            if laid[route] == 1 << n:
                spent += costs[route]
        start, place = ticket_a[tickets[n]], ticket_b[tickets[n]]
        if search_ways(board, left, start, place, far, came) < spent - 1e-9:
            for route in range(len(costs)):
                laid[route] &= ~(1 << n)
            while place != start:
                route = came[place]
                if costs[route] > 0:
                    laid[route] |= 1 << n
                place = a[route] + b[route] - place
    return laid


@inner
def share_out(board, spare, routes, count):
    """Allocate cards to routes, coloured ones first; ``spare`` keeps the rest. Return each route's
    payment colour and missing cards."""
    colors, saved, ferry = board.color, board.cards, board.ferry
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


@inner
def turns_for(short, wilds, waste):
    """Return how many turns routes take that lack so many cards."""
    total = 0
    for n in range(len(short)):
        total += short[n]
    return max(0, total - wilds) * waste / 2 + len(short)


@inner
def _fits(board, game, seat, laid, turns):
    """Return whether trains and turns suffice for routes."""
    takes = board.trains
    routes, count, trains = np.empty(len(laid), np.int32), 0, 0
    for route in range(len(laid)):
        if laid[route]:
            routes[count] = route
            count += 1
            trains += takes[route]
    if trains > game.trains[seat] or count > MOST_NEEDED:
        return False
    hand = game.hands[seat]
    _, short = share_out(board, hand.copy(), routes, count)
    return turns_for(short, hand[-1], game.style[seat, WASTE]) <= turns


@inner
def held_by(game, seat, tickets):
    """Fill in the tickets that a seat holds; return how many."""
    held, count = game.held[seat], 0
    for ticket in range(len(held)):
        if held[ticket]:
            tickets[count] = ticket
            count += 1
    return count


@inner
def connect(board, game, seat, tickets, costs, turns):
    """Return the tickets' points less their routes' costs, and which routes are needed; tickets
    that trains and turns do not allow stay incomplete."""
    places = len(board.first) - 1
    takes, points, ticket_a, ticket_b = (
        board.trains, board.ticket_points, board.ticket_a, board.ticket_b)
    style = game.style[seat]
    far, came = np.empty(places), np.empty(places, np.int32)
    wanted, prices = np.empty(MOST_TICKETS, np.int32), np.empty(MOST_TICKETS)
    value, count = 0.0, 0
    for ticket in tickets:
        price = search_ways(board, costs, ticket_a[ticket], ticket_b[ticket], far, came)
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
                thrifty[route] = cost + thrift * takes[route] if 0 < cost < FAR else cost
            order = order_of(prices, count)
            total, laid = lay(board, thrifty, wanted, order, far, came)
            if count > 1:
                other, others = lay(board, thrifty, wanted, order[::-1].copy(), far, came)
                if other < total:
                    laid = others
                laid = relay(board, thrifty, wanted, order, far, came, laid)
            is_good = _fits(board, game, seat, laid, turns)
            if is_good:
                break
        if is_good:
            break
        least, worst = np.inf, 0
        for n in range(count):
            alone = 0.0
            for route in range(len(laid)):
                if laid[route] == 1 << n:
                    alone += takes[route]
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
