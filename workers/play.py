"""The job that plays built-in bots: over HTTP, with the bots' own accounts, like anybody else.

A job is a slice of a worker's time, in which it plays some games side by side (``workers.hand``),
those whose turn it is (``workers.turns``): none is played to its end while others wait. A worker
that dies in the middle leaves nothing behind but expiring leases: the service calls another, which
sees the same views.
"""

from __future__ import annotations

import logging
import math
import random
import threading
import time
from functools import cache
from itertools import count
from typing import Any

from fogg_client.types import Action, View

from workers import tokens
from workers.bots import BOTS
from workers.hand import Hand
from workers.turns import GUESTS, take

SLICE = 1.0  # seconds of a job, after which the worker tells that it lives, and hears who calls it
LOOK = 0.02  # seconds between two looks for guests while bots think
SHARE = 8  # guests come first but for one time in so many, lest the others stand still
AT_ONCE = 16  # games that nobody but built-in bots plays in
THOUGHT = 0.25  # seconds of thought in which as many of these move together as can
GUESTS_AT_ONCE, GUESTS_THOUGHT = 4, 0.02  # likewise of the others
stopping = threading.Event()  # set when this process is to end: the moves under way are the last
log = logging.getLogger(__name__)


def play() -> None:
    """Play the games whose turn it is, for a while; leave what remains to another job."""
    _table.play()


class Table:
    """All that a worker plays: games of guests, who wait for a bot's answer, and games that nobody
    but built-in bots plays in."""

    def __init__(self) -> None:
        self.guests = Hand(self.choose, GUESTS_AT_ONCE, GUESTS_THOUGHT)
        self.built_in = Hand(self.choose, AT_ONCE, THOUGHT)
        self.playing: list[Hand] = []  # in the middle of a step, the one within the other
        self.away = 0.0  # seconds of the processor for guests that came in between
        self._looked, self._steps = 0.0, count(1)

    def play(self) -> None:
        """Play for a slice of time, or until nobody waits."""
        end = time.monotonic() + SLICE
        try:
            while not stopping.is_set() and time.monotonic() < end:
                self._take(self.guests.room, self.built_in.room)
                hands = [hand for hand in (self.guests, self.built_in) if hand.games]
                if not hands:
                    return
                self._step(hands[0 if next(self._steps) % SHARE else -1])
        finally:
            take(played=self.guests.emptied() + self.built_in.emptied())

    def _take(self, guests: int, built_in: int = 0) -> None:
        """Take so many games in hand, at most; leave to others what there was no time for."""
        for turn in take(guests, built_in, self.guests.late() + self.built_in.late()):
            (self.guests if turn.kind == GUESTS else self.built_in).add(turn)

    def _step(self, hand: Hand) -> None:
        self.playing.append(hand)
        try:
            hand.step()
        finally:
            self.playing.pop()

    def serve(self) -> float:
        """Let guests come in between, now and then, while bots think in games where nobody waits;
        return the seconds of the processor that it took."""
        now = time.monotonic()
        if self.playing != [self.built_in] or now < self._looked + LOOK:
            return 0.0
        start, self._looked = time.thread_time(), now
        try:
            self._take(self.guests.room)
            for _ in range(2):  # a look and a move
                if self.guests.games:
                    self._step(self.guests)
        except Exception:  # the bots that think have nothing to do with it
            log.exception("guests could not be played")
        took = time.thread_time() - start
        self.away += took
        return took

    def choose(self, view: View) -> tuple[Action, int]:
        """Return what a bot chooses, and for how many milliseconds it has thought: the processor
        time that its choice took, as what it had to wait for beside that it waited for us."""
        self.serve()
        bot = _bot(view["seats"][view["you"]["seat"]]["player"]["bot"], view["board"])
        start, away = time.thread_time(), self.away
        try:
            action = bot.choose(view)
        except Exception:  # a game is not to stand still, as no clock ends it
            log.exception("%s has no answer in %s at version %d", type(bot).__name__, view["id"],
                          view["version"])
            action = random.choice(view["you"]["legal_actions"])
        thought = time.thread_time() - start - (self.away - away)
        return action, math.ceil(1000 * max(0.0, thought))


@cache
def _bot(bot: str, board: str) -> Any:
    made = BOTS[bot](tokens.service().get(f"/v1/boards/{board}"), random.SystemRandom())
    if hasattr(made, "meanwhile"):
        made.meanwhile = _table.serve
    return made


_table = Table()
