"""The job that plays built-in bots: over HTTP, with the bots' own accounts, like anybody else.

One job plays a game's bots for as long as the game waits for one of them, so that the queue costs
nothing within a stretch of their moves. A worker that dies in the middle leaves nothing behind but
an expiring lease: the service calls another, which sees the same view.
"""

from __future__ import annotations

import json
import logging
import os
import random
import threading
from functools import cache
from pathlib import Path

from fogg_client.client import Client, Problem

from workers.bots import BOTS

TRIES = 20  # refusals in a row before the job gives up and the service calls anew
stopping = threading.Event()  # set when this process is to end: the move under way is the last
log = logging.getLogger(__name__)


def play(game: str, first: int, name: str) -> None:
    """Play the game's bots until it waits for somebody else, or for nobody.

    ``name`` is the bot that it waits for as the job is made, ``first`` which of its accounts plays.
    """
    view = _client(name, first).view(game)
    refusals = 0
    while (due := bot_to_play(view)) and not stopping.is_set():
        seat, bot, number = due
        client = _client(bot, number)
        try:
            if view.get("you", {}).get("seat") != seat:
                view = client.view(game)
            if view["you"]["legal_actions"]:
                action = _bot(bot, view["board"]).choose(view)
                view = client.play(view, action)["view"]
            refusals = 0
        except Problem as problem:
            refusals += 1
            if problem.status not in (409, 412) or refusals >= TRIES:
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
def _client(bot: str | None, number: int) -> Client:
    """Return the client of one of a bot's accounts, or of nobody."""
    token = _tokens()[bot][number] if bot else None
    return Client(os.environ["FOGG_URL"], token)


@cache
def _tokens() -> dict[str, list[str]]:
    return json.loads(Path(os.environ["FOGG_BOTS"]).read_text())


@cache
def _bot(bot: str, board: str):
    made = BOTS[bot](_client(None, 0).get(f"/v1/boards/{board}"), random.SystemRandom())
    if hasattr(made, "hurry"):  # games do not wait until something is compiled
        made.hurry()
    return made
