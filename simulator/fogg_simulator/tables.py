"""A board's table as a record of numbers, and its numbered actions."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from domain.board.board import Board
from domain.board.parts import GREY, REMOVED
from domain.rules import districts, ferries, flags, tunnels
from fogg_simulator import arrays
from fogg_simulator.limits import NotCompiled, most_offered, refusal

MAX_EXTRA = 3  # cards that a tunnel may ask for
Way = tuple[int, int, int, int, int]  # a kind of ``fold``, and its numbers


@dataclass(frozen=True)
class Tables:
    """A board's record (an array of length 1), and its actions, one row each."""

    record: arrays.Records
    ways: NDArray[np.int16]


def tables(board: Board, seats: int, size: arrays.Sizes) -> Tables:
    """Return a board's record and actions; raise NotCompiled where ``refusal`` says why."""
    if why := board.once(refusal):
        raise NotCompiled(why)
    records = np.zeros(1, arrays.board_type(size))
    record = records[0]
    rules, settings, place = board.ruleset, board.settings, board.location_index
    start, turn = board.tickets_at_start, board.tickets_on_a_turn
    stations = settings.get("stations", 0) if rules.has("stations") else 0
    in_districts = board.once(districts.districts) if rules.has("districts") else {}
    numbers = {
        "seats": seats,
        "colors": len(board.colors),
        "wild": len(board.colors) - 1,
        "locations": len(board.locations),
        "routes": len(board.routes),
        "tickets": len(board.tickets),
        "hand": board.hand,
        "trains": board.trains,
        "start_long": start.long,
        "start_deal": start.deal,
        "start_keep": start.keep,
        "turn_deal": turn.deal,
        "turn_keep": turn.keep,
        "refused_removed": board.refused_at_start == REMOVED,
        "doubles_closed": seats in board.doubles_closed_for,
        "longest_path_bonus": settings.get("longest_path_bonus", 0),
        "globetrotter_bonus": settings.get("globetrotter_bonus", 0),
        "stations": stations,
        "has_flags": rules.has("flags"),
        "districts": len(in_districts),
        "tie_breaks": len(board.tie_breaks),
    }
    for name, number in numbers.items():
        record[name] = number
    rows = {
        "a": [place[r.a] for r in board.routes],
        "b": [place[r.b] for r in board.routes],
        "length": board.lengths,
        "color": [
            arrays.NONE if r.color == GREY else board.color_index[r.color] for r in board.routes
        ],
        "points": [board.points[r.length] for r in board.routes],
        "twin": [arrays.NONE if r.twin is None else r.twin for r in board.routes],
        "ferry": [rules.has("ferries") and ferries.wilds_of(r) for r in board.routes],
        "tunnel": [rules.has("tunnels") and tunnels.is_tunnel(r) for r in board.routes],
        "ticket_a": [place[t.a] for t in board.tickets],
        "ticket_b": [place[t.b] for t in board.tickets],
        "ticket_points": [t.points for t in board.tickets],
        "ticket_long": [t.long for t in board.tickets],
        "district": [
            next(
                (n for n, places in enumerate(in_districts.values()) if at.id in places),
                arrays.NONE,
            )
            for at in board.locations
        ],
        "district_points": [*in_districts],
        "flag_color": [board.color_index[c] for c in flags.FLAG] if rules.has("flags") else [],
        "tie_break": [arrays.RESULT.index(name) for name in board.tie_breaks],
        "count": [*board.cards.values()],
    }
    kinds = [*zip(rows["length"], rows["color"], rows["ferry"], strict=True)]
    rows["kind"] = [sorted({*kinds}).index(kind) for kind in kinds]
    rows["by_kind"] = sorted(range(len(kinds)), key=kinds.__getitem__)
    for name, row in rows.items():
        record[name][: len(row)] = row
    return Tables(records, _number_actions(board, record, stations))


def _number_actions(board: Board, record: np.void, stations: int) -> NDArray[np.int16]:
    """Return every action that the board may allow; note the first of each kind."""
    wild = len(board.colors) - 1
    ways: list[Way] = [(arrays.DRAW, int(arrays.NONE), 0, 0, 0)]
    record["draw_row"] = len(ways)
    ways += [(arrays.DRAW, color, 0, 0, 0) for color in range(wild + 1)]
    record["draw_tickets"] = len(ways)
    ways.append((arrays.DRAW_TICKETS, 0, 0, 0, 0))
    record["keep"] = len(ways)
    ways += [(arrays.KEEP, kept, 0, 0, 0) for kept in range(1 << most_offered(board))]
    for number, route in enumerate(board.routes):
        record["first_claim"][number] = len(ways)
        colors = [*range(wild)] if route.color == GREY else [board.color_index[route.color]]
        ways += [(arrays.CLAIM, number, c, k, 0) for c in colors for k in range(route.length)]
        ways.append((arrays.CLAIM, number, wild, route.length, 0))
        if board.ruleset.has("flags") and route.color in flags.FLAG:
            ways += [(arrays.CLAIM, number, colors[0], k, 1) for k in range(route.length)]
    record["build"] = len(ways)
    builds = [way for count in range(1, stations + 1) for way in _sets(wild, count)]
    record["builds"] = len(builds)
    ways += [(arrays.BUILD, place, *way) for place in range(len(board.locations)) for way in builds]
    if board.ruleset.has("tunnels"):
        record["pay"] = len(ways)
        ways += [
            (arrays.PAY, 0, c, k, n)
            for count in range(1, MAX_EXTRA + 1)
            for c, k, n in _sets(wild, count)
        ]
        record["withdraw"] = len(ways)
        ways.append((arrays.WITHDRAW, 0, 0, 0, 0))
    record["do_pass"] = len(ways)
    ways.append((arrays.PASS, 0, 0, 0, 0))
    record["actions"] = len(ways)
    ways += [(arrays.RESIGN, seat, 0, 0, 0) for seat in range(record["seats"])]  # of no mask
    return np.array(ways, np.int16)


def _sets(wild: int, count: int) -> Iterator[tuple[int, int, int]]:
    """Yield (colour, wilds, count) of all sets, in the order of ``paying.set_index``."""
    yield from ((color, wilds, count) for color in range(wild) for wilds in range(count))
    yield wild, count, count
