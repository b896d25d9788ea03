"""A web process within this one: what is sent to it is read, answered and streamed by the very code
of a real one, over a real Redis. Nothing waits for long."""

from __future__ import annotations

import os
import re
import socket
import tempfile
from pathlib import Path

import gevent
from gunicorn.config import Config

from service.app import create_app
from service.http.connections import Connections
from service.http.server import Worker
from service.redis.connection import EmbeddedRedis, connect
from service.redis.news import Follower, News
from tests.service.callers import begin, keep_tickets, sign_up

LISTENS = 0.2  # seconds for which a client takes what comes
ENDS = 10  # seconds in which an answer must have ended
STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")
ANEW = 400  # inputs after which there is a new game
LIMITS = ("accounts", "address", "requests", "actions", "creations")
CAPS = ("games", "bot_games", "tournaments", "bots", "tokens")


class Failed(Exception):
    """A forbidden outcome."""


class Served:
    """A service with two players, a game under way and one that is over.

    In what is sent, ``TOKEN-A`` and ``TOKEN-B`` stand for the players' tokens, ``GAME-A`` and
    ``GAME-B`` for the game under way and the one that is over.
    """

    def __init__(self):
        os.environ["FOGG_LIMITS"] = " ".join(f"{kind}=900000/60" for kind in LIMITS)
        os.environ["FOGG_CAPS"] = " ".join(f"{kind}=900000" for kind in CAPS)
        os.environ["FOGG_LOG_LEVEL"] = "error"
        self.redis = EmbeddedRedis(Path(tempfile.mkdtemp()) / "redis", durable=False).start()
        self.app = create_app(connect(self.redis.url))
        _hurry()
        config = Config()
        config.set("keepalive", 5)
        self._worker = Worker(1, os.getpid(), [], None, 30, config, config.logger_class(config))
        self._worker.wsgi, self._worker.connections = self.app, Connections()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.players = [sign_up(self.app, name) for name in ("Ada", "Grace")]
        self.over = self._game()
        self.players[1].play(self.over, {"type": "resign"})
        self._sent = 0

    def _game(self) -> str:
        game = begin(*self.players)
        keep_tickets(game, *self.players)
        return game

    def statuses(self, request: bytes) -> list[str]:
        """Return the statuses of the responses to some bytes; raise Failed for a 500, and for a
        response that does not end."""
        if self._sent % ANEW == 0:
            self.game = self._game()
        self._sent += 1
        for name, value in (
            ("TOKEN-A", self.players[0].account["token"]),
            ("TOKEN-B", self.players[1].account["token"]),
            ("GAME-A", self.game),
            ("GAME-B", self.over),
        ):
            request = request.replace(name.encode(), value.encode())
        answer = self._answer(request)
        statuses = [status.decode() for status in STATUS.findall(answer)]
        if "500" in statuses:
            raise Failed(f"{request!r} was answered with {answer[-2000:]!r}")
        return statuses

    def _answer(self, request: bytes) -> bytes:
        ours, theirs = socket.socketpair()
        received: list[bytes] = []
        listening = gevent.spawn(_listen, ours, request, received)
        try:
            with gevent.Timeout(ENDS, Failed(f"{request!r} is not answered to the end")):
                self._worker.handle(self._listener, theirs, ("127.0.0.1", 1))
        finally:
            theirs.close()
            listening.join()
            ours.close()
        return b"".join(received)


def _listen(ours: socket.socket, request: bytes, received: list[bytes]) -> None:
    """Send a request, and take what comes for a while."""
    try:
        ours.settimeout(LISTENS)
        ours.sendall(request)
        ours.shutdown(socket.SHUT_WR)
        with gevent.Timeout(LISTENS, False):
            while data := ours.recv(65536):
                received.append(data)
    except OSError:
        pass
    finally:
        ours.close()


def _hurry() -> None:
    """Disable waiting for news and for heartbeats."""
    wait, look = News.wait, Follower.wait
    News.wait = lambda self, topic, seconds, is_over: wait(self, topic, min(seconds, 0.02), is_over)
    Follower.wait = lambda self, seconds: look(self, min(seconds, 0.05))


def request(method: str, path: str, body: str = "", **headers: str) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: fogg"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body.encode())}"]
    return "\r\n".join([*lines, "", body]).encode()
