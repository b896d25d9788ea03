"""Measures how long others wait for built-in bots when the queue is long or the machine is busy.

First: how long a player waits for a bot's first action while another account has bots play
thousands of games. Then: how many seats of built-in bots lose by time while other
processes use every core.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import Annotated

from fogg_client.client import Client

from benchmarks.runner import Bots, command, ratio
from benchmarks.services import service
from workers.bots import BOTS

AT_MOST = 5
SECONDS = 10  # for a decision in the tournament on a busy machine
PAUSE = 0.5  # seconds between two polls, and between two games of the player
HOG = "while True: pass"
ALL = ",".join(BOTS)


def measure(
    games: Annotated[int, "Games of the player, with a short and with a long queue."] = 20,
    tournaments: Annotated[int, "Tournaments of the other account."] = 10,
    cycles: Annotated[int, "Rounds of each tournament."] = 500,
    hogs: Annotated[int, "Processes that keep the machine busy."] = 4,
    bots: Bots = ALL,
) -> dict:
    """Return waiting times and games lost by time, with one worker as ``fogg up`` has it."""
    names = tuple(bots.split(","))
    with service(workers=1) as stack:
        quiet = _waits(stack.url, games)
        hog = Client(stack.url).sign_up("hog")
        for _ in range(tournaments):
            _hold(hog, names, cycles)
        time.sleep(10 * PAUSE)
        loaded = _waits(stack.url, games)
    seats, lost, seconds = _lost_by_time(names, hogs)
    return {
        "benchmark": "waits",
        "yardstick": "the same, with an empty queue",
        "ratios": [ratio("a player sees a bot's first action after", "ms", loaded, quiet,
                         at_most=AT_MOST)],
        "figures": {"longest wait, quiet, ms": max(quiet), "longest wait, ms": max(loaded),
                    "median wait, quiet, ms": median(quiet), "median wait, ms": median(loaded),
                    f"seats of a round robin beside {hogs} hogs": seats,
                    "lost by time": lost, "share": lost / seats,
                    "seconds that it took": seconds},
    }


def _waits(url: str, games: int) -> list[float]:
    """Return for each game how many milliseconds a player waits for a bot to choose its tickets."""
    player, waits = Client(url).sign_up("player"), []
    for _ in range(games):
        game = player.post("/v1/games", {
            "board": "usa", "seats": [{"player": "me"}, {"bot": "planner"}]})
        start, after = time.perf_counter(), game["version"]
        while not player.get(f"/v1/games/{game['id']}/events", after=after, wait=60)["items"]:
            pass
        waits.append(1000 * (time.perf_counter() - start))
        player.post(f"/v1/games/{game['id']}/actions", {"type": "resign"})
        time.sleep(PAUSE)
    return waits


def _hold(organiser: Client, bots: tuple[str, ...], cycles: int) -> str:
    """Start a round robin of built-in bots, each deal from both seats; return its id."""
    cup = organiser.post("/v1/tournaments", {
        "name": "Cup", "rounds": cycles, "deals": "duplicate",
        "clock": {"per_decision": SECONDS}})["id"]
    for bot in bots:
        organiser.post(f"/v1/tournaments/{cup}/entries", {"bot": bot})
    organiser.post(f"/v1/tournaments/{cup}/start", {})
    return cup


def _lost_by_time(bots: tuple[str, ...], hogs: int) -> tuple[int, int, float]:
    """Hold a round robin on a busy machine. Return its seats, those lost by time, and how long it
    took in seconds."""
    with service(workers=1) as stack, _busy(hogs):
        client, start = Client(stack.url).sign_up("organiser"), time.perf_counter()
        cup = _hold(client, bots, 1)
        while (found := client.get(f"/v1/tournaments/{cup}", rounds=500))["status"] != "finished":
            time.sleep(PAUSE)
        seconds = time.perf_counter() - start
        games = [game for paired in found["rounds"] for table in paired["tables"]
                 for game in table["games"]]
        seats = [seat for game in games for seat in client.view(game["game"])["seats"]]
    return len(seats), sum(seat.get("left") == "time" for seat in seats), seconds


@contextmanager
def _busy(hogs: int) -> Iterator[None]:
    started = [subprocess.Popen([sys.executable, "-c", HOG]) for _ in range(hogs)]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


if __name__ == "__main__":
    command(measure)()
