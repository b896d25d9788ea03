"""Looks for leaks: plays thousands of games, and shows growth of memory, keys and open files.

The load is the mix of ``fogg load``, with games that end by a resignation after some actions. It
comes in steps with new accounts; after each step the service is idle for a while and is measured.
Growth in the second half of the steps is a leak, or data that is kept for each game.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import click
from fogg_client.client import Client
from redis import Redis

from benchmarks.runner import Clients, command
from benchmarks.services import service
from cli.load import scenarios
from cli.load.run import Run, Settings
from service.operation.redis import connect
from service.operation.stack import Stack
from tests.processes import children, resident

QUIET = 8  # seconds after a step, in which streams close and keys expire
NAMES = (  # the parts of a key that vary, and what replaces them
    (re.compile(r"\b([a-z]{1,2}_[0-9a-f]{20}|bot_[a-z]+_\d)\b"), "ID"),
    (re.compile(r"\b[0-9a-f]{16,64}\b"), "HASH"),
    (re.compile(r"\b\d+(\.\d+)*\b"), "N"),
)
OVER = re.compile(r'fogg_games\{status="finished"\} (\S+)')


@dataclass(frozen=True)
class Look:
    """Memory, keys and open files of the service at one moment."""

    games: int  # finished
    redis: int  # bytes
    channels: int  # subscribed
    resident: dict[str, float]  # MB by process
    files: dict[str, int]  # open, by process
    keys: Counter[str] = field(default_factory=Counter)  # by pattern


def measure(
    games: Annotated[int, "Games to finish."] = 3600,
    steps: Annotated[int, "Steps in which they are played."] = 6,
    clients: Clients = 16,
    actions: Annotated[int, "Actions in a game."] = 20,
    web: Annotated[int, "Web processes."] = 1,
) -> dict:
    """Return what each finished game leaves, in the first and in the second half of the steps."""
    with service(workers=1, web=web) as stack:
        looks = [_look(stack)]
        for step in range(1, steps + 1):
            _play(stack, games * step // steps, clients, actions)
            time.sleep(QUIET)
            looks.append(_look(stack))
            click.echo(f"{looks[-1].games} games are finished", err=True)
    return {"benchmark": "soak",
            "figures": {"finished games": looks[-1].games} | _figures(looks)}


def _figures(looks: list[Look]) -> dict[str, str]:
    """Return the values at the start, in the middle and at the end, and the growth by game in the
    first and in the second half."""
    first, middle, last = looks[0], looks[len(looks) // 2], looks[-1]
    found = {}
    for name in last.resident:
        found[f"{name}, MB"] = _row(look.resident[name] for look in (first, middle, last))
        found[f"{name}, open files"] = _row(look.files[name] for look in (first, middle, last))
    found["subscribed channels"] = _row(look.channels for look in (first, middle, last))
    halves = [(new.games - old.games, old, new) for old, new in ((first, middle), (middle, last))]
    found["Redis' memory for a game, kB"] = _row(
        (new.redis - old.redis) / 1000 / games for games, old, new in halves)
    for name in sorted(last.keys):
        growth = [(new.keys[name] - old.keys[name]) / games for games, old, new in halves]
        if growth[1]:
            found[f"keys a game, {name}"] = _row(growth)
    return found


def _row(values: Iterable[float]) -> str:
    return "  ".join(f"{value:8.2f}" for value in values)


def _play(stack: Stack, games: int, clients: int, actions: int) -> None:
    """Put the service under load until so many games are finished."""
    settings = Settings(stack.url, clients, 3600, 10_000_000, watchers=2, actions=actions)
    people = scenarios.sign_up(settings, "mix")
    run = Run(settings)
    threads = scenarios.begin(run, people)
    while _over(stack) < games:
        time.sleep(0.5)
    run.stop()
    for thread in threads:
        thread.join()
    if run.errors:
        click.echo(f"errors: {dict(run.errors)}", err=True)


def _look(stack: Stack) -> Look:
    with connect(stack.redis.url) as redis:
        keys = _keys(redis)
        used = redis.info("memory")["used_memory"]
        channels = len(redis.pubsub_shardchannels())
    processes = {f"web {number}": child
                 for number, child in enumerate(children(stack.web.pid), 1)}
    processes |= {"redis": stack.redis.pid, "queue": stack.queue.pid,
                  "worker": stack.workers[0].pid, "deliveries": stack.deliveries.pid}
    return Look(_over(stack), used, channels,
                {name: resident(pid) for name, pid in processes.items()},
                {name: len(list(Path(f"/proc/{pid}/fd").iterdir()))
                 for name, pid in processes.items()}, keys)


def _keys(redis: Redis) -> Counter[str]:
    """Return the number of keys by pattern; keys that expire are counted together."""
    names = list(redis.scan_iter(count=1000))
    pipe = redis.pipeline(transaction=False)
    for name in names:
        pipe.ttl(name)
    return Counter("with an expiry" if seconds >= 0 else _pattern(name.decode())
                   for name, seconds in zip(names, pipe.execute(), strict=True))


def _over(stack: Stack) -> int:
    """Return how many games are finished."""
    return int(float(OVER.search(Client(stack.url).text("/metrics"))[1]))


def _pattern(key: str) -> str:
    for pattern, word in NAMES:
        key = pattern.sub(word, key)
    return key


if __name__ == "__main__":
    command(measure)()
