"""Streams that nobody talks on: how fast actions are answered while a thousand are open.

The yardstick is the same service without them. Half of the streams follow a game, half an account.
"""

from __future__ import annotations

import socket
from contextlib import ExitStack, contextmanager

import click
from fogg_client.client import Client

from benchmarks.compare import by_turns, ratio, show
from benchmarks.http import GAMES, Couple
from benchmarks.temporary import service
from benchmarks.wire import connect, drive, get
from domain.boards import load_folder
from service.operation.stack import Stack

AT_LEAST = 0.8
ACCOUNTS = 20


def measure(rounds: int = 5, seconds: float = 3.0, clients: int = 32, idle: int = 1000) -> dict:
    """Return actions a second with so many idle streams open, against none."""
    board = load_folder()["usa"]
    with service() as busy, service() as quiet, idle_streams(busy, idle) as held:
        couples = [[Couple(stack.url, board) for _ in range(clients)] for stack in (busy, quiet)]

        def rate(which: int) -> float:
            scripts = [couple.requests(GAMES) for couple in couples[which]]
            return drive((busy, quiet)[which].url, scripts, seconds).rate

        with_streams, without = by_turns(rounds, lambda: rate(0), lambda: rate(1))
        alive = sum(map(_is_open, held))
    return {
        "benchmark": "streams", "yardstick": "the same service without streams",
        "ratios": [ratio(f"an action beside {idle} idle streams", "requests/s", with_streams,
                         without, at_least=AT_LEAST)],
        "figures": {"streams open at the end": alive},
    }


@contextmanager
def idle_streams(stack: Stack, count: int):
    """Hold so many streams open; give their sockets."""
    people = [Client(stack.url).sign_up("Ann") for _ in range(ACCOUNTS)]
    wish = {"board": "usa", "seats": [{"player": "me"}, {"open": True}]}
    games = [person.post("/v1/games", wish)["id"] for person in people]
    wanted = []
    for number in range(count):
        who = number % ACCOUNTS
        path = f"/v1/games/{games[who]}/events" if number % 2 else "/v1/me/events"
        wanted.append((path, people[who].token))
    with streams(stack, wanted) as sockets:
        yield sockets


@contextmanager
def streams(stack: Stack, wanted: list[tuple[str, str]]):
    """Hold a stream open for each path and token; give their sockets, on which nobody reads."""
    with ExitStack() as held:
        sockets = []
        for path, token in wanted:
            sockets.append(held.enter_context(connect(stack.url)))
            sockets[-1].sendall(get(path, Accept="text/event-stream",
                                    Authorization=f"Bearer {token}"))
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


@click.command()
@click.option("--rounds", default=5, show_default=True, help="How often each service has its turn.")
@click.option("--seconds", default=3.0, show_default=True, help="How long a turn lasts, at most.")
@click.option("--streams", default=1000, show_default=True, help="Streams that are held open.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(rounds: int, seconds: float, streams: int, as_json: bool) -> None:
    """Compare actions beside many idle streams with actions beside none.

    \b
    Example:
      python -m benchmarks.streams --rounds 3
    """
    show(measure(rounds, seconds, idle=streams), as_json)


if __name__ == "__main__":
    main()
