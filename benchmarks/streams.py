"""Measures actions while a thousand idle event streams are open.

The yardstick is the same service without streams. Half of the streams follow a game, half an
account.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Annotated

from fogg_client.client import Client

from benchmarks.http import GAMES, Couple
from benchmarks.runner import Clients, Rounds, Seconds, by_turns, command, ratio
from benchmarks.services import service
from benchmarks.wire import connect, drive, get
from domain.boards import load_folder
from service.operation.stack import Stack

AT_LEAST = 0.8
ACCOUNTS = 20


def measure(
    rounds: Rounds = 5, seconds: Seconds = 3.0, clients: Clients = 32,
    streams: Annotated[int, "How many streams are open."] = 1000,
) -> dict:
    """Return actions a second with so many idle streams, and without any."""
    board = load_folder()["usa"]
    with service() as busy, service() as quiet, idle_streams(busy, streams) as held:
        couples = [[Couple(stack.url, board) for _ in range(clients)] for stack in (busy, quiet)]

        def rate(which: int) -> float:
            scripts = [couple.requests(GAMES) for couple in couples[which]]
            return drive((busy, quiet)[which].url, scripts, seconds).rate

        with_streams, without = by_turns(rounds, lambda: rate(0), lambda: rate(1))
        alive = sum(map(_is_open, held))
    return {
        "benchmark": "streams", "yardstick": "the same service without streams",
        "ratios": [ratio(f"an action beside {streams} idle streams", "requests/s", with_streams,
                         without, at_least=AT_LEAST)],
        "figures": {"streams open at the end": alive},
    }


@contextmanager
def idle_streams(stack: Stack, count: int) -> Iterator[list[socket.socket]]:
    """Hold so many streams open on which nothing happens; yield their sockets."""
    people = [Client(stack.url).sign_up("Ann") for _ in range(ACCOUNTS)]
    wish = {"board": "usa", "seats": [{"player": "me"}, {"open": True}]}
    games = [person.post("/v1/games", wish)["id"] for person in people]
    with ExitStack() as held:
        sockets = []
        for number in range(count):
            person = number % ACCOUNTS
            path = f"/v1/games/{games[person]}/events" if number % 2 else "/v1/me/events"
            sockets.append(held.enter_context(connect(stack.url)))
            sockets[-1].sendall(get(path, Accept="text/event-stream",
                                    Authorization=f"Bearer {people[person].token}"))
        for connection in sockets:
            begun = connection.recv(1 << 16)
            if not begun.startswith(b"HTTP/1.1 200 "):
                raise ConnectionError(begun.decode(errors="replace"))
        yield sockets


def _is_open(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        while data := connection.recv(1 << 16):
            if data.endswith(b"\r\n0\r\n\r\n"):
                return False
    except BlockingIOError:
        return True
    return False


if __name__ == "__main__":
    command(measure)()
