"""What clients do under load. A scenario is played again and again until the run is over; whoever
plays it has some accounts, which speak one after the other."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from typing import Any

from fogg_client.accounts import PATIENCE_AT_FIRST
from fogg_client.client import Client
from fogg_client.problems import Problem

from cli.load.run import FAILURES, Over, Run, Settings

LOOK = 0.1  # seconds between two looks at a tournament that waits for its next round
SIGNING_UP = 120.0  # seconds to wait where so many accounts from one address are refused for now
PAUSE = 0.2  # seconds to leave a service alone that has refused something
RESIGN: Any = {"type": "resign"}
Accounts = dict[str, Client]  # by player's id


@dataclass(frozen=True)
class Scenario:
    """Something to do, for so many accounts."""

    accounts: int
    play: Callable[[Run, Accounts], None]


def bots(run: Run, accounts: Accounts) -> None:
    """Play a game for two at random, both seats: look, then act."""
    ann, bob = accounts.values()
    wish = {"board": run.settings.board, "seats": [{"player": "me"}, {"open": True}]}
    game = run.ask("create a game", ann.post, "/v1/games", wish)["id"]
    with _or_else(ann.post, f"/v1/games/{game}/abort", {}):
        run.ask("join", bob.post, f"/v1/games/{game}/seats", {})
    _play(run, accounts, game)


def lobbies(run: Run, accounts: Accounts) -> None:
    """Create a game, list those that wait, join, leave, join again, call it off."""
    ann, bob = accounts.values()
    wish = {"board": run.settings.board,
            "seats": [{"player": "me"}, {"open": True}, {"open": True}]}
    game = run.ask("create a game", ann.post, "/v1/games", wish)["id"]
    with _or_else(ann.post, f"/v1/games/{game}/abort", {}):
        run.ask("list lobbies", bob.get, "/v1/games", status="lobby")
        run.ask("join", bob.post, f"/v1/games/{game}/seats", {})
        run.ask("leave", bob.delete, f"/v1/games/{game}/seats/1")
        run.ask("join", bob.post, f"/v1/games/{game}/seats", {})
        run.ask("list one's games", bob.get, "/v1/games", player=next(reversed(accounts)))
        run.ask("call off", ann.post, f"/v1/games/{game}/abort", {})


def tournaments(run: Run, accounts: Accounts) -> None:
    """Hold a round robin, and play its games."""
    organiser, *_ = accounts.values()
    wish = {"name": "Load", "boards": [run.settings.board], "clock": {"per_decision": 60}}
    cup = run.ask("create a tournament", organiser.post, "/v1/tournaments", wish)["id"]
    with _or_else(_end, accounts, cup):
        for client in accounts.values():
            run.ask("enter", client.post, f"/v1/tournaments/{cup}/entries", {})
        run.ask("start", organiser.post, f"/v1/tournaments/{cup}/start", {})
        _play_rounds(run, accounts, cup)


PLAYERS, VISITORS, ORGANISER = Scenario(2, bots), Scenario(2, lobbies), Scenario(4, tournaments)
# name -> what clients do, who take these in turn
SCENARIOS = {
    "bots": [PLAYERS], "watchers": [PLAYERS], "lobbies": [VISITORS], "tournaments": [ORGANISER],
    "mix": [PLAYERS, VISITORS, PLAYERS, ORGANISER, PLAYERS],
}


def sign_up(settings: Settings, name: str) -> list[tuple[Scenario, Accounts]]:
    """Return what each client does, and its accounts, which try nothing twice, so that whatever
    fails is counted."""
    kinds = SCENARIOS[name]
    Client(settings.server, patience=PATIENCE_AT_FIRST).get("/healthz")
    found, anybody = [], Client(settings.server, patience=SIGNING_UP)
    for number in range(settings.clients):
        scenario = kinds[number % len(kinds)]
        made = [anybody.post("/v1/players", {"name": f"load {number}.{place}"})
                for place in range(scenario.accounts)]
        found.append((scenario, {one["id"]: Client(settings.server, one["token"], patience=0)
                                 for one in made}))
    return found


def begin(run: Run, clients: list[tuple[Scenario, Accounts]]) -> list[threading.Thread]:
    """Let all clients play until the run is over; return the threads that they do it in."""
    threads = [threading.Thread(target=_play_on, args=(run, *client), daemon=True)
               for client in clients]
    for thread in threads:
        thread.start()
    return threads


def _play_on(run: Run, scenario: Scenario, accounts: Accounts) -> None:
    while True:
        try:
            scenario.play(run, accounts)
        except Over:
            return
        except FAILURES as failure:  # counted already
            run.rest(max(PAUSE, getattr(failure, "retry_after", 0)))


def _play(run: Run, accounts: Accounts, game: str) -> None:
    """Play a game to its end, for all seats."""
    sent = dict[int, float]()
    for _ in range(run.settings.watchers):
        threading.Thread(target=_watch, args=(run, game, sent), daemon=True).start()
    player = next(iter(accounts))
    with _or_else(_resign, accounts[player], game):
        view = run.ask("look", accounts[player].view, game)
        for number in count(1):
            if not view["you"].get("legal_actions"):
                player = view["seats"][view["deciding"][0]["seat"]]["player"]["id"]
                view = run.ask("look", accounts[player].view, game)
            sent[view["version"] + 1] = time.perf_counter()
            is_enough = number == run.settings.actions
            action = RESIGN if is_enough else random.choice(view["you"]["legal_actions"])
            view = run.ask("act", accounts[player].play, view, action)["view"]
            if view["status"] == "finished":
                return


def _watch(run: Run, game: str, sent: dict[int, float]) -> None:
    """Note how long each entry of a game takes to be seen from when its action was ``sent``."""
    try:
        for message in Client(run.settings.server).stream(f"/v1/games/{game}/events"):
            if message.event == "entry" and (since := sent.get(int(message.id or 0))):
                run.delays.append(time.perf_counter() - since)
    except FAILURES as failure:
        run.count_failure("watch", failure)


def _play_rounds(run: Run, accounts: Accounts, cup: str) -> None:
    """Play the games of a tournament as they are paired."""
    organiser, played = next(iter(accounts.values())), set[str]()
    while True:
        found = run.ask("look at a tournament", organiser.get, f"/v1/tournaments/{cup}", rounds=1)
        if found["status"] == "finished":
            return
        paired = [row for one in found["rounds"] for table in one["tables"]
                  for row in table["games"] if row["game"] not in played]
        for row in paired:
            if _is_there(organiser, row["game"]):
                _play(run, {player: accounts[player] for player in row["seats"]}, row["game"])
                played.add(row["game"])
        if not paired:
            run.rest(LOOK)


def _is_there(client: Client, game: str) -> bool:
    """Return whether a game exists; those of a new round do in a moment."""
    try:
        client.view(game)
    except Problem as problem:
        if problem.code == "unknown-game":
            return False
        raise
    return True


@contextmanager
def _or_else(undo: Callable[..., object], *arguments: Any) -> Iterator[None]:
    """Do this should what is done here not come to its end, so that nothing is left under way."""
    try:
        yield
    except (Over, *FAILURES):
        with suppress(*FAILURES):
            undo(*arguments)
        raise


def _resign(client: Client, game: str) -> None:
    client.post(f"/v1/games/{game}/actions", RESIGN)


def _end(accounts: Accounts, cup: str) -> None:
    """End a tournament and all of its games."""
    organiser = next(iter(accounts.values()))
    with suppress(*FAILURES):  # it has not begun, or is over
        organiser.post(f"/v1/tournaments/{cup}/end", {})
    time.sleep(LOOK + PAUSE)  # in which games that were about to be created are
    for paired in organiser.get(f"/v1/tournaments/{cup}")["rounds"]:
        for row in (row for table in paired["tables"] for row in table["games"]):
            with suppress(*FAILURES):  # it was played to its end
                _resign(accounts[row["seats"][0]], row["game"])
