"""Games of two web processes that go back as a replica that lagged takes over: bots of one's own,
which the package's runner plays, and those who watch go on by themselves."""

import json
import sys
import threading
import time

import pytest
from fogg_client import Bot
from fogg_client.assignment import Assignment
from fogg_client.client import Client
from fogg_client.runner import run

from service.games.store import GameStore
from service.redis.connection import connect
from tests.waiting import until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
LAG = 10  # entries at least that the replica lacks of a game
GAMES = 2


class Hasty(Bot):
    """Plays for a while, then resigns: a whole game would not show more than half of one."""

    def choose(self, view):
        time.sleep(0.02)
        return {"type": "resign"} if view["version"] > 60 else view["you"]["legal_actions"][0]


class Watcher(threading.Thread):
    """Follows a game, and keeps what it holds."""

    def __init__(self, client: Client, game: str):
        super().__init__(daemon=True)
        self._client, self._game = client, game
        self.entries: list[dict] = []
        self.losses: list[dict] = []

    def run(self) -> None:
        for message in self._client.stream(f"/v1/games/{self._game}/events"):
            told = json.loads(message.data)
            if message.event == "lost":
                self.losses.append(told)
                del self.entries[told["version"] :]
            elif message.event == "entry":
                self.entries.append(told)


@pytest.mark.deep
def test_players_and_watchers_continue_after_a_rollback(tmp_path):
    from tools.faults.replicas import Pair

    with Pair(tmp_path) as world:
        told: list[tuple[str, dict]] = []
        client = Client(world.url, patience=60).sign_up("Ann")
        player = threading.Thread(
            daemon=True,
            target=lambda: told.extend(
                run(client, Hasty, Assignment(games=GAMES, at_once=GAMES, against="random"))
            ),
        )
        player.start()
        games = _games_from(client, 15)
        watchers = [Watcher(Client(world.url, patience=60), game) for game in games]
        for watcher in watchers:
            watcher.start()
        world.replication.silence(True)
        behind = _versions(client)
        until(
            lambda: all(version > behind[game] + LAG for game, version in _versions(client).items())
        )
        world.fail_over()
        player.join(120)
        assert not player.is_alive()
        assert [event for event, _ in told].count("over") >= GAMES
        assert {event for event, _ in told} == {"created", "over"}
        for watcher, game in zip(watchers, games, strict=True):
            watcher.join(30)
            assert not watcher.is_alive()
            with connect(world.primary.url) as redis:
                stored = [entry_hash for _, entry_hash in GameStore(redis, {}).entries(game)]
            assert [entry["hash"] for entry in watcher.entries] == stored
            assert sum(lost["previous_version"] - lost["version"] for lost in watcher.losses) >= LAG
        log = (world.data / "web.log").read_text()
        assert all(f"{game} has gone back" in log for game in games)
        metrics = Client(world.direct).text("/metrics")
        lost = next(
            line for line in metrics.splitlines() if line.startswith("fogg_lost_entries_total")
        )
        assert float(lost.split()[1]) >= GAMES * LAG


def _versions(client: Client) -> dict[str, int]:
    items = client.get("/v1/games", player="me")["items"]
    return {row["id"]: row["version"] for row in items}


def _games_from(client: Client, version: int) -> list[str]:
    """Return the games once all have come to a version."""
    until(lambda: len(versions := _versions(client)) == GAMES and min(versions.values()) >= version)
    return sorted(_versions(client))
