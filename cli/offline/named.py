"""Boards and bots by the names in a command's options."""

import inspect
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from pkgutil import resolve_name
from random import Random
from typing import Any

from fogg_client.bot import NoBot

from cli.offline.classes import own_class
from cli.offline.programs import PREFIX, Limits, program
from domain.board.board import Board
from domain.boards import load, load_folder
from workers import preparing
from workers.bots import BOTS, LISTED

POLICY = ".npz"  # the ending of files with a policy
ON_A_SERVICE = Limits(wait=3600, cpu=None, memory=None)  # where clocks limit the time


class NoBoard(Exception):
    """There is no such board; the message lists the boards."""


def own_bot_class(name: str, limits: Limits = ON_A_SERVICE) -> type:
    """Return the class that MODULE:CLASS names, of the program in exec:COMMAND, which gets these
    limits, or of the bots that play the policy in a file."""
    if name.startswith(PREFIX):
        return program(name.removeprefix(PREFIX), limits)
    if not name.endswith(POLICY):
        return own_class(name)
    try:
        from fogg_simulator import policy
    except ImportError as error:
        raise NoBot(
            f"{name} needs the distribution fogg-simulator: pip install fogg-simulator "
            "(docs/simulator.md)"
        ) from error
    try:
        return policy.bot_class(name)
    except FileNotFoundError as error:
        raise NoBot(f"there is no file {name}") from error
    except (policy.NoPolicy, OSError) as error:
        raise NoBot(f"{name} is no policy that can be played: {error}") from error


def policies_among(names: Iterable[str]) -> dict[str, Any]:
    """Return the policies whose files are among the names of bots, by name; raise NoBot if one
    cannot be read."""
    return {name: own_bot_class(name).policy for name in names if _is_policy(name)}


def bot_class_called(
    name: str, limits: Limits | None = None, policies: Mapping[str, Any] | None = None
) -> type:
    """Return the class of a built-in bot, of MODULE:CLASS, of a policy's file or of the program in
    exec:COMMAND, which gets these limits. ``name@1.5`` gives a bot 1.5 seconds for each decision,
    if its constructor takes ``seconds``. The files of these ``policies`` are not read again."""
    if name.startswith(PREFIX):
        return own_bot_class(name, limits or Limits())
    name, level = _with_level(name)
    if name in BOTS:
        kind = BOTS[name]
    elif policies and name in policies:
        from fogg_simulator.policy import PolicyBot

        kind = type(Path(name).stem, (PolicyBot,), {"policy": policies[name]})
    elif ":" in name or name.endswith(POLICY):
        kind = own_bot_class(name)
    elif name in LISTED:
        raise NoBot(f"{name} is not installed: pip install 'fogg-server[{LISTED[name]['extra']}]'")
    else:
        raise NoBot(
            f"{name} is neither a built-in bot ({', '.join(BOTS)}) nor module:Class "
            "nor exec:COMMAND nor the file of a policy"
        )
    return kind if level is None else _with_seconds(kind, name, level)


def check_boards(names: Iterable[str], boards: Iterable[Board]) -> None:
    """Raise NoBot if a built-in bot or a policy among these bots cannot play on a board."""
    for name, board in product(names, boards):
        bare = "learned" if _is_policy(name) else _with_level(name)[0]
        place = LISTED[bare].get("refuses") if bare in BOTS else None
        if place and (why := board.once(resolve_name(place))):
            raise NoBot(f"{name} cannot play on {board.name}: {why}")


def prepare(names: Iterable[str], policies: Mapping[str, Any] | None = None) -> Iterator[float]:
    """Prepare built-in bots that need it, such as by compiling. Yield the progress until they can
    play, so that it does not count as thinking time. ``policies`` have been read already."""
    kinds = [
        kind
        for name in names
        if hasattr(kind := bot_class_called(name, policies=policies), "prepared")
    ]
    if all(kind.prepared() == 1 for kind in kinds):
        return
    if why := preparing.hindrance(preparing.missing()):
        raise NoBot(why)
    with preparing.start() as compiler:
        while (done := min(kind.prepared() for kind in kinds)) < 1:
            if compiler.poll():
                raise NoBot("a bot could not be compiled, for the reason above")
            yield done
            time.sleep(preparing.POLL_S)


def _is_policy(name: str) -> bool:
    return name.endswith(POLICY) and not name.startswith(PREFIX)


def _with_level(name: str) -> tuple[str, str | None]:
    """Return a bot's name and its level, None if it has none. Files and modules may have an @ in
    their names."""
    bare, at, level = name.rpartition("@")
    return (bare, level) if at and ":" not in level and not _is_policy(name) else (name, None)


def _with_seconds(kind: type, name: str, level: str) -> type:
    """Return a subclass whose bots have so many seconds for a decision."""
    try:
        seconds = float(level)
    except ValueError:
        seconds = 0
    if not 0 < seconds < float("inf"):
        raise NoBot(f"{name}@{level}: the level is a number of seconds, such as {name}@0.5")
    names = getattr(kind, "parameters", [*inspect.signature(kind).parameters])
    if names[:3] != ["board", "rng", "seconds"]:
        raise NoBot(f"{name} has no levels: it is not made from (board, rng, seconds)")

    def __init__(self, board: dict, rng: Random):
        kind.__init__(self, board, rng, seconds)

    return type(kind.__name__, (kind,), {"__init__": __init__})


@cache
def board_called(name: str) -> Board:
    """Return one of Fogg's boards, or the board in a file."""
    if name.endswith(".json"):
        return load(Path(name))
    boards = load_folder()
    if name not in boards:
        raise NoBoard(
            f"there is no board called {name}; boards are {', '.join(boards)}, or a file .json"
        )
    return boards[name]
