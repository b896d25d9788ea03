"""Measures a built-in bot's action through the queue.

The yardstick is the same bot in this process, which gets the view, chooses and posts its action
with the HTTP client that the worker uses.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from random import Random
from statistics import mean, median
from typing import Annotated

from fogg_client.client import Client

from benchmarks.runner import Rounds, by_turns, command, ratio
from benchmarks.services import service
from workers.bots import BOTS

AT_MOST = 2
HUMAN, OTHER = 0, 1  # seats
FIRST = {"first_seat": HUMAN}
PAUSE = 0.1  # seconds between two polls of a game


@dataclass
class Waits:
    """How long a person waited in a game, in milliseconds for each of the other's turns."""

    first: list[float] = field(default_factory=list)  # until the other's first action was seen
    whole: list[float] = field(default_factory=list)  # until the other's turn was over
    moves: int = 0  # actions in these turns
    entries: float = 0  # from the person's entry to the other's, the mean


def measure(
    rounds: Rounds = 5, turns: Annotated[int, "Turns of the person in each game."] = 25,
    bot: Annotated[str, "A quick bot shows most of the queue's cost."] = "random",
) -> dict:
    """Return the time of a bot's action through the queue and directly.

    In each round a person plays against the bot, and the bot plays a game against itself: once by a
    worker and once in this process.
    """
    with service(workers=1) as stack:
        table = _Table(stack.url, bot)
        queued, direct, games, direct_games = by_turns(
            rounds, lambda: table.person_and_worker(turns), lambda: table.person_and_direct(turns),
            table.bots_by_worker, table.bots_directly)

    def compared(what: str, cost, **bounds) -> dict:
        return ratio(what, "ms", *([cost(waits) for waits in kind] for kind in (queued, direct)),
                     **bounds)

    return {
        "benchmark": "queue", "yardstick": "the same bot, posting directly",
        "ratios": [
            compared("a person sees a bot's first action after",
                     lambda waits: median(waits.first), at_most=AT_MOST),
            compared("and its whole turn, each action of it",
                     lambda waits: sum(waits.whole) / waits.moves, at_most=AT_MOST),
            compared("from the person's entry to the bot's",
                     lambda waits: waits.entries, at_most=AT_MOST),
            ratio("an action of a game of bots", "ms", games, direct_games, at_most=AT_MOST),
        ],
        "figures": {"bot": bot, "actions in a turn":
                    sum(w.moves for w in queued) / sum(len(w.whole) for w in queued)},
    }


class _Table:
    """Two accounts, and a built-in bot in this process."""

    def __init__(self, url: str, bot: str):
        self._name, self._rng = bot, Random()
        self._ann, self._bob = (Client(url).sign_up(name) for name in ("Ann", "Bob"))
        self._bot = BOTS[bot](self._ann.get("/v1/boards/usa"), self._rng)

    def person_and_worker(self, turns: int) -> Waits:
        """Play Ann against the built-in bot."""
        game = self._create({"player": "me"}, {"bot": self._name})["id"]
        while _waits_for(view := self._ann.view(game), OTHER):  # it chooses its tickets
            time.sleep(PAUSE)
        return self._person(view, turns, self._by_worker)

    def person_and_direct(self, turns: int) -> Waits:
        """Play Ann against Bob, whose actions the bot in this process chooses."""
        view = self._create({"player": "me"}, {"open": True})
        view = self._bob.post(f"/v1/games/{view['id']}/seats", {})
        self._move(self._bob, view)
        return self._person(self._ann.view(view["id"]), turns, self._by_bob)

    def bots_by_worker(self) -> float:
        """Return the milliseconds of an action in a game of two built-in bots."""
        game = self._create({"bot": self._name}, {"bot": self._name})["id"]
        while self._ann.get(f"/v1/games/{game}")["status"] != "finished":
            time.sleep(PAUSE)
        return self._milliseconds_a_move(game)

    def bots_directly(self) -> float:
        """Return the milliseconds of an action in a game of two bots in this process."""
        view = self._create({"player": "me"}, {"open": True})
        game = view["id"]
        view = self._bob.post(f"/v1/games/{game}/seats", {})
        while view["deciding"]:
            seat = view["deciding"][0]["seat"]
            client = (self._ann, self._bob)[seat]
            if view["you"]["seat"] != seat:
                view = client.view(game)
            view = self._move(client, view)
        return self._milliseconds_a_move(game)

    def _create(self, *seats: dict) -> dict:
        return self._ann.post("/v1/games", {"board": "usa", "seats": seats, "options": FIRST})

    def _person(self, view: dict, turns: int, others_turn) -> Waits:
        """Play some random turns of Ann's; return how long she waited."""
        waits = Waits()
        while view["deciding"] and len(waits.whole) < turns:
            action = self._rng.choice(view["you"]["legal_actions"])
            view = self._ann.play(view, action)["view"]
            answered = time.perf_counter()
            if _waits_for(view, OTHER):
                seen = others_turn(view)
                waits.first.append(1000 * (seen[0] - answered))
                waits.whole.append(1000 * (seen[-1] - answered))
                waits.moves += len(seen)
                view = self._ann.view(view["id"])
        entries = self._ann.get(f"/v1/games/{view['id']}/events")["items"]
        waits.entries = mean(_milliseconds(one, other) for one, other in pairwise(entries)
                             if (one.get("seat"), other.get("seat")) == (HUMAN, OTHER))
        if view["deciding"]:
            self._ann.play(view, {"type": "resign"})
        return waits

    def _by_worker(self, view: dict) -> list[float]:
        """Wait for the end of the built-in bot's turn; return when Ann saw each action of it."""
        seen, after, going = [], view["version"], True
        while going:
            page = self._ann.get(f"/v1/games/{view['id']}/events", after=after, wait=20)
            seen += len(page["items"]) * [time.perf_counter()]
            after = page["next"]
            going = after is not None and not any(
                event["type"] == "turn_began" for entry in page["items"]
                for event in entry["events"])
        return seen

    def _by_bob(self, view: dict) -> list[float]:
        """Play Bob's turn; return when each action of it was answered."""
        view, seen = self._bob.view(view["id"]), []
        while _waits_for(view, OTHER):
            view = self._move(self._bob, view)
            seen.append(time.perf_counter())
        return seen

    def _move(self, client: Client, view: dict) -> dict:
        return client.play(view, self._bot.choose(view))["view"]

    def _milliseconds_a_move(self, game: str) -> float:
        """Return the mean milliseconds between two actions of a finished game, by its history."""
        played = [entry for entry in self._ann.entries(game)
                  if "action" in entry or entry["events"][-1]["type"] == "tickets_drawn"]
        return _milliseconds(played[0], played[-1]) / (len(played) - 1)


def _milliseconds(one: dict, other: dict) -> float:
    """Return the milliseconds between two entries."""
    start, end = (datetime.fromisoformat(entry["at"]) for entry in (one, other))
    return 1000 * (end - start).total_seconds()


def _waits_for(view: dict, seat: int) -> bool:
    return any(row["seat"] == seat for row in view["deciding"])


if __name__ == "__main__":
    command(measure)()
