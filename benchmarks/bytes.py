"""What a bot's game costs on the wire: every byte, headers included, that it sends and is sent.

A planner plays a whole game against a greedy one, by the account's stream of notices and a request
for each action, in several ways; the same game each time. Between it and the service everything
passes a place where it is counted. ``full`` is what a client gets that asks for nothing special.
"""

from __future__ import annotations

import json
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from random import Random
from urllib.parse import urlsplit

import click
from fogg_client import Client, expanded

from benchmarks.compare import ratio, show
from benchmarks.temporary import service
from domain.boards import load_folder
from workers.bots import BOTS

MOST = 250_000  # bytes that a bot's game on Europe may cost
SEED = "f099" * 16


@dataclass(frozen=True)
class Way:
    """How a bot asks: for views with legal actions in this form, compressed, and whether the answer
    to an action is to have one."""

    listed: str = "true"
    compressed: bool = False
    views: bool = True


WAYS = {
    "full": Way(),
    "full, compressed": Way(compressed=True),
    "grouped": Way("grouped"),
    "grouped, compressed": Way("grouped", compressed=True),
    "grouped, minimal": Way("grouped", views=False),
    "grouped, minimal, compressed": Way("grouped", compressed=True, views=False),
}


def measure(boards: tuple[str, ...] = ()) -> dict:
    """Return the bytes of a game on each board, by each way."""
    figures: dict[str, int] = {}
    with service() as stack:
        for board in boards or load_folder():
            for name, way in WAYS.items():
                with counting(stack.url) as (url, counts):
                    actions = play(stack.url, url, board, way)
                figures[f"{board}, {name}"] = sum(counts.values())
            figures[f"{board}, actions of the bot"] = actions
    asked = [size for name, size in figures.items() if name.endswith(", grouped, compressed")]
    return {
        "benchmark": "bytes", "yardstick": f"{MOST:,} bytes",
        "ratios": [ratio("the longest game, as fogg_client asks", "bytes", [max(asked)], [MOST],
                         at_most=1.0)],
        "figures": figures,
    }


@contextmanager
def counting(url: str) -> Iterator[tuple[str, Counter[str]]]:
    """Give an address where everything is handed on to a service, and counted."""
    at, counts = urlsplit(url), Counter[str]()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def hand_on(one: socket.socket, other: socket.socket, what: str) -> None:
            with suppress(OSError):
                while data := one.recv(1 << 16):
                    counts[what] += len(data)
                    other.sendall(data)
                other.shutdown(socket.SHUT_WR)

        def accept() -> None:
            with suppress(OSError):
                while True:
                    caller, _ = server.accept()
                    called = socket.create_connection((at.hostname, at.port))
                    for one, other, what in ((caller, called, "sent"), (called, caller, "come")):
                        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                        threading.Thread(target=hand_on, args=(one, other, what),
                                         daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}", counts


def play(direct: str, counted: str, board: str, way: Way) -> int:
    """Play a game; return how many actions the bot has played, whose requests are counted."""
    mine, other = (Client(direct).sign_up(name) for name in ("Ann", "Bob"))
    me = Client(counted, mine.token, compressed=way.compressed)
    table, query = mine.get(f"/v1/boards/{board}"), f"?legal_actions={way.listed}"
    bots = [BOTS[name](table, Random(1)) for name in ("planner", "greedy")]
    notices = me.stream(f"/v1/me/events{query}")
    game = mine.post("/v1/games", {
        "board": board, "seats": [{"player": "me"}, {"open": True}],
        "options": {"seed": SEED, "first_seat": 0}})["id"]
    other.post(f"/v1/games/{game}/seats", {})
    prefer = {} if way.views else {"Prefer": "return=minimal"}
    path, actions, seen = f"/v1/games/{game}/actions", 0, 0
    for message in notices:
        notice = json.loads(message.data)
        if notice["type"] == "over":
            return actions
        if notice["type"] != "your_turn" or notice["version"] <= seen:
            continue
        view = expanded(notice["view"])
        while view["you"].get("legal_actions"):
            answer = me.post(path + (query if way.views else ""), bots[0].choose(view),
                             {"If-Match": f'"{view["version"]}"'} | prefer)
            actions, seen = actions + 1, answer["version"]
            if not way.views:  # the next comes by the stream
                seen -= 1
                break
            view = expanded(answer["view"])
        while (theirs := other.view(game))["you"].get("legal_actions"):
            other.play(theirs, bots[1].choose(theirs))
    raise RuntimeError("the stream has ended before the game")


@click.command()
@click.option("--board", "boards", multiple=True, help="Only on this board; may be repeated.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(boards: tuple[str, ...], as_json: bool) -> None:
    """Count the bytes of a bot's game, by each way to ask for it.

    \b
    Example:
      python -m benchmarks.bytes --board europe
    """
    show(measure(boards), as_json)


if __name__ == "__main__":
    main()
