"""Bots of authors: the base class, how a runner imports them, and their faults.

    from fogg_client import Bot

    class Mine(Bot):
        def choose(self, view):
            return view["you"]["legal_actions"][0]

``fogg bot try my_bot:Mine`` plays it offline, ``fogg bot run my_bot:Mine`` over HTTP.
docs/bots.md says the rest.
"""

import importlib
import inspect
import json
import os
import pickle
import sys
import traceback
from collections.abc import Mapping
from random import Random
from typing import Any

from fogg_client.types import Action, Board, View

DECISIONS, DAY = 100, 86_400  # decisions of a player in a long game, seconds


class Bot:
    """Plays one seat of one game. Subclasses implement ``choose``.

    The runner makes one instance per game, without arguments. Before the first ``choose`` it sets
    ``board``, the table of the game's board as GET /v1/boards/{board} serves it.
    """

    board: Board

    def choose(self, view: View) -> Action:
        """Return one of ``view["you"]["legal_actions"]``, which is never empty. A member ``note``
        may be added: text that the history keeps."""
        raise NotImplementedError(f"{type(self).__name__} has no choose(self, view)")

    @classmethod
    def decline(cls, game: Mapping[str, Any]) -> str | None:
        """Return a reason to decline an invitation to a game in the lobby, or to leave its open
        seat; None to play it. Only called if the bot joins open seats. By default, decline clocks
        on which a game may take long."""
        return "too_slow" if longest(game.get("clock")) > DAY else None


def longest(clock: Mapping[str, Any] | None) -> float:
    """Return the seconds that a player may take for a hundred decisions, 0 if the clock is the
    usual one."""
    times: Mapping[str, float] = clock or {}
    each = DECISIONS * times.get("per_decision", times.get("increment", 0))
    return min(each, times.get("total", each)) + times.get("bank", 0)


def pace(clock: Mapping[str, Any]) -> float:
    """Return the seconds available for one decision; a bank is shared by a hundred."""
    times: Mapping[str, float] = clock
    each = times.get("total", times.get("bank", 0)) / DECISIONS + times.get("increment", 0)
    if "per_decision" in times:
        return min(each, times["per_decision"]) if "total" in times else times["per_decision"]
    return each


class NoBot(Exception):
    """A name does not lead to a bot that can play; the message says why."""


class Fault(Exception):
    """A bot raised an exception or chose an illegal action.

    ``where``: the game and version; ``what``: the error; ``action``: the chosen action as text,
    None if there is none."""

    def __init__(self, where: str, what: str, action: str | None = None):
        super().__init__(where, what, action)
        self.where, self.what, self.action = where, what, action

    def __str__(self) -> str:
        chosen = "" if self.action is None else f"\nIt chose {self.action}"
        return f"{self.where}: {self.what}{chosen}"


def bot_class(name: str) -> type[Any]:
    """Return the class that ``module:Class`` names; the module may be in the current folder."""
    module, colon, kind = name.partition(":")
    if not (module and colon and kind):
        raise NoBot(f"{name} is not of the form module:Class, such as my_bot:Mine")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        imported = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name and (module == error.name or module.startswith(f"{error.name}.")):
            raise NoBot(
                f"there is no module {module} here ({os.getcwd()}) or among what is installed"
            ) from None
        raise NoBot(f"{module} cannot be imported:\n{_traceback(error)}") from error
    except (Exception, SystemExit) as error:
        raise NoBot(f"{module} cannot be imported:\n{_traceback(error)}") from error
    try:
        bot = getattr(imported, kind)
    except AttributeError:
        classes = [
            key
            for key, value in vars(imported).items()
            if callable(getattr(value, "choose", None)) and value is not Bot
        ]
        has = f"; it has {', '.join(classes)}" if classes else ""
        raise NoBot(f"{module} has no class {kind}{has}") from None
    if not inspect.isclass(bot):
        raise NoBot(f"{name} is of type {type(bot).__name__}, not a class")
    if getattr(bot, "choose", Bot.choose) is Bot.choose:
        raise NoBot(f"{name} has no method choose(self, view)")
    return bot


def bot_for(kind: type[Any], board: Board, rng: Random | None = None, *seconds: float) -> Any:
    """Return a bot for one seat of a game. Its class is called without arguments or, if the
    constructor requires arguments, with the board's table and a ``Random``, like built-in bots, and
    with the ``seconds`` of its level, if it has one. It has a copy of the table, which it may
    change. Raise NoBot if it cannot be made."""
    board = pickle.loads(pickle.dumps(board))  # a fourth of the time of deepcopy
    try:
        asks = [
            p
            for p in inspect.signature(kind).parameters.values()
            if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
        ]
        bot = kind(board, rng or Random(), *seconds) if asks else kind()
        bot.board = board
    except NoBot:
        raise
    except (Exception, SystemExit) as error:
        raise NoBot(f"{kind.__name__} cannot be made:\n{_traceback(error)}") from error
    return bot


def choice_of(bot: Any, view: View, where: str) -> Action:
    """Return the action that a bot chooses. Raise Fault, with ``where``, if it raises or returns no
    JSON object."""
    try:
        action: Action = bot.choose(view)
    except NoBot as error:
        raise Fault(where, str(error)) from error
    except Fault as fault:  # the process that plays it has found one
        raise Fault(where, fault.what, fault.action) from fault
    except (Exception, SystemExit) as error:
        raise Fault(where, f"choose raised {type(error).__name__}\n{_traceback(error)}") from error
    if not isinstance(action, dict):
        raise Fault(where, f"choose returned no action but a {type(action).__name__}", repr(action))
    try:
        json.dumps(action, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise Fault(where, f"what choose returned is no JSON: {error}", repr(action)) from error
    except RecursionError as error:  # its repr fails, too
        raise Fault(where, "what choose returned is nested too deeply") from error
    return action


def _traceback(error: BaseException) -> str:
    """Return a traceback without the frames of this module."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename != __file__ and "importlib" not in frame.filename
    ]
    lines = traceback.format_list(frames) + traceback.format_exception_only(error)
    return "".join(lines).rstrip()
