"""Plays a bot over HTTP: many games at once, each in a thread with a bot object of its own.

The account's event stream says which games wait for it. Lost connections are resumed. If a runner
is killed, the next one with the same account continues its games."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from copy import copy
from typing import Any

from fogg_client.accounts import REACH_FOR_S
from fogg_client.assignment import Assignment
from fogg_client.bot import Bot, Fault, NoBot, bot_for, choice_of
from fogg_client.client import Client, Stream, segment
from fogg_client.groups import expanded
from fogg_client.problems import TOO_BUSY, Problem
from fogg_client.together import MoveSender
from fogg_client.types import Board, Notice, View

STREAM_TIMEOUT_S = 60.0  # a game that the stream is silent about fetches its view after this
# A silent connection is replaced after a share of the shortest time for a decision, within bounds.
DEAD_SHARE, LEAST_DEAD_AFTER_S, DEAD_AFTER_S = 0.25, 0.5, 2.0
KEEP_ALIVE_S = 1  # between two signs of life of the stream; no service sends them more often
SHORTEST_SILENCE_S = KEEP_ALIVE_S + 0.25  # of the stream, with a margin for a late sign of life
AGAIN_AFTER_S = 0.5  # until a bot is asked again about a position that has not changed
LOBBY_EVERY_S = 5.0  # seconds between two searches for open seats
READY_EVERY_S = 15.0  # seconds between two messages to the pool that the account is ready
POOL = "/v1/me/pool"
REFUSED = (400, 409, 413, 422)
# codes after which the view is fetched again: a clock or another runner played, the game or the
# seat's part in it is over, or entries were lost
STALE = (
    "stale-version",
    "out-of-time",
    "not-your-turn",
    "game-finished",
    "seat-left",
    "history-lost",
    "version-ahead",
)
GONE = ("history-broken", "unknown-game")
INVITED = "invited"  # an event that is not passed on: there is an invitation to answer
Inbox = queue.Queue[View | None]  # None: entries of the game were lost
Event = tuple[str, dict[str, Any]]  # its name and members


def run(client: Client, kind: type[Any], assignment: Assignment) -> Iterator[Event]:
    """Play until the assignment is done; yield events as (name, members):

    ``created`` and ``joined`` (game), ``over`` (game, version, board, seat, won, rank, totals,
    players, and left: for each seat why it left, or None), ``fault`` (game, version, what, action,
    resigned), ``called_off`` (game, ending; also a game that the service has lost or cannot read);
    from the pool also ``tested`` (members as ``over``) and ``paused`` (detail). When the
    assignment is done, leave the pool, stop joining games, and play games under way to their end;
    ``waiting`` (games) is their number, if there are any. When the caller closes this generator,
    leave the pool and end; another run with the account continues its games."""
    runner = Runner(client, kind, assignment)
    try:
        try:
            yield from _run(runner, assignment)
        finally:
            runner.join_no_more()
        if games := runner.games_under_way:
            yield "waiting", {"games": games}
        while runner.has_more_news:
            if (event := runner.news_of())[0] != INVITED:
                yield event
    finally:
        runner.end()


def _run(runner: Runner, assignment: Assignment) -> Iterator[Event]:
    ended, mine = 0, set[str]()
    at_random = assignment.open or assignment.pool
    while ended < (assignment.games or ended + 1):
        while len(mine) < assignment.games_under_way(ended):
            mine.add(game := runner.create((ended + len(mine)) % assignment.seats))
            yield "created", {"game": game}
        if assignment.open:
            runner.join_open(ended)
        if assignment.pool and (paused := runner.be_ready(ended)):
            yield "paused", paused
        with suppress(queue.Empty):
            event, members = runner.news_of(LOBBY_EVERY_S if at_random else None)
            if event == INVITED:
                continue
            yield event, members
            ended += event in ("over", "fault") and (at_random or members["game"] in mine)
            mine.discard(members["game"])


class Runner:
    """Plays an account's games; puts their events into ``news``."""

    def __init__(self, client: Client, kind: type[Any], assignment: Assignment):
        self.news: queue.Queue[Event] = queue.Queue()
        self._client, self._kind, self._assignment = copy(client), kind, assignment
        self._client.dead_after = DEAD_AFTER_S
        self._moves = MoveSender(self._client)
        self._is_open = assignment.open  # whether to join games
        self._games: dict[str, Inbox | None] = {}  # newer views for each; None once it is over
        self._limits: dict[str, float] = {}  # seconds for a decision, of games under way with such
        self._boards: dict[str, Board] = {}
        self._lock = threading.Lock()
        # when the pool was last told, and of how many games (0 while the account is paused)
        self._told_pool = (float("-inf"), -1)
        self._is_over = False
        self._stream = self._open(None, DEAD_AFTER_S)
        self._start_thread(lambda: self._listen(DEAD_AFTER_S))

    @property
    def games_under_way(self) -> int:
        return sum(inbox is not None for inbox in list(self._games.values()))

    @property
    def has_more_news(self) -> bool:
        """Whether there is an event, or will be one as a game is being played."""
        with self._lock:
            return not self.news.empty() or self.games_under_way > 0

    def news_of(self, timeout: float | None = None) -> Event:
        """Wait for the next event. Raise queue.Empty after ``timeout`` seconds, and any error that
        ends all games."""
        event, members = self.news.get(timeout=timeout)
        if event == "failed":
            raise members["error"]
        return event, members

    def be_ready(self, ended: int) -> dict[str, Any] | None:
        """Tell the pool every ``READY_EVERY_S`` that the account is ready. If the pool has paused
        it, return why, once."""
        at, was = self._told_pool
        entry = self._assignment.pool_entry(ended)
        if time.monotonic() < at + READY_EVERY_S and was in (0, entry["parallel_games"]):
            return None
        is_new = was != 0
        try:
            self._client.put(POOL, entry)
            self._told_pool = time.monotonic(), entry["parallel_games"]
        except Problem as problem:
            if problem.code != "pool-paused":
                raise
            self._told_pool = time.monotonic(), 0
            return {"detail": problem.body.get("detail")} if is_new else None
        return None

    def create(self, seat: int) -> str:
        """Create a game with the account on this seat; start playing it; return its id."""
        seats: list[dict[str, str]] = [
            {"bot": self._assignment.against} for _ in range(self._assignment.seats)
        ]
        seats[seat] = {"player": "me"}
        board = self._assignment.board or "usa"
        view: View = self._client.post("/v1/games", {"board": board, "seats": seats})
        self.take(view)
        return view["id"]

    def take(self, view: View) -> None:
        """Start playing a game from this view, unless it is being played."""
        with self._lock:
            if view["id"] in self._games:
                return
            inbox = self._games[view["id"]] = Inbox()
            if limit := view.get("clock", {}).get("per_decision"):
                self._limits[view["id"]] = limit
                self._client.dead_after = dead_after(self._limits.values())
        self._start_thread(lambda: self._play(view, inbox))

    def join_open(self, ended: int) -> None:
        """Answer invitations and join open seats until as many games run as may after ``ended``
        games. Decline the invitations that are not wanted; the others wait for room."""
        board = {"board": self._assignment.board} if self._assignment.board else {}
        for query in ({"invited": "me"}, {"joinable": "me", **board}):
            for game in self._client.items("/v1/games", status="lobby", **query):
                reason = self._assignment.against_game(game) or getattr(
                    self._kind, "decline", Bot.decline
                )(game)
                if reason and "invited" in query:
                    with suppress(Problem):  # it was withdrawn
                        path = f"/v1/games/{segment(game['id'])}/invitations/me"
                        self._client.delete(path, reason=reason)
                elif (
                    not reason
                    and game["id"] not in self._games
                    and (self.games_under_way < self._assignment.room(ended))
                ):
                    self._join(game["id"])

    def join_no_more(self) -> None:
        """Leave the pool, and accept nothing from now on."""
        self._is_open = False
        if self._assignment.pool:
            with suppress(Exception):  # otherwise the pool drops the account soon
                Client(self._client.url, self._client.token, REACH_FOR_S).delete(POOL)

    def end(self) -> None:
        """End all threads: those of games as soon as their bots have chosen."""
        self._is_over = True
        self._client.patience = 0
        self._stream.end()
        for inbox in list(self._games.values()):
            if inbox:
                inbox.put(None)

    def _join(self, game: str) -> None:
        try:
            view: View = self._client.post(f"/v1/games/{segment(game)}/seats", {})
        except Problem as problem:
            if problem.code != "already-seated":
                return  # others were quicker
            view = self._client.view(game)
        self.news.put(("joined", {"game": game}))
        self.take(view)

    def _open(self, after: str | None, silence: float) -> Stream:
        path = f"/v1/me/events?legal_actions=grouped&keep_alive={KEEP_ALIVE_S}"
        return self._client.stream(path, after, silence)

    def _listen(self, silence: float) -> None:
        """Pass on the notices of the account's stream. Once a game has less time than any before,
        resume the stream so that it may be silent for less time."""
        while not self._is_over:
            for message in self._stream:
                self._pass_on(json.loads(message.data))
                if (wanted := max(self._client.dead_after, SHORTEST_SILENCE_S)) < silence:
                    break
            else:
                return
            silence = wanted
            self._stream = self._open(message.id, silence)

    def _pass_on(self, notice: Notice) -> None:
        """Handle a notice; pass its view to the game's thread."""
        if "view" in notice:
            notice["view"] = expanded(notice["view"])
        if notice["type"] == INVITED and self._is_open:
            self.news.put((INVITED, {}))
        elif notice["type"] == "lost":
            self._go_back(notice["game"])
        elif notice["type"] == "your_turn":
            self.take(notice["view"])
        if "view" in notice and (inbox := self._games.get(notice["game"])):
            inbox.put(notice["view"])

    def _go_back(self, game: str) -> None:
        """After the loss of entries, fetch the game's view again; if it was over, it may run
        again."""
        if inbox := self._games.get(game):
            inbox.put(None)
        else:
            self._games.pop(game, None)

    def _play(self, view: View, inbox: Inbox) -> None:
        game = view["id"]
        try:
            bot = self._bot_for(view)
            while view["status"] != "finished":
                if self._is_over:
                    return
                if view["you"].get("legal_actions"):
                    view = self._turn(bot, view)
                else:
                    view = self._next(view, inbox)
            news = _outcome(view)
        except Fault as fault:
            news = (
                "fault",
                {
                    "game": game,
                    "version": view["version"],
                    "what": fault.what,
                    "action": fault.action,
                    "resigned": self._assignment.resign and self._resign(game),
                },
            )
        except Problem as problem:
            if problem.code not in GONE:
                raise
            news = "called_off", {"game": game, "ending": problem.code}
        with self._lock:
            self._games[game] = None
            self._limits.pop(game, None)
            self._client.dead_after = dead_after(self._limits.values())
            self.news.put(news)

    def _bot_for(self, view: View) -> Any:
        try:
            return bot_for(self._kind, self._board(view["board"]))
        except NoBot as error:
            raise Fault(_place(view), str(error)) from error

    def _turn(self, bot: Any, view: View) -> View:
        where = _place(view)
        action = choice_of(bot, view, where)
        try:
            after: View = self._moves.play(view, action)["view"]
            return after
        except Problem as problem:
            if problem.code in STALE:
                return self._view_after(view)
            if problem.status not in REFUSED or problem.code in (*GONE, TOO_BUSY):
                raise
            rule = f", rule {problem.body['rule']}" if "rule" in problem.body else ""
            raise Fault(
                where,
                f"illegal action ({problem.code}{rule}): {problem.body.get('detail')}",
                json.dumps(action),
            ) from problem

    def _view_after(self, view: View) -> View:
        """Return a game's present view. If nothing has happened since this one, give the service
        time to act for a late seat."""
        now = self._client.view(view["id"])
        if now["version"] != view["version"]:
            return now
        time.sleep(AGAIN_AFTER_S)
        return self._client.view(view["id"])

    def _next(self, view: View, inbox: Inbox) -> View:
        try:
            newer = inbox.get(timeout=STREAM_TIMEOUT_S)
        except queue.Empty:
            newer = None
        if newer is None:
            return self._client.view(view["id"])
        return newer if newer["version"] > view["version"] else view

    def _resign(self, game: str) -> bool:
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
        """Run in a thread. Any exception other than a bot's Fault ends all games."""

        def guarded() -> None:
            try:
                target()
            except BaseException as error:
                self.news.put(("failed", {"error": error}))

        threading.Thread(target=guarded, daemon=True).start()


def dead_after(limits: Iterable[float]) -> float:
    """Return after how many seconds without an answer a connection is replaced, by the seconds that
    games under way give for a decision."""
    wanted = min((DEAD_SHARE * limit for limit in limits), default=DEAD_AFTER_S)
    return min(DEAD_AFTER_S, max(LEAST_DEAD_AFTER_S, wanted))


def _place(view: View) -> str:
    return f"game {view['id']}, version {view['version']}"


def _outcome(view: View) -> Event:
    """Return the event for a game that is over, from the account's seat."""
    results = [row["result"] for row in view["seats"] if "result" in row]
    if not results:  # its creator has aborted it, or nobody came
        return "called_off", {"game": view["id"], "ending": view["ending"]}
    seat, winners = view["you"]["seat"], sum(result["rank"] == 1 for result in results)
    return "tested" if view.get("pool", {}).get("test") else "over", {
        "game": view["id"],
        "version": view["version"],
        "board": view["board"],
        "seat": seat,
        "won": (results[seat]["rank"] == 1) / winners,
        "rank": results[seat]["rank"],
        "totals": [result["total"] for result in results],
        "left": [row.get("left") for row in view["seats"]],
        "players": [row["player"]["name"] for row in view["seats"]],
    }
