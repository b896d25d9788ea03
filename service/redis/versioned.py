"""Compare and set: change several keys in Redis together, unless they changed after they were read.

One more key holds their version, a random text that each change replaces. A change is a list of
commands. Read the version first, then the keys, decide, and hand both to ``change``.
"""

import secrets
from collections.abc import Callable, Iterable, Sequence

import orjson
from redis import Redis

from service.redis.conflicts import Conflict, retry
from service.redis.scripts import Script

CHANGE = Script(__file__, "change.lua")
Commands = Iterable[Sequence[str]]  # each a Redis command: its name, its key, more arguments


class Versioned:
    """The keys of one version, all in one slot."""

    def __init__(self, redis: Redis, version_key: str, keys: Iterable[str]):
        self._redis, self._version_key, self._keys = redis, version_key, [*keys]

    def version(self) -> bytes:
        """Return the present version, which is empty before the first change."""
        return self._redis.get(self._version_key) or b""

    def change(self, version: bytes, commands: Commands, keys: Iterable[str] = ()) -> bool:
        """Run commands, and set a new version. Return False, having changed nothing, if the version
        has changed. Commands with only a key are left out: they have nothing to write or remove.
        ``keys`` are the keys that the commands use in addition to the object's own."""
        commands = [command for command in commands if len(command) > 2]
        return not commands or bool(CHANGE(
            self._redis, more_keys=[*self._keys, *keys], version_key=self._version_key,
            version=version, new_version=secrets.token_hex(8), commands=orjson.dumps(commands)))

    def update(self, decide: Callable[[], Commands]) -> None:
        """Run the commands that ``decide`` returns; decide again after a conflict. Raise Conflict
        after many conflicts."""
        def attempt() -> None:
            version = self.version()
            if not self.change(version, decide()):
                raise Conflict

        retry(attempt)
