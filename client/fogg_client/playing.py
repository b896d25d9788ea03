"""Plays an author's class in a process of its own, which ``fogg bot`` and ``fogg arena`` start.

So the author's modules may be called like packages of the service.
"""

import inspect
import json
import os
import random
import shutil
import signal
import sys
from contextlib import suppress
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from multiprocessing import parent_process
from multiprocessing.managers import BaseManager
from threading import Thread
from typing import Any

from fogg_client.bot import Bot, NoBot, bot_class, bot_for, choice_of
from fogg_client.types import Board, View

OF_THE_SERVICE = ("cli", "domain", "service", "workers")  # packages of fogg-server


class AuthorsOwn(MetaPathFinder):
    """Finds the author's modules that are called like packages of the service."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """Return where the current folder has such a module, None if it has not."""
        return PathFinder.find_spec(name, [os.getcwd()]) if name in OF_THE_SERVICE else None


class Player:
    """A bot of the class that ``module:Class`` names, for one seat of one game."""

    def parameters(self, name: str) -> list[str]:
        """Return the names of the constructor's parameters."""
        return [*inspect.signature(bot_class(name)).parameters]

    def begin(self, name: str, board: Board, seed: int, *seconds: float) -> None:
        """Make the bot."""
        random.seed(seed)  # bots that use the global generator repeat, too
        self._bot = bot_for(bot_class(name), board, random.Random(seed), *seconds)

    def choose(self, view: View) -> Any:
        """Return the bot's choice, of JSON's own types."""
        return json.loads(json.dumps(choice_of(self._bot, view, "")))

    def decline(self, name: str, game: Any) -> Any:
        """Return the class's reason to decline a game, None to play it."""
        try:
            return getattr(bot_class(name), "decline", Bot.decline)(game)
        except (Exception, SystemExit) as error:
            raise NoBot(f"decline raised {type(error).__name__}: {error}") from error


class Host(BaseManager):
    """The process that plays a class, each game in a thread of its own."""


Host.register("Player", Player)


def prepare(folder: str) -> None:
    """Prepare the process for a class: it may read the terminal, what it prints goes to stderr, and
    it ends with the process that has started it, not by signals for the whole command. ``folder``
    has its socket."""
    os.setsid()
    sys.stdout = sys.stderr
    with suppress(OSError):  # it was closed
        sys.stdin = os.fdopen(0)
    sys.modules.pop("cli", None)  # imported by the program that has started the command
    sys.meta_path.insert(0, AuthorsOwn())
    Thread(target=_end_with_parent, args=[folder], daemon=True).start()


def _end_with_parent(folder: str) -> None:
    if parent := parent_process():
        parent.join()
    shutil.rmtree(folder, ignore_errors=True)  # left if the parent was killed
    signal.raise_signal(signal.SIGKILL)
