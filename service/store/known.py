"""What is known of a history by whoever has read it up to a version."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

import orjson

from domain.entry import Entry, Once
from service.errors import KeyReused

MARK = 8  # bytes of each entry's hash that are remembered


class State(Protocol):
    """What a history is folded to; ``version`` counts its entries."""

    @property
    def id(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def version(self) -> int: ...


S = TypeVar("S", bound=State)


@dataclass  # one is made for each entry: to freeze it would make folding slower by a tenth
class Known(Generic[S]):
    """A state with what must be known to append to its history. Nobody changes one."""

    state: S
    hash: str = ""  # of the last entry, hex
    created: str = ""  # RFC 3339, as are all times
    updated: str = ""
    last: Entry = field(default_factory=dict)  # the last entry, with its hash
    # id of an idempotency key -> (the version that it led to, digest of what was asked); shared
    # between the values of one history
    commands: dict[str, tuple[int, str]] = field(default_factory=dict)
    # the beginnings of the hashes of the entries, one after the other; shared likewise, so that it
    # may go on beyond this version
    trail: bytearray = field(default_factory=bytearray)

    def version_of(self, once: Once) -> int | None:
        """Return the version that an idempotency key has led to, None if it has not; raise
        KeyReused if it led there with another request."""
        version, digest = self.commands.get(once.id, (None, once.digest))
        if digest != once.digest:
            raise KeyReused
        return version

    def remember(self) -> None:
        """Note the last entry's hash and idempotency key, now that the entry is in the history."""
        version = self.state.version
        self.trail[MARK * (version - 1) : MARK * version] = bytes.fromhex(self.hash[:2 * MARK])
        if command := self.last.get("command"):
            once_id, digest = Once.read(command)
            self.commands[once_id] = version, digest

    def has(self, version: int, mark: str) -> bool:
        """Return whether the entry of a version is there and its hash begins with ``MARK`` bytes,
        in hex."""
        return version <= self.state.version and (
            self.trail[MARK * (version - 1) : MARK * version].hex() == mark)

    def version_shared_with(self, other: Known[Any]) -> int:
        """Return up to which version two histories of one thing are the same: where the one goes on
        from the other, all of the shorter one."""
        shorter = min(self.state.version, other.state.version)
        marks = (slice(MARK * version, MARK * (version + 1)) for version in range(shorter))
        if self.trail[: MARK * shorter] == other.trail[: MARK * shorter]:
            return shorter
        return next(version for version, mark in enumerate(marks)
                    if self.trail[mark] != other.trail[mark])


K = TypeVar("K", bound=Known[Any])


@dataclass(frozen=True)
class Loss(Generic[K]):
    """A history that has gone back, as Redis has lost its last entries: what was known of it, what
    is there now, None if nothing is, and up to which version the two are the same."""

    was: K
    now: K | None
    version: int
    # a later entry that is lost, which this process has not read but was told of: its version, and
    # how its hash begins
    told: tuple[int, str] | None = None

    @property
    def last(self) -> tuple[int, str]:
        """The version of the last entry that is known to be lost, and how its hash begins."""
        return self.told or (self.was.state.version, self.was.hash[:2 * MARK])

    @property
    def entries(self) -> int:
        """How many entries were lost, of those that were known."""
        return self.last[0] - self.version


def entry_of(text: bytes, entry_hash: str) -> Entry:
    """Return an entry as everybody reads it, with its hash."""
    entry: Entry = orjson.loads(text)
    entry["hash"] = entry_hash
    return entry
