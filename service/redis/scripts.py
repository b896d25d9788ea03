"""Run Lua scripts in Redis; send the text of a script if the server does not know it.

A server forgets its scripts when it starts again, and each node of a cluster knows its own. So an
unknown script is sent to the node that has to run it, in the same step.
"""

import re
from collections.abc import Mapping, Sequence
from hashlib import sha1
from pathlib import Path
from typing import Any

from redis import Redis
from redis.exceptions import NoScriptError


class Script:
    """A Lua script in a file beside the module that runs it. It is called with its keys and
    arguments by name; all keys must be in one slot.

    The file names them, in their order, in ``local a, b = unpack(KEYS)`` and
    ``local c, d = unpack(ARGV)``. The last keys may be None: then the script is run without them.
    ``more_keys`` and ``more`` follow the keys and arguments that have a name.
    """

    def __init__(self, module: str, file: str):
        """Read a file from the folder of the module whose ``__file__`` is ``module``."""
        self._text = Path(module).with_name(file).read_text()
        self.name = sha1(self._text.encode(), usedforsecurity=False).hexdigest()
        self._keys, self._args = _names(self._text, "KEYS"), _names(self._text, "ARGV")

    def __call__(
        self, redis: Redis, more: Sequence[Any] = (), more_keys: Sequence[str] = (), **values: Any
    ) -> Any:
        words = self.words(values, more, more_keys)
        try:
            return redis.evalsha(self.name, *words)
        except NoScriptError:
            return self.send(redis, words)

    def words(
        self, values: Mapping[str, Any], more: Sequence[Any] = (), more_keys: Sequence[str] = ()
    ) -> list[Any]:
        """Return what follows the script in EVALSHA: how many keys, the keys, the arguments."""
        keys = [*map(values.__getitem__, self._keys), *more_keys]
        while keys[-1] is None:
            keys.pop()
        return [len(keys), *keys, *map(values.__getitem__, self._args), *more]

    def send(self, redis: Redis, words: Sequence[Any]) -> Any:
        """Run the script by its text, so that Redis knows it from now on; return its answer."""
        return redis.eval(self._text, *words)


def _names(text: str, table: str) -> list[str]:
    """Return the names of a script's keys, or arguments, in the script's order."""
    line = re.search(rf"^local ([\w, ]+) = unpack\({table}\)$", text, re.MULTILINE)
    return line[1].split(", ") if line else []
