"""Games a minute of a tournament: a round robin of the built-in bots, each game over HTTP.

The yardstick is the same round robin in one process, without HTTP, Redis and a queue. Beside the
rates stands where the time goes: the processor time that a game takes of each kind of process, and
how busy each kind was, of one processor.
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

PAUSE = 0.2  # seconds between two looks
ASKED = re.compile(r"fogg_requests_total\{(.*)\} (.*)")
LABEL = re.compile(r'(\w+)="([^"]*)"')


def measure(cycles: int = 5, workers: int = 2, watch: Callable[[], object] = lambda: None) -> dict:
    """Return games a minute with one worker and with more, and in this process; ``watch`` is called
    after each."""
    games = 2 * cycles * len(BOTS) * (len(BOTS) - 1) // 2
    figures: dict[str, object] = {}
    rates = []
    for count in sorted({1, workers}):
        with service(workers=count) as stack:
            before, asked, start = _used(stack), _asked(stack), time.perf_counter()
            _play(stack, cycles)
            seconds = time.perf_counter() - start
            used, requests = _used(stack), _asked(stack) - asked
        rates.append(60 * games / seconds)
        name = f"{count} worker{'s' if count > 1 else ''}"
        figures[f"{name}, games a minute"] = rates[-1]
        for kind, total in used.items():
            spent = total - before[kind]
            figures[f"{name}, {kind}, ms a game"] = 1000 * spent / games
            figures[f"{name}, {kind}, busy"] = f"{spent / seconds:.0%}"
        for route, number in requests.most_common(4):
            figures[f"{name}, requests a game, {route}"] = number / games
        watch()
    alone = arena.Arena(tuple(BOTS), ("usa",), 2 * cycles, 2, True, 0)
    start, cpu = time.perf_counter(), time.process_time()
    played = sum(1 for _ in arena.results(alone))
    figures["in process, games a minute"] = 60 * played / (time.perf_counter() - start)
    figures["in process, ms a game"] = 1000 * (time.process_time() - cpu) / played
    return {"benchmark": "tournament", "figures": figures}


def _play(stack: Stack, cycles: int) -> None:
    """Hold a round robin of all built-in bots, every deal from both seats."""
    client = Client(stack.url).sign_up("organiser")
    cup = client.post("/v1/tournaments", {"name": "Cup", "rounds": cycles, "deals": "duplicate",
                                          "clock": {"per_decision": 60}})["id"]
    for bot in BOTS:
        client.post(f"/v1/tournaments/{cup}/entries", {"bot": bot})
    client.post(f"/v1/tournaments/{cup}/start", {})
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
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(cycles: int, workers: int, as_json: bool) -> None:
    """Hold a round robin of the built-in bots over HTTP, and in process.

    \b
    Example:
      python -m benchmarks.tournament --cycles 10
    """
    show(measure(cycles, workers), as_json)


if __name__ == "__main__":
    main()
