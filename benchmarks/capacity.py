"""Measures an action, an entry sent to a watcher and an open stream, and estimates the capacity of
many processes from that.

The yardstick is one web process. It is compared with two processes on one port; with the worst
case, in which each action of a game reaches another process than the one before; and with one
process on a Redis Cluster of six.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from benchmarks.http import GAMES, Couple
from benchmarks.runner import Clients, Rounds, Seconds, by_turns, command, ratio
from benchmarks.services import cluster_service, processor_seconds, same_server, service
from benchmarks.streams import idle_streams, open_streams
from benchmarks.wire import drive
from domain.boards import load_folder
from service import settings
from service.operation.stack import Stack
from service.operation.starting import APP
from tests import processes

WATCHERS, IDLE, MORE = 5, 500, 6
IDLE_SECONDS = 10.0
# The estimate assumes that each process has a core and uses this share of it, that a game has an
# action every PACE seconds and AUDIENCE watchers, and that a process holds HELD streams. A cluster
# of six has three masters, each with a replica.
SHARE, PACE, AUDIENCE, HELD = 0.7, 5.0, 2, 1_000
# A finished game, by `python -m benchmarks.archive`: its entries, its bytes in Redis before and
# after archiving (its own key; with all lists and records if its players come again, by `python -m
# benchmarks.remains`), its bytes in the archive, and the milliseconds of a core for archiving it.
ENTRIES, BEFORE, OWN, AFTER, ARCHIVED, MOVING = 150, 108_000, 226, 286, 5_700, 46
LOOK = 300  # seconds between two runs of the archiver
MONTH = 30 * 86_400
SIZES = {"1 web process, 1 Redis": (1, 1), "10 web processes, 1 Redis": (10, 1),
         "100 web processes, 1 Redis": (100, 1), "100 web processes, a cluster of six": (100, 3)}
RATES = (38, 380, 3_500, 6_900)  # actions a second


@dataclass(frozen=True)
class Cost:
    """Milliseconds of processor time for an action, and actions a second."""

    web: float
    redis: float
    rate: float


@dataclass(frozen=True)
class Target:
    """Services that take turns, the processes of their Redis, and the accounts that play there."""

    stacks: Sequence[Stack]
    redis: Sequence[int]
    couples: list[Couple]


def measure(rounds: Rounds = 5, seconds: Seconds = 2.0, clients: Clients = 16) -> dict:
    """Return the costs, and what many processes would carry."""
    board = load_folder()["usa"]
    with (service() as one, same_server(APP, beside=one) as other, service(web=2) as two,
          cluster_service() as (many, masters)):
        alone, both, shared, cluster = targets = [
            Target(stacks, redis, [Couple(stacks[0].url, board) for _ in range(clients)])
            for stacks, redis in (([one], [one.redis.pid]), ([one, other], [one.redis.pid]),
                                  ([two], [two.redis.pid]), ([many], masters))]
        found = by_turns(rounds, lambda: _play(alone, seconds, watched=True), *(
            partial(_play, target, seconds) for target in targets))
        idle, stream = _idle(two), _stream(one)
    watched, alone, both, shared, cluster = found
    entry, entry_of_redis = (
        max(0.0, _least(watched, name) - _least(alone, name)) / WATCHERS
        for name in ("web", "redis"))
    reading = _least(both, "web") - _least(alone, "web")  # entries of other processes
    kinds = {1: both, 3: cluster}
    return {
        "benchmark": "capacity", "yardstick": "one web process", "ratios": [
            _row("2 web processes", "actions/s", "rate", shared, alone),
            _row("each action at another process", "ms of the web processes", "web", both, alone),
            _row("each action at another process", "ms of Redis", "redis", both, alone),
            _row("a cluster of six", "ms of the web process", "web", cluster, alone),
            _row("a cluster of six", "ms of its masters together", "redis", cluster, alone),
        ],
        "figures": {
            "an action, ms of the web process": _least(alone, "web"),
            "an action, ms of Redis": _least(alone, "redis"),
            "each action at another process, ms of the web processes": _least(both, "web"),
            "on a cluster of six, ms of the web process": _least(cluster, "web"),
            "on a cluster of six, ms of its masters together": _least(cluster, "redis"),
            "an entry sent to a watcher, ms of a web process": entry,
            "an entry sent to a watcher, ms of Redis": entry_of_redis,
            "a stream held open, kB of a web process": stream,
            "nothing asked, ms of Redis a second for each further web process": idle,
            **{f"on paper, {name}": on_paper(
                processes, masters, idle,
                web=_least(kinds[masters], "web") + (reading if masters > 1 else 0)
                + AUDIENCE * entry,
                redis=_least(kinds[masters], "redis") + AUDIENCE * entry_of_redis)
               for name, (processes, masters) in SIZES.items()},
            **{f"stored on paper at {actions:,} actions/s": stored_on_paper(actions)
               for actions in RATES},
        },
    }


def on_paper(processes: int, masters: int, idle: float, web: float, redis: float) -> str:
    """Return what so many web processes and masters of Redis would carry. ``web`` and ``redis``
    are the milliseconds of an action with its watchers, ``idle`` those that an idle web process
    takes of Redis in a second."""
    by_web = processes * SHARE * 1000 / web
    by_redis = (masters * SHARE * 1000 - processes * idle) / redis
    actions = min(by_web, by_redis)
    which = "web processes" if by_web < by_redis else "Redis"
    return (f"{actions:,.0f} actions/s ({which} full), {actions * PACE:,.0f} games at a time, "
            f"{actions * AUDIENCE:,.0f} entries/s to watchers, {processes * HELD:,} streams")


def stored_on_paper(actions: float) -> str:
    """Return what is stored at so many actions a second, with default settings."""
    finished = actions / ENTRIES  # games a second
    playing = actions * PACE * BEFORE / 2  # on average they are half played
    waiting = min(settings.ARCHIVE_MB.value() * 1e6,
                  finished * settings.ARCHIVE_DAYS.value() * 86_400 * BEFORE)
    waiting += finished * LOOK * BEFORE
    return (f"{finished:,.1f} games/s finish; Redis: {playing / 1e9:,.2f} GB being played, "
            f"{waiting / 1e9:,.1f} GB finished, {finished * MONTH * AFTER / 1e9:,.0f} GB a month "
            f"more with all records ({finished * MONTH * OWN / 1e9:,.1f} GB in the games' own "
            f"keys); archive: {finished * MONTH * ARCHIVED / 1e9:,.0f} GB a month, "
            f"{finished * MOVING / 1000:,.2f} cores; without one, Redis: "
            f"{finished * MONTH * BEFORE / 1e9:,.0f} GB a month")


def _play(target: Target, seconds: float, watched: bool = False) -> Cost:
    """Play for a while, at each process in turn; return the costs."""
    scripts = [couple.requests(GAMES) for couple in target.couples]
    wanted = [(f"/v1/games/{game}/events", couple.tokens[0]) for couple in target.couples
              for game in couple.games for _ in range(WATCHERS)] if watched else []
    with open_streams(target.stacks[0], wanted):
        web, redis = _used(target)
        measured = drive([stack.url for stack in target.stacks], scripts, seconds)
        after_web, after_redis = _used(target)
    count = len(measured.latencies)
    return Cost(1000 * (after_web - web) / count, 1000 * (after_redis - redis) / count,
                measured.rate)


def _used(target: Target) -> tuple[float, float]:
    """Return the processor seconds of web processes and of their Redis."""
    return (sum(map(processor_seconds, target.stacks)),
            sum(map(processes.processor_seconds, target.redis)))


def _idle(few: Stack) -> float:
    """Return the milliseconds of Redis in a second for each further web process that is idle."""
    used = processes.processor_seconds
    with service(web=few.web_processes + MORE) as many:
        time.sleep(IDLE_SECONDS)  # in which all of them start
        before = used(many.redis.pid) - used(few.redis.pid)
        time.sleep(IDLE_SECONDS)
        more = used(many.redis.pid) - used(few.redis.pid) - before
    return max(0.0, 1000 * more / IDLE_SECONDS / MORE)


def _stream(stack: Stack) -> float:
    """Return the kilobytes of memory of an open stream."""
    [process] = processes.children(stack.web.pid)
    before = processes.resident(process)
    with idle_streams(stack, IDLE):
        return 1000 * (processes.resident(process) - before) / IDLE


def _row(what: str, unit: str, name: str, ours: list[Cost], yardstick: list[Cost]) -> dict:
    return ratio(what, unit, *([getattr(cost, name) for cost in kind]
                               for kind in (ours, yardstick)))


def _least(costs: list[Cost], name: str) -> float:
    """Return the least of several rounds: other programs on the machine only add time."""
    return min(getattr(cost, name) for cost in costs)


if __name__ == "__main__":
    command(measure)()
