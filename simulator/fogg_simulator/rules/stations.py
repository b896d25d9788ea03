"""Stations, and routes that they borrow (6): the twin of ``domain.rules.stations``."""

from fogg_simulator.arrays import COMPLETED, NONE, STATIONS, TICKETS
from fogg_simulator.compiled import copy, inner
from fogg_simulator.rules import network, paying, taking
from fogg_simulator.rules.outcomes import PAID

UNUSED = 4  # points for each that was not built (6.3)


@inner
def build_station(board, game, location, color, wilds):
    """Build a station; the first costs one card, the second two of a colour, and so on (6.1)."""
    seat = game.turn
    count = game.built[seat] + 1
    taking.lay_set(board, game, seat, count, color, wilds)
    paying.pay(board, game.hands[seat], game.discards, count, color, wilds)
    game.stations[seat, count - 1] = location
    game.built[seat] = count
    game.passes, game.idle = 0, 0
    return PAID


@inner
def add_stations(board, game, mask):
    """Mark every way for the seat on turn to build a station (6.1)."""
    seat = game.turn
    count = game.built[seat] + 1
    if count > board.stations:
        return
    first = board.build + paying.sets_before(board, count)
    for location in range(board.locations):
        if not has_station(board, game, location):
            paying.add_sets(board, game.hands[seat], count, mask, first)
        first += board.builds


@inner
def has_station(board, game, location):
    for seat in range(board.seats):
        for i in range(game.built[seat]):
            if game.stations[seat, i] == location:
                return True
    return False


@inner
def borrow(board, game, seat):
    """Choose the routes that the seat's stations borrow: for the most points from tickets, then the
    most tickets (6.2). ``group`` has the seat's own connections; the result is corrected.

    Every choice of one route, or none, for each station is tried, like the digits of a number,
    until all tickets are completed."""
    built, choice = game.built[seat], game.choice
    best_points, best_count, wanted = 0, 0, 0
    for ticket in range(board.tickets):
        wanted += game.holder[ticket] == seat and (
            network.find(game.group, board.ticket_a[ticket])
            != network.find(game.group, board.ticket_b[ticket])
        )
    choice[:built] = NONE
    while best_count < wanted:
        station = 0
        while station < built:
            choice[station] = next_route(
                board, game, seat, game.stations[seat, station], choice[station]
            )
            if choice[station] != NONE:
                break
            station += 1
        if station == built:
            break
        copy(game.lent, game.group)
        for i in range(built):
            if choice[i] != NONE:
                network.join(game.lent, board.a[choice[i]], board.b[choice[i]])
        points, count = 0, 0
        for ticket in range(board.tickets):
            if game.holder[ticket] == seat:
                a, b = board.ticket_a[ticket], board.ticket_b[ticket]
                if network.find(game.group, a) != network.find(game.group, b) and network.find(
                    game.lent, a
                ) == network.find(game.lent, b):
                    points += board.ticket_points[ticket]
                    count += 1
        if points > best_points or (points == best_points and count > best_count):
            best_points, best_count = points, count
    game.result[seat, TICKETS] += 2 * best_points
    game.result[seat, COMPLETED] += best_count


@inner
def next_route(board, game, seat, location, route):
    """Return the next route that a station may lend and that connects anything new, or NONE."""
    for other in range(route + 1, board.routes):
        a, b = board.a[other], board.b[other]
        if (
            game.owner[other] != NONE
            and game.owner[other] != seat
            and (a == location or b == location)
            and network.find(game.group, a) != network.find(game.group, b)
        ):
            return other
    return NONE


@inner
def score(board, game):
    for seat in range(board.seats):
        game.result[seat, STATIONS] = UNUSED * (board.stations - game.built[seat])
