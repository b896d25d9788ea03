"""The policy of all seats in a playout: nearly the planner's, in a style.

Arrays are read from ``board`` and ``game`` before a loop; inside, that costs more than the loop.
"""

from __future__ import annotations

import numpy as np

from workers.bots.search import arrays, cards, plans, tickets, ways
from workers.bots.search.arrays import ANY, DECK, DISCARDS, FINAL, NEEDED, NONE
from workers.bots.search.compiled import inner
from workers.bots.search.rows import total
from workers.bots.search.style import (
    FERRY,
    FOR_EXTRA,
    FOR_NEEDED,
    FOR_NOTHING,
    HAND,
    LACKING,
    LATE,
    LONG,
    RESERVE,
    SECOND,
    SLACK,
    URGENT,
    WAIT,
    WASTE,
    WILD,
)

ROUND = 1_000.0  # cost of a route that a rival has taken, when detours are compared
WORST_DETOUR = 30.0
LAST = 120  # turns of each seat after which a playout ends
TURN_OF = arrays.TURN
CLAIM, BLIND, TAKE, NEW_TICKETS = range(4)  # first moves of a turn


@inner
def play_out(board, game):
    """Play a game to its end, and compute the totals."""
    for _ in range(LAST * len(game.trains)):
        if game.counts[FINAL] == 0:
            break
        play_turn(board, game, np.int64(game.counts[TURN_OF]))
        cards.end_turn(game)
    cards.count_up(board, game)


@inner
def play_turn(board, game, seat):
    """Claim, draw tickets or draw cards."""
    what, value, color = turn(board, game, seat)
    if what == CLAIM:
        cards.claim(board, game, seat, value, color)
    elif what == NEW_TICKETS:
        tickets.draw_tickets(board, game, seat)
    else:
        take_or_draw(game, seat, value)
        if value != len(game.deck) - 1:
            plans.refresh(board, game, seat)
            take_or_draw(game, seat, best_card(board, game, seat, True))


@inner
def turn(board, game, seat):
    """Return a turn's first move, (kind, route or card, payment colour); bring the plan up to date.
    """
    plans.refresh(board, game, seat)
    if ways.turns_left(game, seat) <= game.style[seat, LATE] + game.style[seat, SLACK]:
        route = best_last(board, game, seat)
        if route != NONE:
            return CLAIM, route, plans.color_for(board, game, seat, route)
    route = to_claim(board, game, seat)
    if route != NONE:
        return CLAIM, route, plans.color_for(board, game, seat, route)
    if tickets.wants_tickets(board, game, seat):
        return NEW_TICKETS, NONE, NONE
    card = best_card(board, game, seat, False)
    return (BLIND if card == NONE else TAKE), card, NONE


@inner
def take_or_draw(game, seat, card):
    """Take a card of the row, or, for NONE, draw one from the deck."""
    if card == NONE:
        cards.draw_blind(game, seat)
    else:
        cards.take(game, seat, card)


@inner
def best_card(board, game, seat, is_second):
    """Return the card of the row that helps the plan most, or NONE for the deck."""
    worth = worth_of_cards(board, game, seat)
    wild = len(worth) - 1
    deck, hand, row = board.deck, game.hands[seat], game.row
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
    best, most = NONE, blind if game.counts[DECK] + game.counts[DISCARDS] else -ways.FAR
    for place in range(len(row)):
        color = row[place]
        if color != NONE and not (is_second and color == wild):
            helps = worth[color]
            if color == wild:
                helps -= max(blind, game.style[seat, SECOND])
            if helps > most:
                best, most = color, helps
    return best


@inner
def worth_of_cards(board, game, seat):
    """Return the value of a card of each colour to a seat's plan."""
    color, short, colors, shorts = plans.shares(board, game, seat)
    needed, extra, ferry, style = game.needed[seat], game.extra[seat], board.ferry, game.style[seat]
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


@inner
def payable(board, game, seat):
    """Return which routes a seat may claim and pay for."""
    can, hand = ways.open_to(board, game, seat), game.hands[seat]
    length, color, ferry = board.length, board.color, board.ferry
    wilds, most = hand[-1], ways.most_held(hand)
    for route in range(len(can)):
        if can[route]:
            held = most if color[route] == ANY else hand[color[route]]
            can[route] = wilds >= ferry[route] and held + wilds >= length[route]
    return can


@inner
def to_claim(board, game, seat):
    """Return the route to claim now, or NONE: the needed one in most danger, or for points."""
    style, hand = game.style[seat], game.hands[seat]
    wilds, turns = hand[-1], ways.turns_left(game, seat)
    tunnel, takes, points = board.tunnel, board.trains, board.points
    _, short, _, shorts = plans.shares(board, game, seat)
    can, needed, extra = payable(board, game, seat), game.needed[seat], game.extra[seat]
    ready, count, trains = np.empty(len(short), np.int32), 0, game.trains[seat]
    for n in range(len(short)):
        route = needed[n]
        trains -= takes[route]
        if can[route] and (not tunnel[route] or short[n] <= wilds or turns < 2):
            ready[count] = route
            count += 1
    if count > 1 or (count == 1 and style[WAIT] > 0):
        route, urgency = _most_urgent(board, game, seat, ready[:count])
        if urgency >= style[WAIT] or total(hand) > style[HAND]:
            return route
        if ways.turns_for(short, wilds, style[WASTE]) + 2 >= turns:
            return route
    elif count == 1:
        return ready[0]
    spare = trains - style[RESERVE]
    best, most = NONE, 0
    for n in range(len(shorts)):
        route = extra[n]
        fits = len(short) == 0 or (board.length[route] >= style[LONG] and takes[route] <= spare)
        if fits and can[route] and shorts[n] <= wilds and points[route] > most:
            best, most = route, points[route]
    return best


@inner
def _most_urgent(board, game, seat, ready):
    """Return the most urgent of the needed routes, and its urgency."""
    crowd = ways.crowds(board, game, seat)
    costs = ways.costs_of(board, game, seat, crowd)
    needed = game.needed[seat]
    for n in range(game.plans[seat, NEEDED]):
        costs[needed[n]] = 0.0
    far, came = np.empty(len(crowd)), np.empty(len(crowd), np.int32)
    best, most, nobody = NONE, -np.inf, game.style[seat, URGENT]
    for route in ready:
        costs[route] = ROUND
        a, b = board.a[route], board.b[route]
        detour = min(WORST_DETOUR, ways.search_ways(board, costs, a, b, far, came))
        costs[route] = 0.0
        urgency = (nobody + crowd[a] + crowd[b]) * detour + board.length[route]
        if urgency > most:
            best, most = route, urgency
    return best, most


@inner
def best_last(board, game, seat):
    """Return the route that adds most to the final score at once, or NONE."""
    home, can, points = cards.homes(board, game, seat), payable(board, game, seat), board.points
    best, most = NONE, 0
    for route in range(len(can)):
        if can[route]:
            adds = points[route] + 2 * cards.joins(board, game, seat, home, route)
            if adds > most:
                best, most = route, adds
    return best
