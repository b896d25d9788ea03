"""Which tickets a seat keeps, and whether it wants more."""

from __future__ import annotations

from fogg_simulator.arrays import NONE, ONE, SETUP, ZERO
from fogg_simulator.compiled import inner

from workers.bots.search import plans, ways
from workers.bots.search.styles import NEARLY, PLANNING, TICKETS, TURN, WANTING, WASTE


@inner
def wants_tickets(board, game, mind, room, style, seat):
    """Return whether new tickets are worth more than a turn."""
    drawn = board.turn_deal
    if game.ticket_count < drawn or mind.sated[seat] or game.finals != NONE:
        return False
    needed = mind.needed_count[seat]
    plans.share(board, game, mind, room, seat, ZERO)
    turns = ways.turns_for(room, needed, game.hands[seat, board.wild], style[WASTE])
    if turns > style[NEARLY]:
        return False
    ways.fill_costs(board, game, room, style, seat)
    trains = game.trains[seat]
    for n in range(needed):
        trains -= board.length[mind.needed[seat, n]]
        room.costs[mind.needed[seat, n]] = 0.0
    left = ways.turns_left(board, game, style, seat) + style[WANTING] - 1 - turns
    count = fill_hopes(board, game, room, seat, trains, left)
    if count <= drawn:
        return False
    ways.sort(room.order, room.hopes, count)
    total = draws = 0.0
    for n in range(drawn - 1, count):
        chance = 1.0  # the share of draws in which this one is the best
        for other in range(drawn - 1):
            chance *= (n - other) / (other + 1)
        total += chance * room.hopes[room.order[n]]
        draws += chance
    mind.sated[seat] = total / draws <= style[TICKETS] * style[TURN] * room.mean_length
    return not mind.sated[seat]


@inner
def fill_hopes(board, game, room, seat, trains, turns):
    """Fill in the values of tickets that the seat does not hold; return how many there are."""
    count, start = ZERO, NONE
    for ticket in range(board.tickets):
        if game.holder[ticket] == seat or board.ticket_long[ticket]:
            continue
        if board.ticket_a[ticket] != start:
            start = board.ticket_a[ticket]
            ways.search_ways(room, room.costs, start, NONE)
        place, points = board.ticket_b[ticket], board.ticket_points[ticket]
        cost = room.far[place]
        room.hopes[count] = -points
        if cost < ways.FAR:
            laid, takes = ZERO, 0.0
            while place != start:
                route = room.came[place]
                if room.costs[route] > 0:
                    if game.owner[route] == NONE:
                        laid += board.length[route]
                    takes += 1 + board.length[route] / 2
                place = board.a[route] + board.b[route] - place
            if laid <= trains and takes <= turns:
                room.hopes[count] = max(room.hopes[count], points - cost)
        count += 1
    return count


@inner
def best_keep(board, game, room, style, seat):
    """Return the most valuable of the allowed choices of offered tickets, as bits."""
    offered, least = game.offered_count[seat], board.turn_keep
    if game.step == SETUP:
        least = board.start_keep
    held = ways.held_by(board, game, room, seat)
    ways.fill_costs(board, game, room, style, seat)
    turns = ways.turns_left(board, game, style, seat) + style[PLANNING]
    best, most = (ONE << offered) - 1, -ways.FAR
    for choice in range(1, ONE << offered):
        count = held
        for n in range(offered):
            if choice >> n & 1:
                room.held[count] = game.offered[seat, n]
                count += 1
        if count - held >= min(least, offered):
            value = ways.connect(board, game, room, style, seat, room.held, count, turns)
            if value > most:
                best, most = choice, value
    return best
