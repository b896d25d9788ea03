"""The job that plays built-in bots. Bots play over HTTP with accounts of their own, like any
client.

A job is a game. While RQ runs it, the worker takes more games and plays them in batches
(``workers.batch``). After a second it puts all back, so that no game is played to its end while
others wait. If a worker dies, its leases expire; the service then calls another worker, which sees
the same views.
"""

import logging
import math
import random
import threading
import time
from functools import cache
from itertools import count
from typing import Any, cast

from fogg_client.types import Action, View

from workers import queue, tokens
from workers.batch import Batch
from workers.bots import BOTS
from workers.queue import BOTS as BUILT_IN
from workers.queue import GUESTS, Job

JOB_S = 1.0  # seconds of a time slice; between jobs RQ sends a heartbeat and handles signals
POLL_S = 0.02  # seconds between two polls for guests' games while bots think
BUILT_IN_EVERY = 8  # guests' games come first, but every eighth step is for the other games
MAX_BUILT_IN, BUILT_IN_S = 16, 0.25  # size of a batch of games without guests; seconds to choose
MAX_GUESTS, GUESTS_S = 4, 0.02  # the same for games with guests
stopping = threading.Event()  # set when this process is to end after the current moves
log = logging.getLogger(__name__)


def play(_game: str) -> None:
    player.play(queue.current())


class Player:
    """Plays two batches: games with guests, who wait for a bot, and games of built-in bots only."""

    def __init__(self) -> None:
        self.guests = Batch(self.choose, MAX_GUESTS, GUESTS_S)
        self.built_in = Batch(self.choose, MAX_BUILT_IN, BUILT_IN_S)
        self.playing: list[Batch] = []  # batches in a step; the second one interrupts the first
        self._taken: dict[str, Job] = {}  # that run and that RQ does not end itself, by id
        self.interrupted_s = 0.0  # CPU seconds used for guests while another bot was choosing
        self._polled, self._steps = 0.0, count(1)

    def play(self, job: Job) -> None:
        end = time.monotonic() + JOB_S
        self._batch_of(job).add(job)
        try:
            while not stopping.is_set() and time.monotonic() < end:
                self._take(self.guests.room, self.built_in.room)
                batches = [batch for batch in (self.guests, self.built_in) if batch.games]
                if not batches:
                    return
                self._step(batches[0 if next(self._steps) % BUILT_IN_EVERY else -1])
        finally:
            for job in self.guests.drain() + self.built_in.drain():
                queue.put_back(job)
            self._take(0)

    def _take(self, guests: int, built_in: int = 0) -> None:
        """Take up to so many waiting games of each class."""
        held = {
            slot.job.id for slot in (*self.guests.games.values(), *self.built_in.games.values())
        }
        ended = [self._taken.pop(id) for id in self._taken.keys() - held]
        for job in queue.take({GUESTS: guests, BUILT_IN: built_in}, ended):
            self._taken[job.id] = job
            self._batch_of(job).add(job)

    def _batch_of(self, job: Job) -> Batch:
        return self.guests if job.queue == GUESTS else self.built_in

    def _step(self, batch: Batch) -> None:
        self.playing.append(batch)
        try:
            batch.step()
        finally:
            self.playing.pop()

    def serve_guests(self) -> float:
        """Play guests' games if a bot is choosing in a game without guests and ``POLL_S`` has
        passed; return the CPU seconds used. Bots call this while they think."""
        now = time.monotonic()
        if self.playing != [self.built_in] or now < self._polled + POLL_S:
            return 0.0
        start, self._polled = time.thread_time(), now
        try:
            self._take(self.guests.room)
            for _ in range(2):  # fetch the view, then play
                if self.guests.games:
                    self._step(self.guests)
        except Exception:  # must not reach the bot that is choosing
            log.exception("guests' games could not be played")
        used = time.thread_time() - start
        self.interrupted_s += used
        return used

    def choose(self, view: View) -> tuple[Action, int]:
        """Return a bot's action and its thinking time in milliseconds. That is the CPU time of the
        choice, without the time in which the bot waited for this worker."""
        self.serve_guests()
        name = view["seats"][view["you"]["seat"]]["player"]["bot"]
        bot = _bot(name, view["board"])
        start, before = time.thread_time(), self.interrupted_s
        try:
            action = bot.choose(view)
        except Exception:  # play on: a game without a clock would wait for ever
            log.exception("%s has no answer in %s at version %d", name, view["id"], view["version"])
            action = _stand_in(view, name)
        thought = time.thread_time() - start - (self.interrupted_s - before)
        return action, math.ceil(1000 * max(0.0, thought))


def _stand_in(view: View, failed: str) -> Action:
    """Return an action for a bot that failed, with a note: the planner's, else a random one."""
    try:
        action, by = _bot("planner", view["board"]).choose(view), "planner chose this"
    except Exception:
        action, by = random.choice(view["you"]["legal_actions"]), "this was drawn at random"
    return cast(Action, {**action, "note": f"{failed} has no answer; {by}"})


@cache
def _bot(bot: str, board: str) -> Any:
    made = BOTS[bot](tokens.service().get(f"/v1/boards/{board}"), random.SystemRandom())
    if hasattr(made, "meanwhile"):
        made.meanwhile = player.serve_guests
    return made


player = Player()
