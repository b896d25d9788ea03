"""The plans of seats in a playout, and scratch memory, as records of numbers."""

import numpy as np
from fogg_simulator.arrays import NONE, Records, Sizes
from numpy.typing import NDArray

from workers.bots.search.styles import PARAMETERS, SIGNS

MAX_NEEDED, MAX_EXTRA, MAX_LENT = 60, 10, 4  # routes in a plan
MAX_TICKETS = 30  # of a seat, that are planned
SETS = 240  # of tickets that rivals may hold, of all rivals together

ALL = slice(None)
Mind = np.void  # the record of one game, of ``mind_type``
# The state of a plan: up to date, with outdated extra routes, or outdated as a whole
UP_TO_DATE, OTHER_EXTRA, OUTDATED = map(np.int64, range(3))


def mind_type(size: Sizes) -> np.dtype[np.void]:
    """Return the type of the record that goes with a game. It has a row for each seat's plan: the
    routes that are ``needed`` for tickets, ``extra`` ones for points, and those that stations are
    to make ``lent``. ``stale`` is what of the plan is out of date. ``stake`` is how many points the
    tickets have that it completes, ``turns`` how many turns it takes. ``sated`` says that no ticket
    was found to be worth a turn."""
    seats = size.seats
    return np.dtype(
        [
            ("needed", np.int64, (seats, MAX_NEEDED)),
            ("needed_count", np.int64, (seats,)),
            ("extra", np.int64, (seats, MAX_EXTRA)),
            ("extra_count", np.int64, (seats,)),
            ("lent", np.int64, (seats, MAX_LENT)),
            ("lent_count", np.int64, (seats,)),
            ("stale", np.int64, (seats,)),
            ("sated", np.int64, (seats,)),
            ("stake", np.float64, (seats,)),
            ("turns", np.float64, (seats,)),
        ],
        align=True,
    )


def room_type(size: Sizes) -> np.dtype[np.void]:
    """Return the type of the room to work in. It begins with the board as a graph: from
    ``first[place]`` up to ``first[place + 1]``, ``neighbour`` and ``by`` list where one gets from a
    place and by which route. ``cards`` are those to save for a route. ``mean_length`` is that of
    the routes. ``style`` is how the seat on turn plays in this position, which has these ``signs``.
    ``stake`` are the points of the tickets that ``ways.connect`` completes. ``sets`` is how many
    sets of tickets are guessed of each rival."""
    routes, places, tickets, colors = size.routes, size.locations, size.tickets, size.colors
    of_sets = size.seats, SETS
    both = 2  # needed and extra routes have rows of their own
    return np.dtype(
        [
            ("first", np.int64, (places + 1,)),
            ("neighbour", np.int64, (2 * routes,)),
            ("by", np.int64, (2 * routes,)),
            ("cards", np.int64, (routes,)),
            ("mean_length", np.float64),
            ("stake", np.float64),
            ("style", np.float64, (PARAMETERS,)),
            ("signs", np.float64, (SIGNS,)),
            # by route
            ("costs", np.float64, (routes,)),
            ("thrifty", np.float64, (routes,)),
            ("left", np.float64, (routes,)),
            ("gain", np.float64, (routes,)),
            ("laid", np.int64, (routes,)),
            ("other", np.int64, (routes,)),
            ("needs", np.int64, (routes,)),
            ("routes", np.int64, (routes,)),
            ("is_out", np.int64, (routes,)),
            ("worth", np.float64, (routes,)),
            # by place
            ("far", np.float64, (places,)),
            ("came", np.int64, (places,)),
            ("reached", np.int64, (places,)),
            ("crowd", np.int64, (places,)),
            ("joined", np.int64, (places,)),
            # by ticket
            ("held", np.int64, (tickets,)),
            ("wanted", np.int64, (tickets,)),
            ("prices", np.float64, (tickets,)),
            ("order", np.int64, (tickets,)),
            ("hopes", np.float64, (tickets,)),
            ("likely", np.float64, (tickets,)),
            ("rest", np.float64, (tickets,)),
            # by rival and set: its tickets, its weight, and the routes that it needs
            ("sets", np.int64),
            ("set_tickets", np.int64, (*of_sets, tickets)),
            ("set_weight", np.float64, of_sets),
            ("set_needs", np.int64, (*of_sets, MAX_NEEDED)),
            ("set_needs_count", np.int64, of_sets),
            ("weight", np.float64, (SETS,)),  # of the sets of one rival
            # by colour
            ("hand", np.int64, (colors,)),
            ("spare", np.int64, (colors,)),
            ("value", np.float64, (colors,)),
            # of a plan: the colour that pays for a route, and the cards that it lacks
            ("paid", np.int64, (both, MAX_NEEDED)),
            ("short", np.int64, (both, MAX_NEEDED)),
        ],
        align=True,
    )


def new_room(record: np.void, size: Sizes) -> Records:
    rooms = np.zeros(1, room_type(size))
    room, routes = rooms[0], range(record["routes"])
    around: list[list[tuple[int, int]]] = [[] for _ in range(record["locations"])]
    for route in routes:
        a, b = int(record["a"][route]), int(record["b"][route])
        around[a].append((b, route))
        around[b].append((a, route))
    room["first"][1 : len(around) + 1] = np.cumsum([len(row) for row in around])
    pairs = [pair for row in around for pair in row]
    room["neighbour"][: len(pairs)], room["by"][: len(pairs)] = zip(*pairs, strict=True)
    room["sets"] = SETS // (int(record["seats"]) - 1)
    room["cards"] = record["length"] + (record["tunnel"] > 0)
    room["mean_length"] = record["length"][: len(routes)].mean()
    return rooms


def new_minds(count: int, size: Sizes) -> Records:
    minds = np.zeros(count, mind_type(size))
    forget(minds)
    return minds


def forget(minds: Records) -> None:
    minds[:] = 0
    minds["lent"] = NONE
    renew_plans(minds)


def renew_plans(
    minds: Records, which: NDArray[np.bool_] | slice = ALL, seat: int | slice = ALL
) -> None:
    """Mark plans as outdated, so that they are made again at the next decision: in all games or in
    some, of all seats or of one. The old plans are kept until then, as the signs are taken from
    them."""
    minds["stale"][which, seat], minds["sated"][which, seat] = OUTDATED, 0
