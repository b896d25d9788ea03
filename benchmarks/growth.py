"""What a request, and doing nothing, costs as stored games grow.

The yardstick is the same service with the fewest games, measured by turns with the one that grows.
What counts is processor time, of the web process and of Redis together, as the disk has a time of
its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from functools import partial
from itertools import cycle

import click

from benchmarks.compare import by_turns, ratio, show
from benchmarks.copies import fill
from benchmarks.http import GAMES, Couple
from benchmarks.temporary import processor_seconds, service, used
from benchmarks.wire import drive, get
from domain.board.board import Board
from domain.boards import load_folder
from service.operation.redis import connect
from service.operation.stack import Stack
from service.store.games import GameStore

AT_MOST = 1.2
SIZES = (1_000, 10_000, 100_000)
QUIET = 10  # seconds in which nothing is asked
JOINS = 40  # for each connection and turn
SETTLE = 5  # seconds after many games came, in which the service files what is new to it


def measure(
    sizes: tuple[int, ...] = SIZES, rounds: int = 3, seconds: float = 2.0, clients: int = 8
) -> dict:
    """Return the processor time that requests take beside so many stored games, against that beside
    the fewest."""
    board = load_folder()["usa"]
    rows, figures = [], {}
    with service() as few, service() as many:
        _fill(few, board, 0, sizes[0])
        old, new = (Asking(stack, board, seconds, clients) for stack in (few, many))
        stored = 0
        for size in sizes:
            memory = _fill(many, board, stored, size)
            stored = size
            figures[f"{size:,} games, Redis' memory, MB"] = memory / 1e6
            for what in old.kinds:
                ours, yardstick = by_turns(rounds, partial(new.cost, what), partial(old.cost, what))
                rows.append(ratio(f"{what}, {size:,} games", UNITS.get(what, "ms a request"),
                                  ours, yardstick, at_most=AT_MOST))
    return {"benchmark": "growth", "yardstick": f"the same beside {sizes[0]:,} games",
            "ratios": rows, "figures": figures}


IDLE = "doing nothing"
UNITS = {IDLE: "ms a second"}


class Asking:
    """Requests of several kinds to one service, and what they cost it."""

    def __init__(self, stack: Stack, board: Board, seconds: float, clients: int):
        self._stack, self._seconds = stack, seconds
        players, visitors, readers = (
            [Couple(stack.url, board) for _ in range(clients)] for _ in range(3))
        for couple in readers:
            couple.requests(1)  # a game that waits for them
        self._tokens = [couple.tokens[0] for couple in readers]
        self.kinds: dict[str, Callable[[], list[Iterable[bytes]]]] = {
            "an action": lambda: [couple.requests(GAMES) for couple in players],
            "joining": lambda: [couple.joins(JOINS) for couple in visitors],
            "a page of games": lambda: self._always("/v1/games"),
            "a page of lobbies": lambda: self._always("/v1/games?status=lobby"),
            "a page of a player's games": lambda: self._always("/v1/games?player=me"),
            "the notices of an account": lambda: self._always("/v1/me/events"),
            IDLE: list,
        }

    def cost(self, what: str) -> float:
        """Return the milliseconds of processor time that a request takes, or a second idle."""
        scripts, before = self.kinds[what](), self._used()
        if not scripts:
            time.sleep(QUIET)
            return 1000 * (self._used() - before) / QUIET
        answers = len(drive(self._stack.url, scripts, self._seconds).latencies)
        return 1000 * (self._used() - before) / answers

    def _always(self, path: str) -> list[Iterable[bytes]]:
        return [cycle([get(path, Authorization=f"Bearer {token}")]) for token in self._tokens]

    def _used(self) -> float:
        return processor_seconds(self._stack) + used(self._stack.redis.pid)


def _fill(stack: Stack, board: Board, start: int, end: int) -> int:
    """Store games; return the bytes of Redis' memory once the service has seen to them."""
    with connect(stack.redis.url) as redis:
        redis.config_set("appendfsync", "no")  # what is stored is the same, and sooner
        fill(GameStore(redis, {board.id: board}), board, start, end)
        redis.config_set("appendfsync", "always")
        redis.bgrewriteaof()  # it would begin by itself, amid the turns
        time.sleep(SETTLE)
        while redis.info("persistence")["aof_rewrite_in_progress"]:
            time.sleep(1)
        return redis.info("memory")["used_memory"]


@click.command()
@click.option("--sizes", default=",".join(map(str, SIZES)), show_default=True,
              help="How many games are stored, one after the other.")
@click.option("--rounds", default=3, show_default=True, help="How often each service has its turn.")
@click.option("--seconds", default=2.0, show_default=True, help="How long a turn lasts, at most.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(sizes: str, rounds: int, seconds: float, as_json: bool) -> None:
    """Compare requests beside many stored games with requests beside few.

    \b
    Example:
      python -m benchmarks.growth --sizes 1000,10000
    """
    show(measure(tuple(map(int, sizes.split(","))), rounds, seconds), as_json)


if __name__ == "__main__":
    main()
