"""Authors' bots in Python: a process of its own plays a class, in many games at once.

Of Fogg it imports fogg_client alone (docs/architecture.md).
"""

import secrets
from functools import cache
from multiprocessing import get_context
from multiprocessing.util import get_temp_dir
from random import Random
from threading import main_thread
from typing import Any, ClassVar

from fogg_client.bot import Bot
from fogg_client.playing import Host, prepare

from cli.offline.programs import Stopped
from cli.processes import signals_put_off


class OwnClass(Bot):
    """A bot of an author's class, for one seat of one game."""

    name: ClassVar[str]
    parameters: ClassVar[list[str]]  # names of the constructor's parameters

    def __init__(self, board: dict, rng: Random, *seconds: float):
        self._player = _player(self.name)
        _ask(self._player.begin, self.name, board, rng.getrandbits(32), *seconds)

    def choose(self, view):
        return _ask(self._player.choose, view)

    @classmethod
    def decline(cls, game):
        return _ask(_player(cls.name).decline, cls.name, game)


@cache
def own_class(name: str) -> type[OwnClass]:
    """Return the class of bots that play as the class that ``module:Class`` names."""
    parameters = _ask(_player(name).parameters, name)
    return type(name.rpartition(":")[2], (OwnClass,), {"name": name, "parameters": parameters})


@cache
def host_of(name: str) -> Host:
    """Return the process that plays a class."""
    folder = get_temp_dir()  # which this process removes when it ends, and else its child does
    host = Host(f"{folder}/{secrets.token_hex(8)}", ctx=get_context("spawn"))
    with signals_put_off():
        host.start(prepare, [folder])
    return host


def _player(name: str) -> Any:
    return _ask(host_of(name).Player)


def _ask(method: Any, *asked: Any) -> Any:
    """Return what the process of a class answers; raise Stopped if it has ended."""
    try:
        return method(*asked)
    except (EOFError, ConnectionError):
        host_of.cache_clear()  # the next game starts another
        if not main_thread().is_alive():  # the command ends, which is no fault of the bot
            raise KeyboardInterrupt from None
        raise Stopped("the process that plays it has ended") from None
