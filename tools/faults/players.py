"""Bots that play real games over a link that fails, and record the responses.

Bots play in pairs; every other bot begins the games. Some play against a built-in bot instead. All
choose at random. They differ in how they send requests: with an idempotency key, repeated until it
is answered; only once, without a key; once, with the version that they know; with both.
"""

from __future__ import annotations

import json
import random
import threading
import time
import uuid
from contextlib import suppress
from dataclasses import dataclass, field

from tools.faults.callers import Caller, Refused, Round, Unanswered
from tools.faults.ledger import ACKNOWLEDGED, REFUSED, SAID, UNKNOWN, Attempt

STYLES = ("key", "once", "version", "key and version")
BOARD = "usa"
RESEND_FOR_S = 30.0  # seconds for which a request with a key is sent again
THOUGHT = 0.2  # seconds before an action, at most
STUCK = 60.0  # seconds after the last fault in which a game that does not go on is given up
REPEATED = 0.05  # how many actions are asked for once more, though they were answered
CLOCK = {"clock": {"per_decision": 300}, "on_timeout": "act"}


@dataclass
class Table:
    """Where one or two bots play one game after another."""

    number: int
    game: str | None = None
    over: set[str] = field(default_factory=set)
    is_closed: bool = False  # there will be no other game


class Player(threading.Thread):
    def __init__(self, number: int, common: Round, table: Table, *, leads: bool, has_bot: bool):
        super().__init__(name=f"player {number}", daemon=True)
        self.number, self.common, self.table = number, common, table
        self.ledger, self.leads, self.has_bot = common.ledger, leads, has_bot
        self.style = STYLES[number % len(STYLES)]
        self.caller = Caller(number, common)
        self._chance = random.Random(f"player {common.seed} {number}")
        self._view: dict | None = None
        self._moved = time.monotonic()
        self._done: list[Attempt] = []  # acknowledged under a key

    def sign_up(self) -> None:
        token = Caller(self.number, self.common).surely(
            "POST", "/v1/players", {"name": f"Bot {self.number}"}
        )["token"]
        self.ledger.tokens[token] = self.number
        self.caller.token = token

    def run(self) -> None:
        while not (self.common.is_ending.is_set() and self._is_done()):
            try:
                self._step()
            except (Unanswered, Refused):
                self._view = None
                time.sleep(self._chance.uniform(0.02, 0.1))
            self._give_up_if_stuck()

    def _is_done(self) -> bool:
        """Return whether there is no game to play, nor one to come."""
        is_between = self.table.game is None or self.table.game in self.table.over
        self.table.is_closed |= is_between and self.leads
        return is_between and self.table.is_closed

    def _step(self) -> None:
        game = self._game()
        if game is None:
            time.sleep(0.05)
            return
        is_known = self._view is not None and self._view["id"] == game
        view = self._view if is_known else self._fresh_view(game)
        if view["status"] == "finished":
            self.ledger.finished.add(game)
            self.table.over.add(game)
            self._view = None
        elif actions := view.get("you", {}).get("legal_actions"):
            time.sleep(self._chance.uniform(0, THOUGHT))
            action = self._chance.choice(actions)
            self._play(view, {"type": "resign"} if self.common.gives_up.is_set() else action)
        else:
            self._wait(view)

    def _game(self) -> str | None:
        """Return the game to play, a new one where the last is over and this bot begins them."""
        game = self.table.game
        if game and game not in self.table.over:
            return game
        if not self.leads or self.common.is_ending.is_set():
            return None
        opponent = {"bot": "random"} if self.has_bot else {"open": True}
        options = CLOCK if self.table.number % 3 == 0 else {}
        game = self.caller.surely(
            "POST",
            "/v1/games",
            {"board": BOARD, "seats": [{"player": "me"}, opponent], "options": options},
        )["id"]
        self.ledger.games[game] = self._moved = time.monotonic()
        self.table.game, self._view, self._done = game, None, []
        return game

    def _fresh_view(self, game: str) -> dict:
        status, text = self.caller.ask("GET", f"/v1/games/{game}")
        if status != 200:
            self._note_refusal(game, status, text)
            raise Refused(status, text)
        view = json.loads(text)
        if view["status"] == "lobby" and "you" not in view:
            view = self.caller.surely("POST", f"/v1/games/{game}/seats", {})
            self._moved = time.monotonic()
        self._know(game, view)
        return view

    def _know(self, game: str, view: dict) -> None:
        """Take a view for what is now."""
        if view["id"] != game:
            self.ledger.wrong.append(f"client {self.number} asked for {game}, got {view['id']}")
        if self._view is None or view["version"] != self._view["version"]:
            self._moved = time.monotonic()
        self._view = view

    def _wait(self, view: dict) -> None:
        """Wait until the game has gone on, or for a while."""
        after = view["version"]
        status, text = self.caller.ask("GET", f"/v1/games/{view['id']}/events?after={after}&wait=2")
        if status != 200:
            self._note_refusal(view["id"], status, text)
        elif items := json.loads(text)["items"]:
            self.ledger.note_entries(view["id"], view.get("you", {}).get("seat"), items)
        else:
            return
        self._view = None

    def _give_up_if_stuck(self) -> None:
        game = self.table.game
        if not self.common.is_ending.is_set():
            self._moved = time.monotonic()  # while there are faults, nothing need go on
        if not game or game in self.table.over or time.monotonic() - self._moved < STUCK:
            return
        said = "unanswered"
        with suppress(Unanswered):
            status, text = self.caller.ask("GET", f"/v1/games/{game}?legal_actions=false")
            said = f"{status} {text[:300]}"
        self.ledger.stuck[game] = said
        self.table.over.add(game)

    # Playing

    def _play(self, view: dict, action: dict) -> None:
        key = uuid.uuid4().hex if "key" in self.style else None
        attempt = Attempt(
            self.number,
            view["id"],
            view["you"]["seat"],
            json.dumps(action, sort_keys=True),
            view["version"],
            key,
            time.monotonic(),
            has_version="version" in self.style,
        )
        self.ledger.attempts.append(attempt)
        answer = self._send(attempt)
        self._view = answer and answer["view"]
        if answer:
            self._moved = time.monotonic()
        if answer and key:
            self._done = [*self._done[-4:], attempt]
        if self._done and self._chance.random() < REPEATED:
            self._repeat(self._chance.choice(self._done))

    def _repeat(self, done: Attempt) -> None:
        """Ask for an action once more that was answered: it is not to be played again."""
        attempt = Attempt(
            done.client,
            done.game,
            done.seat,
            done.action,
            done.known,
            done.key,
            time.monotonic(),
            repeats=done,
            has_version=False,
        )
        self._send(attempt)
        if (attempt.version, attempt.hash) != (done.version, done.hash):
            self.ledger.attempts.append(attempt)

    def _send(self, attempt: Attempt) -> dict | None:
        """Send an action, again and again if it has a key; return the answer if it was played."""
        headers = {"Idempotency_Key": attempt.key} if attempt.key else {}
        if attempt.has_version:
            headers["If_Match"] = f'"{attempt.known}"'
        while True:
            status, text = 0, ""
            with suppress(Unanswered):
                status, text = self.caller.ask(
                    "POST",
                    f"/v1/games/{attempt.game}/actions",
                    json.loads(attempt.action),
                    **headers,
                )
            is_answered = 0 < status < 500 and status != 429
            if status and status != 200:
                self._note_refusal(attempt.game, status, text)
            if is_answered or not attempt.key or time.monotonic() > attempt.sent + RESEND_FOR_S:
                break
            time.sleep(self._chance.uniform(0.02, 0.2))
        attempt.answered = time.monotonic()
        attempt.why = f"{status} {json.loads(text)['code']}" if 300 <= status < 500 else ""
        attempt.outcome = UNKNOWN if not is_answered else REFUSED
        if status == 412 and json.loads(text)["version"] < attempt.known:
            self.ledger.said[attempt.game] += 1  # it reports the current version
        if status != 200:
            return None
        answer = json.loads(text)
        entry = answer["entries"][0]
        attempt.version, attempt.hash = entry["version"], entry["hash"]
        attempt.outcome = ACKNOWLEDGED
        self._check_answer(attempt, answer)
        return answer

    def _check_answer(self, attempt: Attempt, answer: dict) -> None:
        self.ledger.note_entries(attempt.game, attempt.seat, answer["entries"])
        entry, view = answer["entries"][0], answer["view"]
        if (entry["seat"], entry["action"]["type"], view["id"], view["you"]["seat"]) != (
            attempt.seat,
            json.loads(attempt.action)["type"],
            attempt.game,
            attempt.seat,
        ):
            self.ledger.wrong.append(f"{attempt} was answered with {json.dumps(answer)[:500]}")

    def _note_refusal(self, game: str, status: int, text: str) -> None:
        code = self.ledger.note_failure(status, text)
        self.ledger.said[game] += code in SAID
        if code == "unknown-game":
            self.ledger.gone.add(game)
            self.table.over.add(game)


def seat_players(common: Round, bots: int) -> tuple[list[Player], list[Table]]:
    """Return so many bots, with accounts, and their tables."""
    players: list[Player] = []
    tables = []
    while len(players) < bots:
        table = Table(len(tables))
        has_bot = len(tables) % 5 == 4 or len(players) == bots - 1
        for leads in (True,) if has_bot else (True, False):
            players.append(Player(len(players), common, table, leads=leads, has_bot=has_bot))
        tables.append(table)
    for player in players:
        player.sign_up()
    return players, tables
