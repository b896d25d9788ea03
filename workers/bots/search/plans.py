"""The plan of a seat: the routes that it needs, and routes for points."""

from __future__ import annotations

import numpy as np

from workers.bots.search import cards, ways
from workers.bots.search.arrays import (
    ANY,
    EXTRA,
    FRESH,
    MOST_EXTRA,
    NEEDED,
    NONE,
    OPEN,
    OUTDATED,
    STALE,
)
from workers.bots.search.compiled import inner
from workers.bots.search.rows import largest
from workers.bots.search.style import BLOCK, FOR_EXTRA, FOR_NEEDED, FOR_NOTHING, LINK, RATE, WILD

CONNECTS, GOES_ON = 3.0, 1.0  # weights of the signs that a rival wants a route


@inner
def refresh(board, game, seat):
    """Bring a seat's plan up to date."""
    if game.plans[seat, STALE] == OUTDATED:
        plan(board, game, seat)
    elif game.plans[seat, STALE] != FRESH or game.plans[seat, EXTRA] == 0:
        plan_extra(board, game, seat)


@inner
def plan(board, game, seat):
    """Make a new plan of a seat's routes."""
    costs = ways.costs_of(board, game, seat, ways.crowds(board, game, seat))
    tickets = np.empty(len(board.ticket_a), np.int32)
    tickets = tickets[: ways.held_by(game, seat, tickets)]
    _, is_needed = ways.connect(board, game, seat, tickets, costs, ways.turns_left(game, seat))
    lengths, needed = board.length, game.needed[seat]
    count = 0
    for length in range(largest(lengths), 0, -1):
        for route in range(len(is_needed)):
            if is_needed[route] and lengths[route] == length:
                needed[count] = route
                count += 1
    game.plans[seat, NEEDED] = count
    plan_extra(board, game, seat)


@inner
def plan_extra(board, game, seat):
    """Make a new plan of a seat's routes for points: those with many points per turn, as far as
    trains last."""
    a, b, takes, twins, colors, saved, ferry, points, owner = (
        board.a, board.b, board.trains, board.twin, board.color, board.cards, board.ferry,
        board.points, game.owner)
    style, extra = game.style[seat], game.extra[seat]
    needed = game.needed[seat, : game.plans[seat, NEEDED]]
    trains = game.trains[seat]
    is_joined = np.zeros(len(board.first) - 1, np.int32)
    is_out = ~ways.open_to(board, game, seat)
    for route in range(len(a)):
        if owner[route] == seat:
            is_joined[a[route]] = is_joined[b[route]] = 1
    for route in needed:
        trains -= takes[route]
        is_joined[a[route]] = is_joined[b[route]] = 1
        is_out[route] = True
        if twins[route] != NONE:
            is_out[twins[route]] = True
    rest = game.hands[seat].copy()
    ways.share_out(board, rest, needed, len(needed))
    spare = rest.copy()
    link, rated = (style[LINK] if board.longest_path else 0.0), style[RATE]
    block = style[BLOCK]
    bonus = blocks(board, game, seat) if block > 0 else np.zeros(1)
    count = 0
    while count < MOST_EXTRA:
        best, most, plain = NONE, -np.inf, ways.most_held(spare)
        for route in range(len(a)):
            if is_out[route] or takes[route] > trains:
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
        trains -= takes[best]
        is_joined[a[best]] = is_joined[b[best]] = 1
        is_out[best] = True
        if twins[best] != NONE:
            is_out[twins[best]] = True
        spare = rest.copy()
        ways.share_out(board, spare, extra, count)
    game.plans[seat, EXTRA] = count
    game.plans[seat, STALE] = FRESH


@inner
def blocks(board, game, seat):
    """Return how much rivals seem to want each route: more if it connects two parts of their
    network, less if it extends one end."""
    worth = np.zeros(len(board.a))
    a, b, owner = board.a, board.b, game.owner
    for rival in range(len(game.trains)):
        if rival == seat or game.gone[rival]:
            continue
        home = cards.homes(board, game, rival)
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


@inner
def shares(board, game, seat):
    """Return colours and missing cards of the needed routes, then of the extra ones."""
    spare, plan = game.hands[seat].copy(), game.plans[seat]
    color, short = ways.share_out(board, spare, game.needed[seat], plan[NEEDED])
    colors, shorts = ways.share_out(board, spare, game.extra[seat], plan[EXTRA])
    return color, short, colors, shorts


@inner
def color_for(board, game, seat, route):
    """Return the payment colour that costs the rest of the plan least; the wild if nothing else is
    held. The seat can pay."""
    if board.color[route] != ANY:
        return board.color[route]
    color, _, colors, _ = shares(board, game, seat)
    hand, style = game.hands[seat], game.style[seat]
    needed, extra = game.needed[seat], game.extra[seat]
    price = np.full(len(hand), style[FOR_NOTHING])
    for n in range(len(colors)):
        if extra[n] != route:
            price[colors[n]] = style[FOR_EXTRA]
    for n in range(len(color)):
        if needed[n] != route:
            price[color[n]] = style[FOR_NEEDED]
    length, most = board.length[route], board.length[route] - board.ferry[route]
    best, least = len(price) - 1, np.inf
    for plain in range(len(price) - 1):
        held = min(hand[plain], most)
        wilds = length - held
        bill = held * price[plain] + wilds * style[WILD]
        if wilds <= hand[-1] and bill < least:
            best, least = plain, bill
    return best
