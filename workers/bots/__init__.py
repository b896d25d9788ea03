"""The built-in bots. A bot is made from a board's JSON and a random source, and has one method,
``choose(view) -> action``; it keeps nothing between calls but what it could compute again, so that
any worker can take over in the middle of a game.

``bots.json`` lists them: another one takes a line there, and a module. The service reads that file
too, to say which bots there are. What a bot ``needs`` is modules of an extra of this distribution;
where one is missing, that bot is none.

A class whose bots need something done before, once on a machine, says by ``prepared()`` how much of
it is, of 1, and by ``hindrance()`` why it cannot be done there (``workers/preparing.py``).
"""

from __future__ import annotations

import json
from collections import UserDict
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def class_named(place: str) -> type[Any]:
    """Return the class at ``module:Class``."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


class Bots(UserDict[str, Any]):
    """The classes of the bots by their names, each imported when it is asked for: that of one takes
    longer than most commands run."""

    def __getitem__(self, name: str) -> type[Any]:
        if isinstance(place := self.data[name], str):
            self.data[name] = class_named(place)
        return self.data[name]


LISTED = json.loads(Path(__file__).with_name("bots.json").read_text())
BOTS = Bots({name: bot["class"] for name, bot in LISTED.items()
             if all(map(find_spec, bot.get("needs", ())))})
