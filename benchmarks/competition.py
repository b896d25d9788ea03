"""A tournament of eight on a busy machine: who loses by time, and do the standings hold?

The four built-in bots, two that run in processes of their own, one that is killed in the middle of
a game and one that never comes meet each other over HTTP while other processes want every
processor. What the service says of it is then counted again from the histories by a program that
shares no code with it (``benchmarks.recount``), and ``fogg verify`` checks each history.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from fogg_client.client import Client
from fogg_client.problems import Problem

from benchmarks.compare import show
from benchmarks.recount import differences, recount
from benchmarks.temporary import service
from workers.bots import BOTS

FOGG = [sys.executable, "-m", "cli"]
OUTSIDE = {"kept": "greedy:Greedy", "other": "uniform:Uniform", "killed": "planner:Planner"}
PAUSE = 0.2  # seconds between two looks


def measure(
    board: str = "usa", deals: str = "duplicate", busy: int = os.cpu_count() or 1,
    bots: tuple[str, ...] = tuple(BOTS), clock: float = 10.0, most: float = 600.0,
) -> dict:
    """Return how a tournament with these built-in bots went beside so many ``busy`` processes;
    after ``most`` seconds it is ended, and the round under way does not count."""
    with service(workers=1) as stack, tempfile.TemporaryDirectory() as folder, _load(busy):
        client = Client(stack.url).sign_up("organiser")
        wish = {"name": "Cup", "boards": [board], "deals": deals,
                "clock": {"per_decision": clock}}
        cup = f"/v1/tournaments/{client.post('/v1/tournaments', wish)['id']}"
        for bot in bots:
            client.post(f"{cup}/entries", {"bot": bot})
        Client(stack.url).sign_up("absent").post(f"{cup}/entries", {})
        tokens = {name: Client(stack.url).sign_up(name).token for name in OUTSIDE}
        for token in tokens.values():
            Client(stack.url, token).post(f"{cup}/entries", {})
        start = time.monotonic()
        with _outside(stack.url, Path(folder), tokens) as processes:
            client.post(f"{cup}/start", {})
            found = _followed(client, cup, processes["killed"],
                              Client(stack.url, tokens["killed"]), start + most)
        seconds = time.monotonic() - start
        figures = _figures(client, found, Path(folder))
    return {"benchmark": "competition", "cup": found, "figures": figures | {
        "games a minute": 60 * figures["games"] / seconds, "seconds": seconds,
        "busy processes beside": busy}}


@contextmanager
def _load(count: int) -> Iterator[None]:
    """Let so many processes do nothing, as fast as they can."""
    processes = [multiprocessing.Process(target=_spin, daemon=True) for _ in range(count)]
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.join()


def _spin() -> None:
    while True:
        pass


@contextmanager
def _outside(
    url: str, folder: Path, tokens: dict[str, str]
) -> Iterator[dict[str, subprocess.Popen]]:
    """Run the bots that are not built in, each in a process of its own."""
    processes = {}
    for name, token in tokens.items():
        file = folder / f"{name}.token"
        file.write_text(token)
        processes[name] = subprocess.Popen(
            [*FOGG, "bot", "run", f"workers.bots.{OUTSIDE[name]}", "--open", "--server", url,
             "--json", "--token-file", str(file)], stdout=subprocess.DEVNULL)
    try:
        yield processes
    finally:
        for process in processes.values():
            process.kill()
            process.wait()


def _followed(
    client: Client, cup: str, doomed: subprocess.Popen, its: Client, end: float
) -> dict:
    """Return a tournament once it is over; kill one process in the middle of its first game."""
    while (found := client.get(cup, rounds=1000))["status"] != "finished":
        if doomed.poll() is None and _is_playing(its):
            doomed.kill()
        if time.monotonic() > end:
            client.post(f"{cup}/end", {})
        time.sleep(PAUSE)
    return found


def _is_playing(client: Client) -> bool:
    """Return whether an account is in the middle of a game."""
    account = client.get("/v1/me")["id"]
    rows = client.get("/v1/games", player=account, status="playing")["items"]
    try:
        return any(client.view(row["id"])["version"] > 20 for row in rows)
    except Problem:
        return False


def _figures(client: Client, cup: dict, folder: Path) -> dict:
    """Return who left games, and whether what the service says is what the histories come to."""
    names = {row["entrant"]: row["player"]["name"] for row in cup["entrants"]}
    games = [game for paired in cup["rounds"] for table in paired["tables"]
             for game in table["games"] if "results" in game]
    histories = {game["game"]: client.text(f"/v1/games/{game['game']}/history") for game in games}
    left = Counter(names[entrant] for game in games
                   for entrant, row in zip(game["seats"], game["results"], strict=True)
                   if "left" in row)
    for game, text in histories.items():
        (folder / f"{game}.ndjson").write_text(text)
    verified = subprocess.run([*FOGG, "verify", *(str(folder / f"{game}.ndjson")
                                                  for game in histories)], capture_output=True)
    counted = recount(cup, lambda game: map(json.loads, histories[game].splitlines()))
    wrong = differences(cup, counted)
    return {
        "games": len(games), "rounds": len(cup["rounds"]), "ending": cup["ending"],
        "games left by built-in bots": sum(left[bot] for bot in BOTS),
        "games left by others": ", ".join(f"{name} {count}" for name, count in left.items()
                                          if name not in BOTS) or "none",
        "marked absent": ", ".join(names[row["entrant"]] for row in cup["entrants"]
                                   if row.get("absent")) or "none",
        "histories that are verified": "all" if verified.returncode == 0 else
        verified.stdout.decode()[-500:],
        "standings that differ": "; ".join(wrong) or "none",
        **{f"{row['rank']}. {names[row['entrant']]}": _told(row) for row in cup["standings"]}}


def _told(row: dict) -> str:
    told = f"{row['points']:g} points, {row['wins']} of {row['games']} games, {row['left']} left"
    if "margin_interval" in row:
        low, high = row["margin_interval"]
        told += f", margin {row['margin']:+.1f} ({low:+.1f} to {high:+.1f})"
    return told


@click.command()
@click.option("--board", default="usa", show_default=True, help="The board.")
@click.option("--deals", default="duplicate", show_default=True,
              type=click.Choice(["duplicate", "independent"]), help="How often a deal is played.")
@click.option("--busy", default=os.cpu_count() or 1, show_default=True,
              help="Processes that want a processor each, for nothing.")
@click.option("--bots", default=",".join(BOTS), show_default=True, help="Built-in bots.")
@click.option("--most", default=600.0, show_default=True, help="Seconds after which to end it.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(board: str, deals: str, busy: int, bots: str, most: float, as_json: bool) -> None:
    """Hold a tournament of eight beside other load, and count its standings again.

    \b
    Example:
      python -m benchmarks.competition --board london --bots planner,greedy,random
    """
    result = measure(board, deals, busy, tuple(bots.split(",")), most=most)
    show({name: value for name, value in result.items() if name != "cup"}, as_json)


if __name__ == "__main__":
    main()
