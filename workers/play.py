"""The job that plays built-in bots: over HTTP, with the bots' own accounts, like anybody else.

A job is a slice of a worker's time, in which games take turns (``workers.turns``), one seat's turn
each: no game is played to its end while others wait. A worker that dies in the middle leaves
nothing behind but an expiring lease: the service calls another, which sees the same view.
"""

from __future__ import annotations

import logging
import math
import random
import threading
import time
from functools import cache
from typing import Any
from urllib.parse import quote

from fogg_client.client import Client, Problem
from fogg_client.types import View

from workers import tokens
from workers.bots import BOTS
from workers.tokens import client_of
from workers.turns import CLASSES, Turn, ask_for_worker, next_guest, next_turn, put_back

SLICE = 1.0  # seconds of a job, after which the worker tells that it lives, and hears who calls it
LOOK = 0.02  # seconds between two looks for guests while a bot thinks
BUILT_IN = CLASSES[1]  # games that nobody but built-in bots plays in
TRIES = 20  # refusals in a row before the game is left to the service, which calls anew
GONE = ("history-broken", "unknown-game")  # nothing that a worker can do helps the game
stopping = threading.Event()  # set when this process is to end: the move under way is the last
log = logging.getLogger(__name__)


def play() -> None:
    """Play the games whose turn it is, for a while; leave what remains to another job."""
    end, turn = time.monotonic() + SLICE, next_turn()
    try:
        while turn:
            again = _played(turn)
            if stopping.is_set() or time.monotonic() >= end:
                put_back(again)
                break
            turn = next_turn(again)
    finally:
        if turn:
            ask_for_worker()


def _played(turn: Turn) -> Turn | None:
    """Play a seat's turn; return the game's next, if it is a built-in bot's again."""
    _guests.kinds.append(turn.kind)
    try:
        bot = _play(turn.game, turn.bot)
    except Problem as problem:
        tokens.forget_after(problem)
        if problem.code not in GONE:
            raise
        log.warning("%s cannot be played: %s", turn.game, problem)
        return None
    finally:
        _guests.kinds.pop()
    return turn._replace(bot=bot) if bot else None


def _play(game: str, account: str) -> str | None:
    """Play a game for as long as it waits for the same seat of a built-in bot; return the account
    of the next one that it waits for, None if there is none. ``account`` is where it begins."""
    view = client_of(*named(account)).view(game)
    playing, refusals = None, 0
    while (seat := bot_to_play(view)) is not None:
        account = view["seats"][seat]["player"]["id"]
        if stopping.is_set() or playing not in (None, seat):
            return account
        playing, client = seat, client_of(*named(account))
        try:
            if view.get("you", {}).get("seat") != seat:
                view = client.view(game)
            if view["you"]["legal_actions"]:
                view = _move(client, view)
            refusals = 0
        except Problem as problem:
            refusals += 1
            if problem.status not in (409, 412) or problem.code in GONE or refusals >= TRIES:
                raise
            log.info("%s: %s; looking again", game, problem)
            view = client.view(game)
    return None


def _move(client: Client, view: View) -> View:
    """Make a move on the position of a view; return the view after it. What the bot has thought is
    the processor time that its choice took: if it had to wait for that, it waited for us."""
    bot = _bot(view["seats"][view["you"]["seat"]]["player"]["bot"], view["board"])
    if hasattr(bot, "hurry"):  # games do not wait until something is compiled
        bot.hurry()
    start, away = time.thread_time(), _guests.seconds
    try:
        action = bot.choose(view)
    except Exception:  # a game is not to stand still, as no clock ends it
        log.exception("%s has no answer in %s at version %d", type(bot).__name__, view["id"],
                      view["version"])
        action = random.choice(view["you"]["legal_actions"])
    thought = time.thread_time() - start - (_guests.seconds - away)
    thinking = math.ceil(1000 * max(0.0, thought))
    headers = {"If-Match": f'"{view["version"]}"', "Fogg-Thinking": str(thinking)}
    answer = client.post(f"/v1/games/{quote(view['id'])}/actions", action, headers)
    after: View = answer["view"]
    return after


def bot_to_play(view: View) -> int | None:
    """Return the seat of a built-in bot that the game waits for, None if there is none."""
    for row in view["deciding"]:
        if view["seats"][row["seat"]]["player"].get("bot") in BOTS:
            return row["seat"]
    return None


def named(account: str) -> tuple[str, int]:
    """Return the name of the built-in bot whose account this is, and which of its accounts."""
    _, bot, number = account.split("_")
    return bot, int(number)


@cache
def _bot(bot: str, board: str) -> Any:
    made = BOTS[bot](client_of(None, 0).get(f"/v1/boards/{board}"), random.SystemRandom())
    if hasattr(made, "meanwhile"):
        made.meanwhile = _guests.serve
    return made


class _Guests:
    """Those who wait for a bot's answer while another bot thinks long in a game that nobody but
    built-in bots plays: they come in between."""

    def __init__(self) -> None:
        self.kinds: list[str] = []  # of the games that are being played, the one within the other
        self.seconds = 0.0  # of the processor, for what came in between
        self._looked = 0.0

    def serve(self) -> float:
        """Play a turn, now and then, if one waits; return the seconds of the processor that it
        took."""
        now = time.monotonic()
        if self.kinds != [BUILT_IN] or now < self._looked + LOOK:
            return 0.0
        start, self._looked = time.thread_time(), now
        if turn := next_guest():
            try:
                put_back(_played(turn))
            except Exception:  # the bot that thinks has nothing to do with it
                log.exception("%s could not be played", turn.game)
        took = time.thread_time() - start
        self.seconds += took
        return took


_guests = _Guests()
