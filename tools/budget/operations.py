"""The operations whose costs are counted, on a real Redis.

Each is done twice and counted the second time, when caches are full."""

from __future__ import annotations

import functools
import gzip
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import orjson
from flask import Flask
from redis import Redis

from domain.boards import load_folder
from domain.game.commands import CreateGame, Player
from service.app import create_app
from service.games.store import GameStore
from service.games.sweep import sweep
from service.http import serving
from service.http.reading import Body
from tools.budget import still
from tools.budget.meter import ANSWER, Costs, Meter, per
from tools.games import random_game

BATCH = 20  # actions in one request
BATCHES = 10


class Operations:
    """The service in this process, called as a WSGI application, and what it costs."""

    def __init__(self, redis: Redis, meter: Meter):
        still.draw_again()
        self.redis, self.meter, self.costs = redis, meter, Costs()
        self.app = create_app(redis)
        self.boards = load_folder()
        self._answer_bytes = 0
        accounts = [self.ask("/v1/players", body={"name": name}) for name in ("Ann", "Bob")]
        self.tokens = [account["token"] for account in accounts]
        self.invited = {"invite": accounts[1]["id"]}
        players = [Player(f"p_{seat:020}", f"player {seat}") for seat in range(2)]
        command = CreateGame(
            "g_" + 20 * "0", players[0].id, tuple((p, None) for p in players), still.SEED
        )
        _, *steps = random_game(self.boards["usa"], command, Random(1))
        self.steps = [(seat, action.json) for seat, action, _, _ in steps]

    def measure(self) -> Costs:
        """Return the costs of everything that the service does for a request."""
        for _ in range(2):
            self._measure_game()
            self._measure_batch()
        return self.costs

    def _measure_game(self) -> None:
        game = self._count("create a game", 1, lambda: self._create({"open": True}))
        version = self._count("join a game", 1, lambda: self._join(game))
        last = version + len(self.steps) - 1
        half = len(self.steps) // 2
        self._count("action", half, lambda: self._play(game, self.steps[:half], version))
        path = f"/v1/games/{game}"
        self._count("view", 1, lambda: self.ask(path, self.tokens[0]))
        self._count(
            "grouped view", 1, lambda: self.ask(f"{path}?legal_actions=grouped", self.tokens[0])
        )
        rest = self.steps[half:-1]
        self._count(
            "action without query and gzip",
            len(rest),
            lambda: self._play(game, rest, version + half, query="", accepts=""),
        )
        self._count("finish", 1, lambda: self._play(game, self.steps[-1:], last))
        games = serving.services(self.app).games
        still.advance(60)  # the sweep leaves alone what is under way
        self._count("sweep after a finish, with ratings", 1, lambda: self.follow(sweep, games))
        store = GameStore(self.redis, self.boards)
        self._count("fold an entry", last + 1, lambda: self.follow(store.load, game))

    def _measure_batch(self) -> None:
        games, versions = [], []
        for _ in range(BATCH):  # invited, as nobody gets so many open seats without playing
            games.append(self._create(self.invited))
            versions.append(self._join(games[-1]))
        self._count(
            "action in a batch of 20",
            BATCH * BATCHES,
            lambda: self._play_together(games, versions[0]),
        )

    def _create(self, other: dict) -> str:
        wish = {
            "board": "usa",
            "seats": [{"player": "me"}, other],
            "options": {"on_timeout": "resign"},
        }
        return self.ask("/v1/games", self.tokens[0], wish, key="create")["id"]

    def _join(self, game: str) -> int:
        return self.ask(f"/v1/games/{game}/seats", self.tokens[1], {}, key="join")["version"]

    def _play(
        self,
        game: str,
        steps: list[tuple[int, dict]],
        version: int,
        query: str = "?legal_actions=grouped",
        accepts: str = "gzip",
    ) -> None:
        for at, (seat, action) in enumerate(steps, version):
            still.advance(0.001)
            self.ask(
                f"/v1/games/{game}/actions{query}",
                self.tokens[seat],
                action,
                key="action",
                version=at,
                accepts=accepts,
            )

    def _play_together(self, games: list[str], version: int) -> None:
        for at, (seat, action) in enumerate(self.steps[:BATCHES], version):
            still.advance(0.001)
            items = [
                {
                    "game": game,
                    "action": action,
                    "if_match": at,
                    "key": still.random_bytes(16).hex(),
                }
                for game in games
            ]
            answer = self.ask(
                "/v1/me/actions?legal_actions=grouped", self.tokens[seat], {"items": items}
            )
            assert all(item["status"] == 200 for item in answer["items"]), answer

    def ask(
        self,
        path: str,
        token: str = "",
        body: Mapping[str, Any] | None = None,
        key: str = "",
        version: int | None = None,
        accepts: str = "gzip",
    ) -> Any:
        """Return the answer to a request with the headers that ``fogg_client`` sends."""
        path, _, query = path.partition("?")
        data = b"" if body is None else orjson.dumps(body)
        headers = {
            "HTTP_ACCEPT_ENCODING": accepts,
            "HTTP_HOST": "127.0.0.1:8000",
            "HTTP_USER_AGENT": "python-urllib3/2.5.0",
        }
        if token:
            headers["HTTP_AUTHORIZATION"] = f"Bearer {token}"
        if body is not None:
            headers |= {"CONTENT_TYPE": "application/json", "CONTENT_LENGTH": str(len(data))}
        if key:
            headers["HTTP_IDEMPOTENCY_KEY"] = key + still.random_bytes(12).hex()
        if version is not None:
            headers["HTTP_IF_MATCH"] = f'"{version}"'
        environ = {
            "REQUEST_METHOD": "GET" if body is None else "POST",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": "8000",
            "REMOTE_ADDR": "127.0.0.1",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "wsgi.input": Body(data),
            "wsgi.url_scheme": "http",
            **{name: value for name, value in headers.items() if value},
        }
        status, head, answer = answer_of(self.app, environ, self.meter)
        if dict(head).get("Content-Encoding") == "gzip":
            answer = gzip.decompress(answer)
        self._answer_bytes += len(answer)
        assert status[:2] == "20", (status, answer)
        return orjson.loads(answer)

    def follow(self, work: Callable[..., Any], *args: Any) -> None:
        """Do some work, and count the calls that it makes."""
        self.meter.is_on = True
        work(*args)
        self.meter.is_on = False

    def _count(self, operation: str, times: int, work: Callable[[], Any]) -> Any:
        self._answer_bytes = 0
        with self.meter.counting() as counts:
            came = work()
        if self._answer_bytes:
            counts[ANSWER] = self._answer_bytes
        self.costs[operation] = per(counts, times)
        return came


def answer_of(
    app: Flask, environ: dict[str, Any], meter: Meter
) -> tuple[str, list[tuple[str, str]], bytes]:
    """Return the status, the headers and the body of an answer; count what they cost."""
    begun: list[tuple[str, list[tuple[str, str]]]] = []
    start = functools.partial(_note, begun)
    meter.is_on = True
    body = b"".join(app(environ, start))
    meter.is_on = False
    return *begun[0], body


def _note(begun: list, status: str, head: list, error: object = None) -> None:
    begun.append((status, head))
