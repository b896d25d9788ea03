"""Connections (5.3, 7.3) and the longest trail (7.2): the twin of ``domain.network``.

The longest trail is found by depth-first search. An open trail that cannot be made longer uses
every route at both of its ends, so these touch an odd number of the seat's routes; a closed one is
all that is connected. So the search starts at odd locations only. Each location but the two ends of
a trail touches an even number of its routes, and leaving out a route changes two locations: this
bounds what can still be reached. Networks of real games take some hundred steps. After ``STEPS``,
``domain.network`` takes over: it is slower in most networks, but soon ends in all of them.
"""

import numpy as np
from numba import objmode

from domain import network
from fogg_simulator.arrays import NONE, ONE, ZERO
from fogg_simulator.compiled import inner

STEPS = 100_000  # of the search for one seat, before it is given up


@inner
def find(group, location):
    while group[location] != location:
        group[location] = group[group[location]]
        location = group[location]
    return location


@inner
def join(group, a, b):
    group[find(group, a)] = find(group, b)


@inner
def connect(board, game, seat):
    """Fill ``group`` with the connected groups of locations by a seat's own routes."""
    for location in range(board.locations):
        game.group[location] = location
    for route in range(board.routes):
        if game.owner[route] == seat:
            join(game.group, board.a[route], board.b[route])


@inner
def longest_trail_length(board, game, seat):
    """Return the longest trail over a seat's routes, in trains (7.2); ``group`` connects them."""
    count, best = ZERO, ZERO
    game.degree[: board.locations] = 0
    for route in range(board.routes):
        if game.owner[route] == seat:
            game.mine[count] = route
            game.used[count] = 0
            count += 1
            game.degree[board.a[route]] += 1
            game.degree[board.b[route]] += 1
    game.steps = 0
    for piece in range(board.locations):
        if game.degree[piece] and find(game.group, piece) == piece:
            best = max(best, longest_in_piece(board, game, piece, count, best))
    if game.steps > STEPS:
        a, b, length, mine = board.a, board.b, board.length, game.mine[:count]
        with objmode(best="int64"):
            best = network.longest_trail_length(np.stack((a, b, length), axis=1)[mine].tolist())
    return best


@inner
def longest_in_piece(board, game, piece, count, best):
    """Return the longest trail in a connected piece, or ``best`` if that is longer."""
    total, shortest, odd = ZERO, ZERO, ZERO
    for i in range(count):
        route = game.mine[i]
        if find(game.group, board.a[route]) == piece:
            length = board.length[route]
            total += length
            shortest = length if shortest == 0 else min(shortest, length)
    for location in range(board.locations):
        odd += game.degree[location] & 1 and find(game.group, location) == piece
    if odd <= 2:
        return max(best, total)
    most = total - (odd - 2) // 2 * shortest
    for location in range(board.locations):
        if game.degree[location] & 1 and find(game.group, location) == piece:
            if best >= most:
                break
            best = longest_from(board, game, location, count, total, shortest, odd, best, most)
    return best


@inner
def longest_from(board, game, start, count, total, shortest, odd, best, most):
    """Return the length of the longest trail from a location, or ``best`` if that is longer.

    ``trail[depth]`` is a location, the length up to it, the place in ``mine`` of the route taken
    from it, and whether the way back from there was searched. ``odd`` counts the locations that
    touch an odd number of unused routes."""
    trail, degree = game.trail, game.degree
    depth = 0
    trail[0, 0], trail[0, 1], trail[0, 2] = start, 0, NONE
    while depth >= 0:
        at, length, i = trail[depth, 0], trail[depth, 1], trail[depth, 2]
        if i != NONE:  # back from the route taken: it is unused again
            route = game.mine[i]
            game.used[i] = 0
            odd += toggled(degree, board.a[route], ONE) + toggled(degree, board.b[route], ONE)
        elif length > best:
            best = length
        left_out = (odd - (degree[at] & 1)) // 2 * shortest
        game.steps += 1
        if total - left_out <= best or best >= most or game.steps > STEPS:
            i = count
        else:
            i += 1
            while i < count and (
                game.used[i] or (board.a[game.mine[i]] != at and board.b[game.mine[i]] != at)
            ):
                i += 1
        if i == count:
            depth -= 1
            continue
        route = game.mine[i]
        game.used[i] = 1
        odd += toggled(degree, board.a[route], -ONE) + toggled(degree, board.b[route], -ONE)
        trail[depth, 2] = i
        depth += 1
        trail[depth, 0] = board.a[route] + board.b[route] - at
        trail[depth, 1] = length + board.length[route]
        trail[depth, 2] = NONE
    return best


@inner
def toggled(degree, location, change):
    """Change a degree by one; return the change in the number of odd locations."""
    degree[location] += change
    return 1 if degree[location] & 1 else -1
