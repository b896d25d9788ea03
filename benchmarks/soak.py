"""An hour's worth of games in some minutes: what they leave in memory, among the keys and in open
files.

The load is the mix of ``fogg load``, with games that somebody gives up after some actions, as what
is left of a game is what matters here. It comes in steps, each with new accounts; between them the
service is left alone for a while and looked at. What grows in the second half of the steps goes on
growing.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import click
from fogg_client.client import Client
from redis import Redis

from benchmarks.compare import show
from benchmarks.temporary import children, resident, service
from cli.load import scenarios
from cli.load.run import Run, Settings
from service.operation.redis import connect
from service.operation.stack import Stack

QUIET = 8  # seconds after a step: streams find out that nobody listens, keys expire
NAMES = (  # what varies in the names of keys
    (re.compile(r"\b([a-z]{1,2}_[0-9a-f]{20}|bot_[a-z]+_\d)\b"), "ID"),
    (re.compile(r"\b[0-9a-f]{16,64}\b"), "HASH"),
    (re.compile(r"\b\d+(\.\d+)*\b"), "N"),
)
OVER = re.compile(r'fogg_games\{status="finished"\} (\S+)')


@dataclass(frozen=True)
class Look:
    """What there is at one moment."""

    games: int  # that are over
    redis: int  # bytes
    channels: int  # of news that are followed
    resident: dict[str, float]  # MB by process
    files: dict[str, int]  # open, by process
    keys: Counter[str] = field(default_factory=Counter)  # by pattern


def measure(
    games: int = 3600, steps: int = 6, clients: int = 16, actions: int = 20, web: int = 1
) -> dict:
    """Return what a finished game leaves, in the first half of the steps and in the second."""
    with service(workers=1, web=web) as stack:
        looks = [_look(stack)]
        for step in range(1, steps + 1):
            _play(stack, games * step // steps, clients, actions)
            time.sleep(QUIET)
            looks.append(_look(stack))
            click.echo(f"{looks[-1].games} games are over", err=True)
    return {"benchmark": "soak",
            "figures": {"games that are over": looks[-1].games} | _figures(looks)}


def _figures(looks: list[Look]) -> dict[str, str]:
    """Return how it was at the start, in the middle and at the end, and what grew with the games in
    the first half and in the second."""
    first, middle, last = looks[0], looks[len(looks) // 2], looks[-1]
    found = {}
    for name in last.resident:
        found[f"{name}, MB"] = _row(look.resident[name] for look in (first, middle, last))
        found[f"{name}, open files"] = _row(look.files[name] for look in (first, middle, last))
    found["channels of news"] = _row(look.channels for look in (first, middle, last))
    halves = [(new.games - old.games, old, new) for old, new in ((first, middle), (middle, last))]
    found["Redis' memory for a game, kB"] = _row(
        (new.redis - old.redis) / 1000 / games for games, old, new in halves)
    for name in sorted(last.keys):
        growth = [(new.keys[name] - old.keys[name]) / games for games, old, new in halves]
        if growth[1]:
            found[f"keys for a game, {name}"] = _row(growth)
    return found


def _row(values: Iterable[float]) -> str:
    return "  ".join(f"{value:8.2f}" for value in values)


def _play(stack: Stack, games: int, clients: int, actions: int) -> None:
    """Put the service under load until so many games are over."""
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
    """Return how many keys there are by pattern, those that end by themselves together."""
    names = list(redis.scan_iter(count=1000))
    pipe = redis.pipeline(transaction=False)
    for name in names:
        pipe.ttl(name)
    return Counter("that expire" if seconds >= 0 else _pattern(name.decode())
                   for name, seconds in zip(names, pipe.execute(), strict=True))


def _over(stack: Stack) -> int:
    """Return how many games are over."""
    return int(float(OVER.search(Client(stack.url).text("/metrics"))[1]))


def _pattern(key: str) -> str:
    for pattern, word in NAMES:
        key = pattern.sub(word, key)
    return key


@click.command()
@click.option("--games", default=3600, show_default=True, help="How many games are to be over.")
@click.option("--steps", default=6, show_default=True, help="In how many steps.")
@click.option("--clients", default=16, show_default=True, help="Clients that play at a time.")
@click.option("--actions", default=20, show_default=True, help="Actions in a game.")
@click.option("--web", default=1, show_default=True, help="Web processes.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(games: int, steps: int, clients: int, actions: int, web: int, as_json: bool) -> None:
    """Play many games, and see what they leave.

    \b
    Example:
      python -m benchmarks.soak --games 600
    """
    show(measure(games, steps, clients, actions, web), as_json)


if __name__ == "__main__":
    main()
