"""Which tickets a seat keeps, and whether it wants new ones."""

from __future__ import annotations

import numpy as np

from workers.bots.search import plans, ways
from workers.bots.search.arrays import FINAL, NEEDED, NONE, OUTDATED, PILE, SATED, STALE
from workers.bots.search.compiled import inner
from workers.bots.search.rows import order_of
from workers.bots.search.style import NEARLY, TICKETS, TURN, WASTE


@inner
def wants_tickets(board, game, seat):
    """Return whether new tickets are worth more than a turn."""
    plan, drawn, style = game.plans[seat], board.drawn, game.style[seat]
    if game.counts[PILE] < drawn or plan[SATED] or game.counts[FINAL] != NONE:
        return False
    _, short, _, _ = plans.shares(board, game, seat)
    turns = ways.turns_for(short, game.hands[seat, -1], style[WASTE])
    if turns > style[NEARLY]:
        return False
    needed = game.needed[seat]
    costs = ways.costs_of(board, game, seat, ways.crowds(board, game, seat))
    trains = np.int64(game.trains[seat])
    for n in range(plan[NEEDED]):
        trains -= board.trains[needed[n]]
        costs[needed[n]] = 0.0
    left = ways.turns_left(game, seat) - 1 - turns
    worth = _hopes(board, game, seat, costs, trains, left)
    order = order_of(worth, len(worth))
    if len(worth) <= drawn:
        return False
    total = draws = 0.0
    for n in range(drawn - 1, len(worth)):
        chance = 1.0  # the share of draws in which this one is the best
        for other in range(drawn - 1):
            chance *= (n - other) / (other + 1)
        total += chance * worth[order[n]]
        draws += chance
    plan[SATED] = total / draws <= style[TICKETS] * style[TURN] * board.mean_length
    return not plan[SATED]


@inner
def _hopes(board, game, seat, costs, trains, turns):
    """Return the value of each ticket that the seat does not hold, within trains and turns."""
    places = len(board.first) - 1
    ticket_a, ticket_b, ticket_points, is_long, held = (
        board.ticket_a, board.ticket_b, board.ticket_points, board.ticket_long, game.held[seat])
    a, b, lengths = board.a, board.b, board.length
    far, came = np.empty(places), np.empty(places, np.int32)
    worth, count, start = np.empty(len(ticket_a)), 0, NONE
    for ticket in range(len(ticket_a)):
        if held[ticket] or is_long[ticket]:
            continue
        if ticket_a[ticket] != start:
            start = ticket_a[ticket]
            ways.search_ways(board, costs, start, NONE, far, came)
        place = ticket_b[ticket]
        points, cost = ticket_points[ticket], far[place]
        worth[count] = -points
        if cost < ways.FAR:
            laid, takes = 0, 0.0
            while place != start:
                route = came[place]
                if costs[route] > 0:
                    laid += board.trains[route]
                    takes += 1 + lengths[route] / 2
                place = a[route] + b[route] - place
            if laid <= trains and takes <= turns:
                worth[count] = max(worth[count], points - cost)
        count += 1
    return worth[:count]


@inner
def draw_tickets(board, game, seat):
    """Draw tickets and keep the most valuable combination."""
    count = min(board.drawn, game.counts[PILE])
    game.counts[PILE] -= count
    drawn = game.pile[game.counts[PILE] : game.counts[PILE] + count].copy()
    choices = np.empty((1 << count) - 1, np.int64)
    for n in range(len(choices)):
        choices[n] = n + 1
    keep(board, game, seat, drawn, best_keep(board, game, seat, drawn, choices))


@inner
def best_keep(board, game, seat, drawn, choices):
    """Return the most valuable of the allowed choices of drawn tickets, as bits."""
    tickets = np.empty(len(board.ticket_a) + len(drawn), np.int32)
    held = ways.held_by(game, seat, tickets)
    costs = ways.costs_of(board, game, seat, ways.crowds(board, game, seat))
    turns = ways.turns_left(game, seat)
    best, most = choices[0], -np.inf
    for choice in choices:
        count = held
        for n in range(len(drawn)):
            if choice >> n & 1:
                tickets[count] = drawn[n]
                count += 1
        value, _ = ways.connect(board, game, seat, tickets[:count], costs, turns)
        if value > most:
            best, most = choice, value
    return best


@inner
def keep(board, game, seat, drawn, choice):
    """Keep the tickets of a choice, given as bits; put the others under the ticket deck."""
    for n in range(len(drawn)):
        if choice >> n & 1:
            game.held[seat, drawn[n]] = 1
        elif not board.ticket_long[drawn[n]]:
            for at in range(game.counts[PILE], 0, -1):
                game.pile[at] = game.pile[at - 1]
            game.pile[0] = drawn[n]
            game.counts[PILE] += 1
    game.plans[seat, STALE] = OUTDATED
    game.plans[seat, SATED] = False
