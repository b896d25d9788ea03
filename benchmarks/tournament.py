"""Measures round robins of built-in bots: games a minute, and processor time by kind of process.

The same round robin in one process, without HTTP, Redis and a queue, is measured for comparison. On
a busy machine, games for a second of processor time say more than games a minute. ``expert`` plays
only if it is named, as it always thinks for the time that it is given.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from typing import Annotated

from fogg_client.client import Client

from benchmarks.runner import Bots, command
from benchmarks.services import processor_seconds, service
from cli.offline import arena
from service.operation.stack import Stack
from tests import processes

PAUSE = 1.0  # seconds between two polls
ASKED = re.compile(r"fogg_requests_total\{(.*)\} (.*)")
LABEL = re.compile(r'(\w+)="([^"]*)"')


def measure(
    cycles: Annotated[int, "How often all meet, for two games each time."] = 5,
    workers: Annotated[int, "Workers of the second measurement; the first has one."] = 2,
    cups: Annotated[int, "Tournaments at a time."] = 1,
    bots: Bots = "random,greedy,planner",
) -> dict:
    """Return games a minute with one worker, with more, and in this process."""
    names = tuple(bots.split(","))
    games = 2 * cups * cycles * len(names) * (len(names) - 1) // 2
    figures: dict[str, object] = {}
    rates = []
    for count in sorted({1, workers}):
        with service(workers=count) as stack:
            before, asked, start = _used(stack), _asked(stack), time.perf_counter()
            _play(stack, cycles, cups, names)
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
    alone = arena.Arena(names, ("usa",), 2 * cycles, 2, True, 0)
    start, cpu = time.perf_counter(), time.process_time()
    played = sum(1 for _ in arena.results(alone))
    figures["in process, games a minute"] = 60 * played / (time.perf_counter() - start)
    figures["in process, ms a game"] = 1000 * (time.process_time() - cpu) / played
    return {"benchmark": "tournament", "figures": figures}


def _play(stack: Stack, cycles: int, cups: int, bots: tuple[str, ...]) -> None:
    """Hold round robins of these bots, each deal from both seats."""
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
    """Return the processor seconds of each kind of process."""
    used = processes.processor_seconds
    return {"web": processor_seconds(stack), "redis": used(stack.redis.pid),
            "queue": used(stack.queue.pid), "workers": sum(used(w.pid) for w in stack.workers)}


def _asked(stack: Stack) -> Counter[str]:
    """Return the number of requests by method and route."""
    found: Counter[str] = Counter()
    for line in Client(stack.url).text("/metrics").splitlines():
        if asked := ASKED.match(line):
            labels = dict(LABEL.findall(asked[1]))
            found[f"{labels['method']} {labels['route']}"] += int(float(asked[2]))
    return found


if __name__ == "__main__":
    command(measure)()
