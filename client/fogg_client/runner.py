"""Playing a bot over HTTP: many games at once, each in a thread with a bot object of its own.

The account's stream tells which games wait for it. Whatever is cut off is taken up again; what a
killed runner leaves, the next one with the same account plays on.
"""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from fogg_client.accounts import PATIENCE_AT_FIRST
from fogg_client.assignment import Assignment
from fogg_client.bot import Bot, Fault, bot_for, choice_of
from fogg_client.client import Client, segment
from fogg_client.groups import expanded
from fogg_client.problems import Problem
from fogg_client.reader import Message
from fogg_client.together import Together
from fogg_client.types import Board, Challenge, Notice, View

LOOK = 60.0  # seconds after which a game looks for itself, should the stream have told it nothing
LOBBY = 5.0  # seconds between looks for open seats
READY = 15.0  # seconds between two times at which the pool is told that the account is ready
POOL = "/v1/me/pool"
REFUSED = (400, 409, 413, 422)
AFRESH = ("history-lost", "stale-version")  # the game is not where it was: look at it again
GONE = ("history-broken", "unknown-game")
Inbox = queue.Queue[View | None]  # None: whatever was known of the game may be no more
Event = tuple[str, dict[str, Any]]  # what happens: its name and members


def run(client: Client, kind: type[Any], assignment: Assignment) -> Iterator[Event]:
    """Play until the assignment is fulfilled; yield what happens as (event, members):

    ``created`` and ``joined`` (game), ``over`` (game, version, board, seat, won, rank, totals,
    players), ``fault`` (game, version, what, action, resigned), ``called_off`` (game, ending; also
    a game that the service has lost, or cannot read any more); of the pool also ``tested``, as
    ``over``, and ``paused`` (detail). Once all is played that was asked for, or whoever
    listens has enough, the pool is left; games that it has paired are played on.
    """
    runner = Runner(client, kind, assignment)
    if not assignment.pool:
        yield from _run(runner, assignment)
        return
    try:
        yield from _run(runner, assignment)
    finally:
        with suppress(Exception):  # where that fails it is out soon anyway
            Client(client.url, client.token, PATIENCE_AT_FIRST).delete(POOL)
    while runner.games_under_way:
        yield runner.news_of()


def _run(runner: Runner, assignment: Assignment) -> Iterator[Event]:
    ended, mine = 0, set[str]()
    at_random = assignment.open or assignment.pool
    while ended < (assignment.games or ended + 1):
        while len(mine) < assignment.games_under_way(ended):
            mine.add(game := runner.create((ended + len(mine)) % assignment.seats))
            yield "created", {"game": game}
        if assignment.open:
            runner.join_open()
        if assignment.pool and (paused := runner.be_ready(ended)):
            yield "paused", paused
        with suppress(queue.Empty):
            event, members = runner.news_of(LOBBY if at_random else None)
            yield event, members
            ended += event in ("over", "fault") and (at_random or members["game"] in mine)
            mine.discard(members["game"])


class Runner:
    """Plays an account's games; ``news`` gets (event, members) of what happens to them."""

    def __init__(self, client: Client, kind: type[Any], assignment: Assignment):
        self.news: queue.Queue[Event] = queue.Queue()
        self._client, self._kind, self._assignment = client, kind, assignment
        self._moves = Together(client)
        self._games: dict[str, Inbox | None] = {}  # what comes for each; None once it is over
        self._boards: dict[str, Board] = {}
        self._lock = threading.Lock()
        self._told = (float("-inf"), -1)  # when the pool was, of how many games; 0 while paused
        stream = client.stream("/v1/me/events?legal_actions=grouped")
        self._start_thread(lambda: self._listen(stream))

    @property
    def games_under_way(self) -> int:
        """How many games are being played."""
        return sum(inbox is not None for inbox in list(self._games.values()))

    def news_of(self, timeout: float | None = None) -> Event:
        """Return what happens next to a game; raise queue.Empty if nothing does in so many seconds,
        and what went wrong for all of them."""
        event, members = self.news.get(timeout=timeout)
        if event == "failed":
            raise members["error"]
        return event, members

    def be_ready(self, ended: int) -> dict[str, Any] | None:
        """Tell the pool, now and then, that the account is ready for games, so many having ended;
        return why it may not be, where that is new."""
        at, was = self._told
        wish = self._assignment.wish(ended)
        if time.monotonic() < at + READY and was in (0, wish["at_once"]):
            return None
        is_new = was != 0
        try:
            self._client.put(POOL, wish)
            self._told = time.monotonic(), wish["at_once"]
        except Problem as problem:
            if problem.code != "pool-paused":
                raise
            self._told = time.monotonic(), 0
            return {"detail": problem.body.get("detail")} if is_new else None
        return None

    def create(self, seat: int) -> str:
        """Create a game with the account on that seat, and play it; return its id."""
        seats: list[dict[str, str]] = [
            {"bot": self._assignment.against} for _ in range(self._assignment.seats)]
        seats[seat] = {"player": "me"}
        board = self._assignment.board or "usa"
        view: View = self._client.post("/v1/games", {"board": board, "seats": seats})
        self.take(view)
        return view["id"]

    def take(self, view: View) -> None:
        """Play a game from a view on, unless it is played already."""
        with self._lock:
            if view["id"] in self._games:
                return
            inbox = self._games[view["id"]] = Inbox()
        self._start_thread(lambda: self._play(view, inbox))

    def join_open(self) -> None:
        """Sit down on open seats while there are fewer games than are to be played at once."""
        board = {"board": self._assignment.board} if self._assignment.board else {}
        for game in self._in_the_lobby(**board):
            if self.games_under_way >= self._assignment.at_once:
                return
            if game["id"] not in self._games:
                self._join(game["id"], {})

    def _join(self, game: str, body: dict[str, str]) -> None:
        try:
            view: View = self._client.post(f"/v1/games/{segment(game)}/seats", body)
        except Problem as problem:
            if problem.code != "already-seated":
                return  # others were quicker
            view = self._client.view(game)
        self.news.put(("joined", {"game": game}))
        self.take(view)

    def _in_the_lobby(self, **query: str) -> Iterator[dict[str, Any]]:
        page = self._client.get("/v1/games", status="lobby", **query)
        yield from page["items"]
        while page["next"]:
            page = self._client.get("/v1/games", status="lobby", **query, after=page["next"])
            yield from page["items"]

    def _listen(self, stream: Iterator[Message]) -> None:
        """Hand on what the account's stream tells, for ever."""
        for message in stream:
            notice: Notice = json.loads(message.data)
            if "view" in notice:
                notice["view"] = expanded(notice["view"])
            if notice["type"] == "invited" and self._assignment.open:
                self._join(notice["game"], {"invitation": notice["invitation"]})
            elif notice["type"] == "challenged" and self._assignment.open:
                self._answer(notice["challenge"])
            elif notice["type"] == "lost":
                self._go_back(notice["game"])
            elif notice["type"] == "your_turn":
                self.take(notice["view"])
            if "view" in notice and (inbox := self._games.get(notice["game"])):
                inbox.put(notice["view"])

    def _answer(self, challenge: Challenge) -> None:
        """Accept a challenge, or decline it."""
        board = self._assignment.board
        reason = ("board" if board not in (None, challenge["board"])
                  else getattr(self._kind, "decline", Bot.decline)(challenge))
        what, body = ("decline", {"reason": reason}) if reason else ("accept", {})
        with suppress(Problem):  # it was taken back
            self._client.post(f"/v1/challenges/{segment(challenge['id'])}/{what}", body)

    def _go_back(self, game: str) -> None:
        """Look anew at a game that was lost in part; one that was over may not be."""
        if inbox := self._games.get(game):
            inbox.put(None)
        else:
            self._games.pop(game, None)

    def _play(self, view: View, inbox: Inbox) -> None:
        """Play a game to its end, or to the bot's first fault."""
        game = view["id"]
        try:
            bot = bot_for(self._kind, self._board(view["board"]))
            while view["status"] != "finished":
                if view["you"].get("legal_actions"):
                    view = self._turn(bot, view)
                else:
                    view = self._next(view, inbox)
            news = _outcome(view)
        except Fault as fault:
            news = "fault", {"game": game, "version": view["version"], "what": fault.what,
                             "action": fault.action,
                             "resigned": self._assignment.resign and self._resign(game)}
        except Problem as problem:
            if problem.code not in GONE:
                raise
            news = "called_off", {"game": game, "ending": problem.code}
        self._games[game] = None
        self.news.put(news)

    def _turn(self, bot: Any, view: View) -> View:
        """Play what the bot chooses; return the view after it."""
        where = f"game {view['id']}, version {view['version']}"
        action = choice_of(bot, view, where)
        try:
            after: View = self._moves.play(view, action)["view"]
            return after
        except Problem as problem:
            if problem.code in AFRESH:  # it has moved on, by a clock or another runner, or back
                return self._client.view(view["id"])
            if problem.code in GONE:
                raise
            if problem.status not in REFUSED or problem.code == "too-busy":
                raise
            rule = f", rule {problem.body['rule']}" if "rule" in problem.body else ""
            raise Fault(where, f"illegal action ({problem.code}{rule}): "
                               f"{problem.body.get('detail')}",
                        json.dumps(action)) from problem

    def _next(self, view: View, inbox: Inbox) -> View:
        """Return the game's next view, as the stream tells it."""
        try:
            newer = inbox.get(timeout=LOOK)
        except queue.Empty:
            newer = None
        if newer is None:
            return self._client.view(view["id"])
        return newer if newer["version"] > view["version"] else view

    def _resign(self, game: str) -> bool:
        """Resign a game; return whether the service took it."""
        try:
            self._client.post(f"/v1/games/{segment(game)}/actions", {"type": "resign"})
        except Problem:
            return False
        return True

    def _board(self, board: str) -> Board:
        with self._lock:
            if board not in self._boards:
                self._boards[board] = self._client.get(f"/v1/boards/{segment(board)}")
            return self._boards[board]

    def _start_thread(self, target: Callable[[], None]) -> None:
        """Run in a thread; what goes wrong there beyond a bot's faults ends everything."""
        def guarded() -> None:
            try:
                target()
            except BaseException as error:
                self.news.put(("failed", {"error": error}))

        threading.Thread(target=guarded, daemon=True).start()


def _outcome(view: View) -> Event:
    """Return what a game that is over came to for the account."""
    results = [row["result"] for row in view["seats"] if "result" in row]
    if not results:  # its creator has called it off, or nobody came
        return "called_off", {"game": view["id"], "ending": view["ending"]}
    seat, winners = view["you"]["seat"], sum(result["rank"] == 1 for result in results)
    return "tested" if view.get("pool", {}).get("test") else "over", {
        "game": view["id"], "version": view["version"], "board": view["board"], "seat": seat,
        "won": (results[seat]["rank"] == 1) / winners, "rank": results[seat]["rank"],
        "totals": [result["total"] for result in results],
        "players": [row["player"]["name"] for row in view["seats"]],
    }
