"""The pool with bots that come and go: who got how many games, how near the opponents were, how
long all waited, and what went wrong.

Each bot is a process of its own, as somebody would run it (``fogg bot run --pool``). Some are
killed in the middle, and come back later as the same account; one stops to act once it is tested,
one plays what is not legal.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import click
from fogg_client.client import Client

from benchmarks.compare import show
from benchmarks.temporary import service
from service.operation.redis import connect
from service.operation.stack import Stack

BAD = '''
from fogg_client import Bot
from time import sleep

class Illegal(Bot):
    def choose(self, view):
        return {"type": "claim_route", "route": "nowhere", "cards": {"wild": 1}}

class Absent(Bot):
    number = 0
    def choose(self, view):
        """Play the test, and then never again."""
        if not view.get("pool", {}).get("test"):
            sleep(3600)
        return view["you"]["legal_actions"][0]
'''
KINDS = tuple(f"workers.bots.{name}" for name in (
    "greedy:Greedy", "planner:Planner", "uniform:Uniform"))
AWAY = 20  # seconds for which a killed bot is away


@dataclass
class External:
    """A bot that somebody runs."""

    name: str
    kind: str
    server: str
    folder: Path
    at_once: int = 2
    process: subprocess.Popen | None = None
    back_at: float | None = None
    kills: int = 0
    told: list[Path] = field(default_factory=list)

    def start(self) -> None:
        """Run it; the second time with the token of the first."""
        self.back_at = None
        self.told.append(self.folder / f"{self.name}.{len(self.told)}.log")
        with self.told[-1].open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "cli", "bot", "run", self.kind, "--pool", "--json",
                 "--server", self.server, "--name", self.name, "--at-once", str(self.at_once),
                 "--token-file", str(self.folder / f"{self.name}.token")],
                stdout=log, stderr=subprocess.STDOUT, cwd=self.folder,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})

    def kill(self, at: float) -> None:
        """Kill it, to come back later."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.kills, self.back_at = self.kills + 1, at + AWAY

    def events(self) -> Counter[str]:
        """Return what it has told, by event."""
        found: Counter[str] = Counter()
        for path in self.told:
            for line in path.read_text().splitlines():
                try:
                    found[json.loads(line)["event"]] += 1
                except ValueError:
                    found["said"] += 1
        return found


def measure(seconds: int = 600, bots: int = 8, workers: int = 1) -> dict:
    """Return what came of so many bots, and two bad ones, in so many seconds."""
    with service(workers=workers) as stack:
        folder = stack.data / "bots"
        folder.mkdir()
        (folder / "bad.py").write_text(BAD)
        crowd = [External(f"bot{n}", KINDS[n % len(KINDS)], stack.url, folder) for n in range(bots)]
        crowd += [External("illegal", "bad:Illegal", stack.url, folder),
                  External("absent", "bad:Absent", stack.url, folder)]
        try:
            _let_come_and_go(crowd, bots, seconds)
            seen = Client(stack.url).get("/v1/pool")
            return {"benchmark": "pool", "figures": _figures(stack, crowd, seen, seconds)}
        finally:
            for bot in crowd:
                bot.kill(0)


def _let_come_and_go(crowd: list[External], honest: int, seconds: int) -> None:
    """Start the bots one after the other; kill an honest one now and then, which comes back."""
    chance, start = Random(1), time.monotonic()
    waiting, next_kill = list(crowd), 60.0
    while (at := time.monotonic() - start) < seconds:
        if waiting and at > 5 * (len(crowd) - len(waiting)):
            waiting.pop(0).start()
        for bot in crowd:
            if bot.back_at is not None and at > bot.back_at:
                bot.start()
        if at > next_kill and at < seconds - 60:
            chance.choice(crowd[:honest]).kill(at)
            next_kill = at + 45
        time.sleep(0.5)


def _figures(stack: Stack, crowd: list[External], seen: dict, seconds: int) -> dict[str, object]:
    today = seen["today"]
    figures: dict[str, object] = {f"today, {name}": value for name, value in today.items()}
    if out := figures.pop("today, out"):
        figures |= {f"today, taken out, {why}": count for why, count in out.items()}
    figures["games a minute"] = 60 * today["games"] / seconds
    counts = []
    for bot in crowd:
        client = Client(stack.url, (bot.folder / f"{bot.name}.token").read_text().strip())
        me, mine = client.get("/v1/me")["id"], client.get("/v1/me/pool")
        standing = {row["board"]: row for row in client.get(f"/v1/players/{me}")["ratings"]}
        row = standing.get("overall", {})
        events = bot.events()
        if bot.kills == 0 and not bot.kind.startswith("bad"):
            counts.append(mine["games_today"])
        out = mine.get("out", {}).get("reason", "")
        figures[f"{bot.name} ({bot.kind.rpartition(':')[2]})"] = (
            f"{mine['games_today']} games, killed {bot.kills}, {mine['status']} {out}, "
            f"rated {row.get('games', 0)}, mu {row.get('mu', 25):.1f}, over {events['over']}, "
            f"faults {events['fault']}, called off {events['called_off']}")
    if counts:
        figures["games of those never killed, least and most"] = f"{min(counts)} to {max(counts)}"
    figures["games of one pairing set out twice"] = _set_out_twice(stack)
    return figures


def _set_out_twice(stack: Stack) -> int:
    """Return how many pairings have more games than they were to have, or others."""
    wrong = 0
    with connect(stack.redis.url) as redis:
        places: dict[str, list[str]] = {}
        of_pairing: Counter[str] = Counter()
        for key in redis.scan_iter("{g:g_*}:log"):
            first = json.loads(redis.xrange(key, count=1)[0][1][b"e"])["events"][0]
            if pool := first.get("pool"):
                places[pool["id"]] = pool["games"]
                of_pairing[pool["id"]] += 1
                wrong += first["game"] not in pool["games"]
        wrong += sum(of_pairing[pairing] > len(games) for pairing, games in places.items())
    return wrong


@click.command()
@click.option("--seconds", default=600, show_default=True, help="For how long.")
@click.option("--bots", default=8, show_default=True, help="How many, beside two bad ones.")
@click.option("--workers", default=1, show_default=True, help="Workers of the service.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(seconds: int, bots: int, workers: int, as_json: bool) -> None:
    """Let bots come and go in the pool.

    \b
    Example:
      python -m benchmarks.pool --seconds 120 --bots 4
    """
    show(measure(seconds, bots, workers), as_json)


if __name__ == "__main__":
    main()
