"""The clients' scenarios. Each client repeats its scenario until the run is over. It has some
accounts, which send requests one after the other."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from typing import Any

from fogg_client.accounts import reach
from fogg_client.client import Client
from fogg_client.problems import Problem

from cli.load.run import FAILURES, Over, Run, Settings

POLL_S = 0.1  # seconds between polls of a tournament that waits for its next round
SIGN_UP_TIMEOUT_S = 120.0  # seconds to wait while sign-ups are rate limited
REFUSED_PAUSE_S = 0.2  # seconds to wait after a refusal
RESIGN: Any = {"type": "resign"}
Accounts = dict[str, Client]  # by player's id


@dataclass(frozen=True)
class Scenario:
    """A kind of load: a function, and how many accounts it needs."""

    accounts: int
    play: Callable[[Run, Accounts], None]


def bots(run: Run, accounts: Accounts) -> None:
    """Play a game for two: for both seats in turn, read the view and play a random action."""
    ann, bob = accounts.values()
    body = {"board": run.settings.board, "seats": [{"player": "me"}, {"open": True}]}
    game = run.ask("create a game", ann.post, "/v1/games", body)["id"]
    with _or_else(ann.post, f"/v1/games/{game}/abort", {}):
        run.ask("join", bob.post, f"/v1/games/{game}/seats", {})
    _play(run, accounts, game)


def lobbies(run: Run, accounts: Accounts) -> None:
    """Create a game, list open games, join, leave, join again, cancel."""
    ann, bob = accounts.values()
    body = {"board": run.settings.board,
            "seats": [{"player": "me"}, {"open": True}, {"open": True}]}
    game = run.ask("create a game", ann.post, "/v1/games", body)["id"]
    with _or_else(ann.post, f"/v1/games/{game}/abort", {}):
        run.ask("list lobbies", bob.get, "/v1/games", status="lobby")
        run.ask("join", bob.post, f"/v1/games/{game}/seats", {})
        run.ask("leave", bob.delete, f"/v1/games/{game}/seats/1")
        run.ask("join", bob.post, f"/v1/games/{game}/seats", {})
        run.ask("list one's games", bob.get, "/v1/games", player=next(reversed(accounts)))
        run.ask("abort", ann.post, f"/v1/games/{game}/abort", {})


def tournaments(run: Run, accounts: Accounts) -> None:
    """Create a round robin, and play its games."""
    organiser, *_ = accounts.values()
    body = {"name": "Load", "boards": [run.settings.board], "clock": {"per_decision": 60}}
    cup = run.ask("create a tournament", organiser.post, "/v1/tournaments", body)["id"]
    with _or_else(_end, accounts, cup):
        for client in accounts.values():
            run.ask("enter", client.post, f"/v1/tournaments/{cup}/entries", {})
        run.ask("start", organiser.post, f"/v1/tournaments/{cup}/start", {})
        _play_rounds(run, accounts, cup)


PLAYERS, VISITORS, ORGANISER = Scenario(2, bots), Scenario(2, lobbies), Scenario(4, tournaments)
# name -> scenarios, dealt to the clients in turn
SCENARIOS = {
    "bots": [PLAYERS], "watchers": [PLAYERS], "lobbies": [VISITORS], "tournaments": [ORGANISER],
    "mix": [PLAYERS, VISITORS, PLAYERS, ORGANISER, PLAYERS],
}


def sign_up(settings: Settings, name: str) -> list[tuple[Scenario, Accounts]]:
    """Sign up accounts; return each client's scenario with its accounts. Their clients never retry,
    so that every failure is counted."""
    kinds = SCENARIOS[name]
    reach(settings.server)
    clients, anybody = [], Client(settings.server, patience=SIGN_UP_TIMEOUT_S)
    for number in range(settings.clients):
        scenario = kinds[number % len(kinds)]
        made = [anybody.post("/v1/players", {"name": f"load {number}.{place}"})
                for place in range(scenario.accounts)]
        clients.append((scenario, {one["id"]: Client(settings.server, one["token"], patience=0)
                                   for one in made}))
    return clients


def begin(run: Run, clients: list[tuple[Scenario, Accounts]]) -> list[threading.Thread]:
    """Start all clients; return their threads. They end with the run."""
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
        except FAILURES as failure:  # it is counted already
            run.rest(max(REFUSED_PAUSE_S, getattr(failure, "retry_after", 0)))


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
    """Record the delay between sending an action (``sent``) and receiving its entry."""
    try:
        for message in Client(run.settings.server).stream(f"/v1/games/{game}/events"):
            if message.event == "entry" and (since := sent.get(int(message.id or 0))):
                run.delays.append(time.perf_counter() - since)
    except FAILURES as failure:
        run.count_failure("watch", failure)


def _play_rounds(run: Run, accounts: Accounts, cup: str) -> None:
    """Play a tournament's games as they are paired."""
    organiser, played = next(iter(accounts.values())), set[str]()
    while True:
        state = run.ask("look at a tournament", organiser.get, f"/v1/tournaments/{cup}", rounds=1)
        if state["status"] == "finished":
            return
        paired = [row for one in state["rounds"] for table in one["tables"]
                  for row in table["games"] if row["game"] not in played]
        for row in paired:
            if _is_there(organiser, row["game"]):
                _play(run, {player: accounts[player] for player in row["seats"]}, row["game"])
                played.add(row["game"])
        if not paired:
            run.rest(POLL_S)


def _is_there(client: Client, game: str) -> bool:
    """Return whether a game exists; games of a new round are created a moment later."""
    try:
        client.view(game)
    except Problem as problem:
        if problem.code == "unknown-game":
            return False
        raise
    return True


@contextmanager
def _or_else(undo: Callable[..., object], *arguments: Any) -> Iterator[None]:
    """Call ``undo`` if the block fails, so that nothing is left unfinished."""
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
    time.sleep(POLL_S + REFUSED_PAUSE_S)  # games that were being created exist by then
    for paired in organiser.get(f"/v1/tournaments/{cup}")["rounds"]:
        for row in (row for table in paired["tables"] for row in table["games"]):
            with suppress(*FAILURES):  # it was played to the end
                _resign(accounts[row["seats"][0]], row["game"])
