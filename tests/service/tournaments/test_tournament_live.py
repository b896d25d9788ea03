"""Whole tournaments on the whole service, whose parts are killed in the middle."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fogg_client.client import Client

from service.operation.stack import Stack
from service.redis.connection import connect
from service.times import as_time
from tests.cli.inside import run
from tests.mending import mended
from tests.service.tournaments.test_tournaments import games_of
from tests.waiting import until
from tools.recount import differences, recount

pytestmark = pytest.mark.deep

FOGG = [sys.executable, "-m", "cli"]
TIMEOUT_S = 120  # seconds


@pytest.fixture(scope="module")
def stack(tmp_path_factory):
    with Stack(tmp_path_factory.mktemp("stack")) as running:
        yield running


def fogg(stack: Stack, *arguments: str) -> dict:
    """Run a command of the group ``tournament``; return what it prints."""
    done = run("tournament", *arguments, "--server", stack.url, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class External:
    """A bot that somebody runs with ``fogg bot run``."""

    def __init__(self, stack: Stack, folder: Path, kind: str):
        self.stack, self.kind, self.token = stack, kind, folder / f"{kind}.token"
        self.process: subprocess.Popen | None = None

    def enter(self, cup: str) -> None:
        fogg(self.stack, "enter", cup, "--token-file", str(self.token), "--name", f"My {self.kind}")

    def start(self) -> None:
        module = f"workers.bots.{self.kind.lower()}:{self.kind}"
        self.process = subprocess.Popen(
            [
                *FOGG,
                "bot",
                "run",
                module,
                "--open",
                "--server",
                self.stack.url,
                "--json",
                "--token-file",
                str(self.token),
            ],
            stdout=subprocess.DEVNULL,
        )

    def kill(self) -> None:
        if self.process:
            os.kill(self.process.pid, signal.SIGKILL)
            self.process.wait()


def finished(client: Client, cup: str) -> dict:
    def over() -> dict | None:
        tournament = client.get(f"/v1/tournaments/{cup}")
        return tournament if tournament["status"] == "finished" else None

    return until(over, TIMEOUT_S)


def check(client: Client, cup: dict) -> None:
    """Every paired game was created once, and recorded with its result. The standings are those
    that a program which shares no code with ours counts from the histories."""
    ids = [game["game"] for game in games_of(cup)]
    assert len(set(ids)) == len(ids)
    for paired in cup["rounds"]:
        for table in paired["tables"]:
            for game in table["games"]:
                view = client.view(game["game"])
                assert view["tournament"] == {
                    "id": cup["id"],
                    "round": paired["round"],
                    "table": table["table"],
                }
                players = [
                    seat["player"]["id" if "owner" in seat["player"] else "bot"]
                    for seat in view["seats"]
                ]
                assert players == game["seats"]
                results = [seat["result"] for seat in view["seats"]]
                assert [(r["total"], r["rank"]) for r in results] == [
                    (r["total"], r["rank"]) for r in game["results"]
                ]
    counted = recount(
        cup, lambda game: map(json.loads, client.text(f"/v1/games/{game}/history").splitlines())
    )
    assert differences(cup, counted) == []
    assert [row["rank"] for row in cup["standings"]] == sorted(row["rank"] for row in counted)


def test_external_and_built_in_bots_play_a_tournament_though_one_is_killed(stack, tmp_path):
    mine = str(tmp_path / "creator.token")
    cup = fogg(
        stack,
        "create",
        "Live cup",
        "--token-file",
        mine,
        "--duplicate",
        "--bots",
        "planner,random",
        "--per-decision",
        "30",
    )["id"]
    kept, killed = (External(stack, tmp_path, kind) for kind in ("Greedy", "Planner"))
    anybody = Client(stack.url)
    try:
        for bot in (kept, killed):
            bot.enter(cup)
            bot.start()
        assert fogg(stack, "start", cup, "--token-file", mine)["status"] == "running"
        account = Client(stack.url, killed.token.read_text().split()[0]).get("/v1/me")["id"]

        def under_way() -> bool:
            """Whether the bot to be killed is in the middle of a game."""
            games = anybody.get(f"/v1/tournaments/{cup}")["rounds"]
            mine = Client(stack.url, killed.token.read_text().split()[0])
            views = [
                mine.view(game["game"])
                for game in games_of({"rounds": games})
                if account in game["seats"] and "results" not in game
            ]
            return any(view["version"] > 20 and view["status"] == "playing" for view in views)

        until(under_way, TIMEOUT_S)
        killed.kill()
        time.sleep(1)
        killed.start()
        tournament = finished(anybody, cup)
    finally:
        kept.kill()
        killed.kill()
    assert (tournament["ending"], tournament["round"]) == ("complete", 3)
    assert len(games_of(tournament)) == 12
    assert {row.get("left") for game in games_of(tournament) for row in game["results"]} == {None}
    check(anybody, tournament)
    history = tmp_path / "history.ndjson"
    history.write_text(anybody.text(f"/v1/games/{games_of(tournament)[0]['game']}/history"))
    verified = run("verify", history)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    shown = run("tournament", "results", cup, "--server", stack.url)
    assert (shown.returncode, "Live cup" in shown.stdout) == (0, True)


def test_the_director_killed_in_the_middle_creates_no_game_twice(stack, tmp_path):
    """The first round waits for its time, also while the service is away."""
    mine, first = str(tmp_path / "creator.token"), as_time(int(1000 * (time.time() + 10)))
    cup = fogg(
        stack,
        "create",
        "Cup",
        "--token-file",
        mine,
        "--board",
        "london",
        "--duplicate",
        "--rounds",
        "2",
        "--bots",
        "planner,greedy,random",
        "--round-at",
        first,
        "--start",
    )["id"]
    anybody = Client(stack.url)
    waiting = anybody.get(f"/v1/tournaments/{cup}")
    assert (waiting["round"], waiting["next_round_at"]) == (0, first)
    for number in (0, 1, 2, 3):
        until(lambda n=number: anybody.get(f"/v1/tournaments/{cup}")["round"] >= n, TIMEOUT_S)
        stack.web.kill()
        with mended(stack, "web"):
            pass
    tournament = finished(anybody, cup)
    assert (tournament["ending"], tournament["round"]) == ("complete", 6)
    assert min(anybody.view(game["game"])["created"] for game in games_of(tournament)) >= first
    check(anybody, tournament)
    with connect(stack.redis.url) as redis:
        played = {
            key.decode()[3:-5]
            for key in redis.scan_iter("{g:*}:log")
            if cup.encode() in redis.xrange(key, count=1)[0][1][b"e"]
        }
    assert played == {game["game"] for game in games_of(tournament)}


def test_an_absent_entrant_loses_on_time(stack, tmp_path):
    mine = str(tmp_path / "creator.token")
    cup = fogg(
        stack,
        "create",
        "Cup",
        "--token-file",
        mine,
        "--per-decision",
        "0.5",
        "--bots",
        "greedy",
        "--rounds",
        "9",
    )["id"]
    External(stack, tmp_path, "Absent").enter(cup)
    leaver = External(stack, tmp_path, "Leaver")
    leaver.enter(cup)
    fogg(stack, "withdraw", cup, "--token-file", str(leaver.token))
    fogg(stack, "start", cup, "--token-file", mine)
    watched = run("tournament", "watch", cup, "--server", stack.url, "--json")
    tournament = json.loads(watched.stdout.splitlines()[-1])
    assert (tournament["ending"], tournament["round"]) == ("too_few", 3)
    assert tournament["standings"][0]["entrant"] == "greedy"
    assert {row.get("left") for row in games_of(tournament)[0]["results"]} == {None, "time"}
    assert [row.get("absent") for row in tournament["entrants"]] == [None, True]
