"""The job that plays built-in bots: over HTTP, with the bots' own accounts, like anybody else.

One job plays a game's bots for as long as the game waits for one of them, so that the queue costs
nothing within a stretch of their moves. A worker that dies in the middle leaves nothing behind but
an expiring lease: the service calls another, which sees the same view.
"""

from __future__ import annotations

import logging
import random
import threading
from functools import cache

from fogg_client.client import Problem

from workers import tokens
from workers.bots import BOTS
from workers.tokens import client_of

TRIES = 20  # refusals in a row before the job gives up and the service calls anew
GONE = ("history-broken", "unknown-game")  # nothing that a worker can do helps the game
stopping = threading.Event()  # set when this process is to end: the move under way is the last
log = logging.getLogger(__name__)


def play(game: str, first: int, name: str) -> None:
    """Play the game's bots until it waits for somebody else, or for nobody.

    ``name`` is the bot that it waits for as the job is made, ``first`` which of its accounts plays.
    """
    try:
        _play(game, first, name)
    except Problem as problem:
        tokens.forget_after(problem)
        if problem.code not in GONE:
            raise
        log.warning("%s cannot be played: %s", game, problem)


def _play(game: str, first: int, name: str) -> None:
    view = client_of(name, first).view(game)
    refusals = 0
    while (due := bot_to_play(view)) and not stopping.is_set():
        seat, bot, number = due
        client = client_of(bot, number)
        try:
            if view.get("you", {}).get("seat") != seat:
                view = client.view(game)
            if view["you"]["legal_actions"]:
                action = _bot(bot, view["board"]).choose(view)
                view = client.play(view, action)["view"]
            refusals = 0
        except Problem as problem:
            refusals += 1
            if problem.status not in (409, 412) or problem.code in GONE or refusals >= TRIES:
                raise
            log.info("%s: %s; looking again", game, problem)
            view = client.view(game)


def bot_to_play(view: dict) -> tuple[int, str, int] | None:
    """Return (seat, name, account) of a built-in bot that the game waits for, None if there is
    none. The account is that of the seat that the bot was given at first."""
    for row in view["deciding"]:
        player = view["seats"][row["seat"]]["player"]
        if player.get("bot") in BOTS:
            return row["seat"], player["bot"], int(player["id"].rpartition("_")[2])
    return None


@cache
def _bot(bot: str, board: str):
    made = BOTS[bot](client_of(None, 0).get(f"/v1/boards/{board}"), random.SystemRandom())
    if hasattr(made, "hurry"):  # games do not wait until something is compiled
        made.hurry()
    return made
