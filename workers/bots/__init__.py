"""The built-in bots. A bot's constructor takes a board's JSON and a random source. Its one method
is ``choose(view) -> action``. It may keep things between calls, but must also play without them, as
another worker may take over in the middle of a game.

``bots.json`` lists them: a new bot needs a line there, and a module. The service reads the same
file to list the bots. ``needs`` names modules from an extra of this distribution; without them
the bot is not available. ``refuses`` names a function that returns why the bot cannot
play on a Board, None if it can.

A class whose bots need preparation, once on each machine, has ``prepared()``, which returns the
progress from 0 to 1, and ``hindrance()``, which returns why preparation is impossible
(``workers/preparing.py``).
"""

import json
from collections import UserDict
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name
from typing import Any


class Bots(UserDict[str, Any]):
    """The classes of the bots by name, imported on first use, as that takes long."""

    def __getitem__(self, name: str) -> type[Any]:
        if isinstance(place := self.data[name], str):
            self.data[name] = resolve_name(place)
        return self.data[name]


LISTED = json.loads(Path(__file__).with_name("bots.json").read_text())
BOTS = Bots(
    {
        name: bot["class"]
        for name, bot in LISTED.items()
        if all(map(find_spec, bot.get("needs", ())))
    }
)
