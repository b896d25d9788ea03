"""Drawing, paying, claiming, and the final score."""

from __future__ import annotations

import numpy as np

from workers.bots.position import FEW_TRAINS
from workers.bots.search.arrays import (
    DECK,
    DISCARDS,
    EXTRA,
    FINAL,
    MOST_STATIONS,
    NEEDED,
    NONE,
    OPEN,
    OTHER_EXTRA,
    OUTDATED,
    ROW,
    STALE,
    TURN,
)
from workers.bots.search.compiled import inner, outer
from workers.bots.search.rows import largest, same, total

TOO_MANY = 3  # wilds in the row (3.6)
ENOUGH = 10  # with fewer cards in deck and discards, such a row stays
TURNED = 3  # cards that a tunnel turns (4.4)
STEPS = 20_000  # steps after which the longest path found so far counts


@inner
def copy(to, game):
    """Copy one game's arrays into another."""
    same(to.owner, game.owner)
    same(to.trains, game.trains)
    same(to.scores, game.scores)
    same(to.deck, game.deck)
    same(to.discards, game.discards)
    same(to.row, game.row)
    same(to.pile, game.pile)
    same(to.counts, game.counts)
    same(to.gone, game.gone)
    for seat in range(len(game.trains)):
        same(to.hands[seat], game.hands[seat])
        same(to.held[seat], game.held[seat])
        same(to.needed[seat], game.needed[seat])
        same(to.extra[seat], game.extra[seat])
        same(to.plans[seat], game.plans[seat])
        same(to.stations[seat], game.stations[seat])


@inner
def top(game):
    """Take the top card of the deck; shuffle the discards into an empty deck first. NONE if there
    is no card."""
    if game.counts[DECK] == 0:
        if game.counts[DISCARDS] == 0:
            return NONE
        same(game.deck, game.discards)
        game.discards[:] = 0
        game.counts[DECK], game.counts[DISCARDS] = game.counts[DISCARDS], 0
    deck = game.deck
    left = np.random.randint(game.counts[DECK])
    color = 0
    while left >= deck[color]:
        left -= deck[color]
        color += 1
    deck[color] -= 1
    game.counts[DECK] -= 1
    return color


@inner
def discard(game, color, count):
    """Add cards to the discards."""
    game.discards[color] += count
    game.counts[DISCARDS] += count


@inner
def fill_row(game):
    """Fill the row; discard and refill it if it has too many wilds."""
    wild, row = len(game.deck) - 1, game.row
    for _ in range(TOO_MANY):
        wilds = 0
        for place in range(ROW):
            if row[place] == NONE:
                row[place] = top(game)
            wilds += row[place] == wild
        if wilds < TOO_MANY or game.counts[DECK] + game.counts[DISCARDS] < ENOUGH:
            return
        for place in range(ROW):
            if game.row[place] != NONE:
                discard(game, np.int64(game.row[place]), 1)
                game.row[place] = NONE
    for place in range(ROW):
        if game.row[place] == NONE:
            game.row[place] = top(game)


@inner
def draw_blind(game, seat):
    """Draw from the deck, if it has a card."""
    color = top(game)
    if color != NONE:
        game.hands[seat, color] += 1


@inner
def take(game, seat, color):
    """Take a card of the row."""
    for place in range(ROW):
        if game.row[place] == color:
            game.row[place] = NONE
            game.hands[seat, color] += 1
            break
    fill_row(game)


@inner
def claim(board, game, seat, route, color):
    """Claim a route with cards of a colour, and wilds for the rest. A tunnel may cost more, even
    more than the hand has."""
    length, wild = board.length[route], len(game.deck) - 1
    plain = 0 if color == wild else min(
        game.hands[seat, color], length - board.ferry[route])
    wilds = length - plain
    if board.tunnel[route]:
        asked = 0
        for _ in range(TURNED):
            card = top(game)
            if card != NONE:
                discard(game, card, 1)
                asked += card == wild or (plain > 0 and card == color)
        more = min(asked, game.hands[seat, color] - plain) if plain > 0 else 0
        if game.hands[seat, wild] - wilds < asked - more:
            return
        plain, wilds = plain + more, wilds + asked - more
    if plain > 0:
        game.hands[seat, color] -= plain
        discard(game, color, plain)
    game.hands[seat, wild] -= wilds
    discard(game, wild, wilds)
    own(board, game, seat, route)


@inner
def own(board, game, seat, route):
    """Give a route to a seat; plans that contain it become out of date."""
    game.owner[route] = seat
    game.trains[seat] -= board.trains[route]
    game.scores[seat] += board.points[route]
    twin = board.twin[route]
    for other in range(len(game.trains)):
        plan = game.plans[other]
        shut = twin if board.closed or other == seat else NONE
        left = 0
        for n in range(plan[NEEDED]):
            planned = game.needed[other, n]
            if planned == route or planned == shut:  # noqa: SIM109 (these are of two types)
                if other != seat:
                    plan[STALE] = OUTDATED
            else:
                game.needed[other, left] = planned
                left += 1
        plan[NEEDED] = left
        for n in range(plan[EXTRA]):
            if game.extra[other, n] == route or game.extra[other, n] == shut:
                plan[STALE] = max(plan[STALE], OTHER_EXTRA)
    game.plans[seat, STALE] = max(game.plans[seat, STALE], OTHER_EXTRA)


@inner
def end_turn(game):
    """Pass the turn to the next seat (2.3, 7.1)."""
    seats, seat = len(game.trains), game.counts[TURN]
    if game.counts[FINAL] != NONE:
        game.counts[FINAL] -= 1
    elif game.trains[seat] <= FEW_TRAINS:
        game.counts[FINAL] = seats - total(game.gone)
    for step in range(1, seats + 1):
        following = (seat + step) % seats
        if not game.gone[following]:
            game.counts[TURN] = following
            return


@inner
def find(home, place):
    """Return the representative of the places connected with this one."""
    while home[place] != place:
        home[place] = home[home[place]]
        place = home[place]
    return place


@inner
def homes(board, game, seat):
    """Return, for each place, its parent in the union-find forest."""
    a, b, owner = board.a, board.b, game.owner
    home = np.empty(len(board.first) - 1, np.int64)
    for place in range(len(home)):
        home[place] = place
    for route in range(len(a)):
        if owner[route] == seat:
            home[find(home, a[route])] = find(home, b[route])
    return home


@inner
def joins(board, game, seat, home, route):
    """Return the points of the tickets that a route completes."""
    a, b = find(home, board.a[route]), find(home, board.b[route])
    points, held = 0, game.held[seat]
    if a != b:
        ticket_a, ticket_b, worth = board.ticket_a, board.ticket_b, board.ticket_points
        for ticket in range(len(held)):
            if held[ticket]:
                one, other = find(home, ticket_a[ticket]), find(home, ticket_b[ticket])
                if (one == a and other == b) or (one == b and other == a):
                    points += worth[ticket]
    return points


@outer
def count_up(board, game):
    """Compute the totals; stations lend the route that completes most, one after the other."""
    longest = np.zeros(len(game.trains), np.int32)
    ticket_a, ticket_b, worth = board.ticket_a, board.ticket_b, board.ticket_points
    for seat in range(len(game.trains)):
        held = game.held[seat]
        home = homes(board, game, seat)
        if board.longest_path:
            longest[seat] = longest_path(board, game, seat, home)
        game.totals[seat] = game.scores[seat] + _districts(board, home)
        for n in range(MOST_STATIONS):
            if game.stations[seat, n] != NONE:
                _lend(board, game, seat, home, game.stations[seat, n])
        for ticket in range(len(held)):
            if held[ticket]:
                done = find(home, ticket_a[ticket]) == find(home, ticket_b[ticket])
                game.totals[seat] += worth[ticket] if done else -worth[ticket]
    if board.longest_path:
        most = largest(longest)
        for seat in range(len(game.trains)):
            if 0 < longest[seat] == most:
                game.totals[seat] += board.longest_path


@inner
def _districts(board, home):
    """Return the points of the districts that are connected."""
    points = 0
    for district in range(len(board.district_points)):
        one, whole = NONE, True
        for place in range(len(board.district)):
            if board.district[place] == district:
                at = find(home, place)
                whole = whole and (one == NONE or one == at)  # noqa: SIM109 (of two types)
                one = at
        if one != NONE and whole:
            points += board.district_points[district]
    return points


@inner
def _lend(board, game, seat, home, place):
    """Connect the best of the others' routes at a station (6.2)."""
    best, most = NONE, 0
    for n in range(board.first[place], board.first[place + 1]):
        route = board.by[n]
        if game.owner[route] != OPEN and game.owner[route] != seat:
            points = joins(board, game, seat, home, route)
            if points > most:
                best, most = route, points
    if best != NONE:
        home[find(home, board.a[best])] = find(home, board.b[best])


@inner
def longest_path(board, game, seat, home):
    """Return the trains of a seat's longest path, a trail that takes no route twice (9.5)."""
    first, neighbour, by, lengths, owner = (
        board.first, board.neighbour, board.by, board.length, game.owner)
    places = len(first) - 1
    degrees, count = np.zeros(places, np.int32), 0
    for route in range(len(owner)):
        if owner[route] == seat:
            degrees[board.a[route]] += 1
            degrees[board.b[route]] += 1
            count += 1
    at, came = np.empty(count + 1, np.int32), np.empty(count + 1, np.int32)
    following = np.empty(count + 1, np.int32)
    used = np.zeros(len(owner), np.bool_)
    is_uneven = np.zeros(places, np.bool_)
    for place in range(places):
        if degrees[place] % 2:
            is_uneven[find(home, place)] = True
    best = steps = 0
    for start in range(places):
        if degrees[start] == 0 or (degrees[start] % 2 == 0 and is_uneven[find(home, start)]):
            continue  # a longest trail starts at an odd number of routes, if there is one
        depth, length = 0, 0
        at[0], following[0] = start, first[start]
        while depth >= 0:
            steps += 1
            if steps > STEPS:
                return best
            n, last = following[depth], first[at[depth] + 1]
            while n < last and (owner[by[n]] != seat or used[by[n]]):
                n += 1
            following[depth] = n + 1
            if n < last:
                route = by[n]
                used[route] = True
                length += lengths[route]
                best = max(best, length)
                depth += 1
                at[depth], came[depth] = neighbour[n], route
                following[depth] = first[at[depth]]
            else:
                if depth > 0:
                    used[came[depth]] = False
                    length -= lengths[came[depth]]
                depth -= 1
    return best
