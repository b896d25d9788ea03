"""Run Lua scripts in Redis; send the text of a script if the server does not know it.

A server forgets its scripts when it starts again, and each node of a cluster knows its own. So an
unknown script is sent to the node that has to run it, in the same step.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha1
from operator import itemgetter
from pathlib import Path
from typing import Any

from redis import Redis
from redis.exceptions import NoScriptError

Values = Callable[[Mapping[str, Any]], Sequence[Any]]  # by name -> in the script's order
LUA = Path(__file__).with_name("lua")
# the two statements of a file that name its keys and its arguments
NAMES = r"^local ([\w, ]+) = unpack\({}\)$"


class Script:
    """A Lua script, which may run any number of times. All its keys must be in one slot."""

    def __init__(self, redis: Redis, text: str):
        self._redis, self._text = redis, text
        self._name = sha1(text.encode(), usedforsecurity=False).hexdigest()

    def __call__(self, keys: Iterable[str], args: Iterable[Any] = ()) -> Any:
        keys = [*keys]
        try:
            return self._redis.evalsha(self._name, len(keys), *keys, *args)
        except NoScriptError:
            return self._redis.eval(self._text, len(keys), *keys, *args)


class ScriptFile(Script):
    """A script in ``service/store/lua/``, called with its keys and arguments by name.

    The file names them, in their order, in ``local a, b = unpack(KEYS)`` and
    ``local c, d = unpack(ARGV)``. The last keys may be None: then the script is run without them.
    ``more_keys`` and ``more`` follow the keys and arguments that have a name.
    """

    def __init__(self, redis: Redis, name: str):
        text, self._keys, self._args = _read(name)
        super().__init__(redis, text)

    def __call__(  # type: ignore[override]
        self, more: Sequence[Any] = (), more_keys: Sequence[str] = (), **values: Any
    ) -> Any:
        keys = (*self._keys(values), *more_keys)
        while keys[-1] is None:
            keys = keys[:-1]
        return Script.__call__(self, keys, (*self._args(values), *more))


@cache
def _read(name: str) -> tuple[str, Values, Values]:
    """Return the text of a file, and functions that order the values of its keys and of its
    arguments."""
    text = (LUA / f"{name}.lua").read_text()
    return text, _values_of(text, "KEYS"), _values_of(text, "ARGV")


def _values_of(text: str, table: str) -> Values:
    """Return the function that takes the values of a script's keys, or arguments, by name, and
    returns them in the script's order."""
    [names] = re.findall(NAMES.format(table), text, re.MULTILINE)
    first, *others = names.split(", ")
    return itemgetter(first, *others) if others else lambda values: (values[first],)
