"""The longest trail (7.2) on the hardest networks that one player can build, against trying all."""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from time import process_time

from benchmarks.compare import by_turns, ratio, show
from domain.board.board import Board
from domain.boards import load_folder
from domain.network import Route, longest_trail

TURNS = 9  # how often each search is timed
CAP = 2.0  # seconds until the plain search gives up
CLIMBS = 4


def measure(rounds: int = 3000, seed: int = 7) -> dict:
    """Return milliseconds for the hardest networks found on each board, against a plain search.

    There is one that is hard for ours and one that is hard for the plain search. ``rounds`` is how
    many networks are tried for each, all chosen by ``seed``. Where the plain search gave up, its
    time is only what it had taken by then, and the ratio is less than shown.
    """
    rows = [_compared(f"{board.id}, {hard}", _hardest(board, effort, rounds, random.Random(seed)))
            for board in load_folder().values()
            for hard, effort in (("most calls", _calls), ("most cycles", _cycles))]
    return {"benchmark": "longest trail", "yardstick": "trying all trails", "ratios": rows}


def _compared(network: str, routes: list[Route]) -> dict:
    """Return the row of a network: what it is, and the time that the two searches take."""
    length, _ = longest_trail(routes)
    plain = _plain_search(routes)
    if plain not in (None, length):
        raise AssertionError(f"{length}, but the plain search found {plain}: {routes}")
    ours, yardstick = by_turns(TURNS if plain else 1, lambda: _milliseconds(longest_trail, routes),
                               lambda: _milliseconds(_plain_search, routes))
    sizes = {"trains": sum(length for _, _, length in routes), "routes": len(routes),
             "trail": length}
    what = ", ".join([network, *(f"{name} {size}" for name, size in sizes.items())])
    row = ratio(what if plain else f"{what} (gave up)", "ms", ours, yardstick)
    return row | {"network": network, "gave_up": plain is None} | sizes


def _milliseconds(search: Callable, routes: list[Route]) -> float:
    start = process_time()  # of this process alone: others may be busy
    search(routes)
    return (process_time() - start) * 1000


def _plain_search(routes: Sequence[Route]) -> int | None:
    """Return the length of the longest trail, having tried all; None if that takes too long."""
    ways, used, deadline = defaultdict(list), set(), process_time() + CAP
    for route, (a, b, length) in enumerate(routes):
        ways[a].append((route, b, length))
        ways[b].append((route, a, length))

    def furthest(location: str) -> int:
        if process_time() > deadline:
            raise TimeoutError
        best = 0
        for route, there, length in ways[location]:
            if route not in used:
                used.add(route)
                best = max(best, length + furthest(there))
                used.remove(route)
        return best

    try:
        return max(furthest(location) for location in list(ways))
    except TimeoutError:
        return None


def _hardest(
    board: Board, effort: Callable[[list[Route]], int], rounds: int, chance: random.Random
) -> list[Route]:
    """Return the routes of the network of the greatest effort, of those tried.

    It is found by climbing, several times from the start: change some routes, keep what is no
    easier.
    """
    def tried(network: list[int]) -> tuple[int, list[Route], list[int]]:
        routes = [(r.a, r.b, r.length) for r in map(board.routes.__getitem__, network)]
        return effort(routes), routes, network

    def climb() -> tuple[int, list[Route], list[int]]:
        top = tried(_changed(board, [], chance))
        for _ in range(rounds // CLIMBS):
            top = max(tried(_changed(board, top[2], chance)), top, key=lambda found: found[0])
        return top

    return max((climb() for _ in range(CLIMBS)), key=lambda found: found[0])[1]


def _changed(board: Board, network: list[int], chance: random.Random) -> list[int]:
    """Return a network without a few of the routes, and with as many others as there are trains.

    New routes touch the network if any can. One player never has both tracks of a double (4.2).
    """
    network = chance.sample(network, max(0, len(network) - chance.randint(1, 4)))
    left = board.trains - sum(board.lengths[route] for route in network)
    while fitting := [route for route, facts in enumerate(board.routes) if facts.length <= left
                      and route not in network and facts.twin not in network]:
        places = {place for route in network
                  for place in (board.routes[route].a, board.routes[route].b)}
        touching = [route for route in fitting
                    if not places.isdisjoint((board.routes[route].a, board.routes[route].b))]
        network.append(chance.choice(touching or fitting))
        left -= board.lengths[network[-1]]
    return network


def _cycles(routes: list[Route]) -> int:
    """Return how many more routes there are than locations: what a plain search suffers from."""
    return len(routes) - len({end for route in routes for end in route[:2]})


def _calls(routes: list[Route]) -> int:
    """Return how many calls our search makes: unlike its time, the same on every machine."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        longest_trail(routes)
    finally:
        sys.setprofile(None)
    return calls


def main() -> None:
    """Print the table, or its JSON."""
    options = argparse.ArgumentParser(prog="python -m benchmarks.longest_trail",
                                      description=__doc__)
    options.add_argument("--rounds", type=int, default=3000,
                         help="how many networks to try on each board (default: %(default)s)")
    options.add_argument("--seed", type=int, default=7,
                         help="chooses the networks (default: %(default)s)")
    options.add_argument("--json", action="store_true", help="print the result as JSON")
    asked = options.parse_args()
    show(measure(asked.rounds, asked.seed), asked.json)


if __name__ == "__main__":
    main()
