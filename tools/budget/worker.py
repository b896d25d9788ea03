"""The costs of a built-in bot's move, for the worker and for the service."""

from __future__ import annotations

import io
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from http.server import BaseHTTPRequestHandler, HTTPServer
from unittest.mock import patch

from flask import Flask

from service.accounts import bots
from service.accounts.tokens import new_token
from tools.budget import still
from tools.budget.meter import COMMANDS, RECEIVED, SENT, Costs, Meter, per
from tools.budget.operations import Operations, answer_of
from workers import queue, tokens

GAMES = 4  # that the worker plays side by side


def measure(operations: Operations, redis_url: str) -> Costs:
    """Return the costs of a move of ``greedy``, by the worker and by the service."""
    still.draw_again()  # other draws would lead to other games, and so to other counts
    known = {bot: [new_token() for _ in range(bots.SEATS)] for bot in bots.BOTS}
    with patch.object(bots, "known_tokens", lambda _: known):
        bots.register(operations.redis)
    with (
        Meter(redis_url) as service_meter,
        _serving(operations.app, service_meter) as url,
        patch.dict(os.environ, FOGG_REDIS_URL=redis_url, FOGG_URL=url),
        patch.object(tokens, "of_bots", cache(lambda: known)),
    ):
        return _played(operations, service_meter)


def _played(operations: Operations, service_meter: Meter) -> Costs:
    from workers import play  # reads where the service is

    seats = [{"bot": "greedy"}, {"bot": "greedy"}]
    wish = {"board": "usa", "seats": seats, "options": {"first_seat": 0}}
    for _ in range(2):  # the first time fills caches
        games = [
            operations.ask("/v1/games", operations.tokens[0], wish, key="bots")["id"]
            for _ in range(GAMES)
        ]
        with operations.meter.counting() as by_worker, service_meter.counting() as by_service:
            operations.follow(lambda: play.player.play(*queue.take({queue.BOTS: 1})))
        views = [operations.ask(f"/v1/games/{game}") for game in games]
        assert all(view["status"] == "finished" for view in views), views
        moves = sum(view["version"] - 1 for view in views)
    for total in (COMMANDS, SENT, RECEIVED):  # the service's count has them, too
        del by_worker[total]
    return {
        "a bot's move: worker": per(by_worker, moves),
        "a bot's move: service": per(by_service, moves),
    }


@contextmanager
def _serving(app: Flask, meter: Meter) -> Iterator[str]:
    """Serve an application over HTTP in a thread of its own, whose calls a meter counts."""
    connections: list[socket.socket] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            super().setup()
            connections.append(self.connection)

        def handle_one_request(self) -> None:
            self.raw_requestline = self.rfile.readline()
            if not self.raw_requestline or not self.parse_request():
                self.close_connection = True
                return
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            path, _, query = self.path.partition("?")
            environ = {
                "REQUEST_METHOD": self.command,
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "SERVER_NAME": "127.0.0.1",
                "SERVER_PORT": "80",
                "SERVER_PROTOCOL": "HTTP/1.1",
                "REMOTE_ADDR": "127.0.0.1",
                "wsgi.input": io.BytesIO(body),
                "wsgi.url_scheme": "http",
                "CONTENT_LENGTH": str(len(body)),
                "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                **{
                    f"HTTP_{name.upper().replace('-', '_')}": value
                    for name, value in self.headers.items()
                },
            }
            status, head, answer = answer_of(app, environ, meter)
            lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in head)]
            # in one piece, so that the worker always reads it in as many
            self.wfile.write("\r\n".join(lines).encode() + b"\r\n\r\n" + answer)

    server = HTTPServer(("127.0.0.1", 0), Handler)
    meter.follow_new_threads()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    threading.setprofile(None)
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        for connection in connections:  # the worker keeps its connection open
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        server.shutdown()
        thread.join()
        server.server_close()
