"""Games a minute of tournaments: round robins of built-in bots, each game over HTTP.

The yardstick is the same round robin in one process, without HTTP, Redis and a queue. Beside the
rates stands where the time goes: the processor time that a game takes of each kind of process, and
how busy each kind was, of one processor. On a machine that does other things, too, the games for a
second of processor time tell more than those for a minute.

``expert`` is left out unless it is asked for: it thinks for as long as it has been given.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable

import click
from fogg_client.client import Client

from benchmarks.compare import show
from benchmarks.temporary import processor_seconds, service, used
from cli.offline import arena
from service.operation.stack import Stack
from workers.bots import BOTS

PAUSE = 1.0  # seconds between two looks
QUICK = ("random", "greedy", "planner")
ASKED = re.compile(r"fogg_requests_total\{(.*)\} (.*)")
LABEL = re.compile(r'(\w+)="([^"]*)"')


def measure(
    cycles: int = 5, workers: int = 2, cups: int = 1, bots: tuple[str, ...] = QUICK,
    watch: Callable[[], object] = lambda: None,
) -> dict:
    """Return games a minute with one worker and with more, and in this process; ``watch`` is called
    after each."""
    games = 2 * cups * cycles * len(bots) * (len(bots) - 1) // 2
    figures: dict[str, object] = {}
    rates = []
    for count in sorted({1, workers}):
        with service(workers=count) as stack:
            before, asked, start = _used(stack), _asked(stack), time.perf_counter()
            _play(stack, cycles, cups, bots)
            seconds = time.perf_counter() - start
            used, requests = _used(stack), _asked(stack) - asked
        rates.append(60 * games / seconds)
        name = f"{count} worker{'s' if count > 1 else ''}"
        spent = {kind: total - before[kind] for kind, total in used.items()}
        figures[f"{name}, games a minute"] = rates[-1]
        figures[f"{name}, games for a second of web and workers"] = games / (
            spent["web"] + spent["workers"])
        for kind, took in spent.items():
            figures[f"{name}, {kind}, ms a game"] = 1000 * took / games
            figures[f"{name}, {kind}, busy"] = f"{took / seconds:.0%}"
        for route, number in requests.most_common(4):
            figures[f"{name}, requests a game, {route}"] = number / games
        watch()
    alone = arena.Arena(bots, ("usa",), 2 * cycles, 2, True, 0)
    start, cpu = time.perf_counter(), time.process_time()
    played = sum(1 for _ in arena.results(alone))
    figures["in process, games a minute"] = 60 * played / (time.perf_counter() - start)
    figures["in process, ms a game"] = 1000 * (time.process_time() - cpu) / played
    return {"benchmark": "tournament", "figures": figures}


def _play(stack: Stack, cycles: int, cups: int, bots: tuple[str, ...]) -> None:
    """Hold round robins of these bots, every deal from both seats."""
    client = Client(stack.url).sign_up("organiser")
    ids = [client.post("/v1/tournaments", {
        "name": "Cup", "rounds": cycles, "deals": "duplicate",
        "clock": {"per_decision": 60}})["id"] for _ in range(cups)]
    for cup in ids:
        for bot in bots:
            client.post(f"/v1/tournaments/{cup}/entries", {"bot": bot})
        client.post(f"/v1/tournaments/{cup}/start", {})
    for cup in ids:
        while client.get(f"/v1/tournaments/{cup}", rounds=0)["status"] != "finished":
            time.sleep(PAUSE)


def _used(stack: Stack) -> dict[str, float]:
    """Return the seconds of processor time that each kind of process has used."""
    return {"web": processor_seconds(stack), "redis": used(stack.redis.pid),
            "queue": used(stack.queue.pid), "workers": sum(used(w.pid) for w in stack.workers)}


def _asked(stack: Stack) -> Counter[str]:
    """Return how many requests there were, by method and route."""
    found: Counter[str] = Counter()
    for line in Client(stack.url).text("/metrics").splitlines():
        if asked := ASKED.match(line):
            labels = dict(LABEL.findall(asked[1]))
            found[f"{labels['method']} {labels['route']}"] += int(float(asked[2]))
    return found


@click.command()
@click.option("--cycles", default=5, show_default=True, help="How often all meet, on two games.")
@click.option("--workers", default=2, show_default=True, help="Workers, beside one alone.")
@click.option("--cups", default=1, show_default=True, help="Tournaments at a time.")
@click.option("--bots", default=",".join(QUICK), show_default=True,
              help=f"Some of {', '.join(BOTS)}.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(cycles: int, workers: int, cups: int, bots: str, as_json: bool) -> None:
    """Hold round robins of built-in bots over HTTP, and in process.

    \b
    Example:
      python -m benchmarks.tournament --cycles 10
    """
    show(measure(cycles, workers, cups, tuple(bots.split(","))), as_json)


if __name__ == "__main__":
    main()
