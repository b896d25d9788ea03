"""What a bot's queue costs others: how long a stranger waits for a bot's first reply while one
account lets built-in bots play thousands of games, and how many built-in bots lose by time where
the machine is busy.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median

import click
from fogg_client.client import Client

from benchmarks.compare import ratio, show
from benchmarks.temporary import service
from workers.bots import BOTS

AT_MOST = 5
SECONDS = 10  # that a decision may take in the tournament beside hogs
PAUSE = 0.5  # seconds between two looks, and two of a stranger's games
HOG = "while True: pass"


def measure(
    games: int = 20, tournaments: int = 10, cycles: int = 500, hogs: int = 4,
    bots: tuple[str, ...] = tuple(BOTS),
) -> dict:
    """Return what a stranger waits for, and how many seats of built-in bots are lost by time; with
    one worker, as ``fogg up`` has it."""
    with service(workers=1) as stack:
        quiet = _waits(stack.url, games)
        hog = Client(stack.url).sign_up("hog")
        for _ in range(tournaments):
            _hold(hog, bots, cycles)
        time.sleep(10 * PAUSE)
        loaded = _waits(stack.url, games)
    seats, lost, seconds = _lost_by_time(bots, hogs)
    return {
        "benchmark": "waits",
        "yardstick": "the same, with nobody else there",
        "ratios": [ratio("a stranger sees a bot's first reply after", "ms", loaded, quiet,
                         at_most=AT_MOST)],
        "figures": {"longest wait, quiet, ms": max(quiet), "longest wait, ms": max(loaded),
                    "median wait, quiet, ms": median(quiet), "median wait, ms": median(loaded),
                    f"seats of a round robin beside {hogs} hogs": seats,
                    "lost by time": lost, "share": lost / seats,
                    "seconds that it took": seconds},
    }


def _waits(url: str, games: int) -> list[float]:
    """Return how many milliseconds a stranger waits for a bot to choose its tickets, once for each
    of some games."""
    stranger, found = Client(url).sign_up("stranger"), []
    for _ in range(games):
        game = stranger.post("/v1/games", {
            "board": "usa", "seats": [{"player": "me"}, {"bot": "planner"}]})
        start, after = time.perf_counter(), game["version"]
        while not stranger.get(f"/v1/games/{game['id']}/events", after=after, wait=60)["items"]:
            pass
        found.append(1000 * (time.perf_counter() - start))
        stranger.post(f"/v1/games/{game['id']}/actions", {"type": "resign"})
        time.sleep(PAUSE)
    return found


def _hold(organiser: Client, bots: tuple[str, ...], cycles: int) -> str:
    """Let built-in bots play a round robin, each deal from both seats; return its id."""
    cup = organiser.post("/v1/tournaments", {
        "name": "Cup", "rounds": cycles, "deals": "duplicate",
        "clock": {"per_decision": SECONDS}})["id"]
    for bot in bots:
        organiser.post(f"/v1/tournaments/{cup}/entries", {"bot": bot})
    organiser.post(f"/v1/tournaments/{cup}/start", {})
    return cup


def _lost_by_time(bots: tuple[str, ...], hogs: int) -> tuple[int, int, float]:
    """Return how many seats there were in a round robin beside processes that do nothing but keep
    the machine busy, how many of them were lost by time, and the seconds that it took."""
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


@click.command()
@click.option("--games", default=20, show_default=True, help="A stranger's, quiet and not.")
@click.option("--tournaments", default=10, show_default=True, help="Of one account.")
@click.option("--cycles", default=500, show_default=True, help="Of each tournament.")
@click.option("--hogs", default=4, show_default=True, help="Processes that keep the machine busy.")
@click.option("--bots", default=",".join(BOTS), show_default=True, help="Who plays tournaments.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(
    games: int, tournaments: int, cycles: int, hogs: int, bots: str, as_json: bool
) -> None:
    """Measure what waiting for a worker costs strangers, and built-in bots.

    \b
    Example:
      python -m benchmarks.waits --games 10
    """
    show(measure(games, tournaments, cycles, hogs, tuple(bots.split(","))), as_json)


if __name__ == "__main__":
    main()
