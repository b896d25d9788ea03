"""A history read up to a version: its state, and the values needed to append to it."""

from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, Self, TypeVar

import orjson

from domain.entry import Entry, IdempotencyKey
from service.errors import KeyReused

MARK = 8  # bytes of each entry's hash that are kept


class State(Protocol):
    """The state that a history is folded to; ``version`` counts its entries."""

    @property
    def id(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def version(self) -> int: ...


S = TypeVar("S", bound=State)


@dataclass  # not frozen, which would make folding slower by a tenth
class Loaded(Generic[S]):
    """A state, with the values that appending to its history takes. Only ``Store`` changes one,
    and only while nobody else refers to it."""

    state: S
    hash: str = ""  # of the last entry, hex
    created: str = ""  # RFC 3339, as are all times
    updated: str = ""
    # the last entry, with its hash
    last: Entry = field(default_factory=dict)  # type: ignore[assignment]
    # id of an idempotency key -> (version of its entry, digest of the request); shared by all
    # values of one history
    commands: dict[str, tuple[int, str]] = field(default_factory=dict)
    # the first MARK bytes of each entry's hash; shared, too, so that it may be longer than this
    # version
    trail: bytearray = field(default_factory=bytearray)

    def copy(self) -> Self:
        """Return a copy that shares the state."""
        new = object.__new__(type(self))
        new.__dict__ = self.__dict__.copy()
        return new

    def take(self, entry: Entry, before: S) -> None:
        """Update all other members after an entry, to whose state ``state`` was set; ``before`` is
        the state before it."""
        self.hash = entry["hash"]
        self.updated = at = entry["at"]
        self.created = self.created or at
        self.last = entry

    def version_of(self, once: IdempotencyKey) -> int | None:
        """Return the version of the entry that was written under an idempotency key, None if the
        key is new. Raise KeyReused if it was used for another request."""
        version, digest = self.commands.get(once.id, (None, once.digest))
        if digest != once.digest:
            raise KeyReused
        return version

    def remember(self, marks: str) -> None:
        """Remember the idempotency key of the last entry, which is now in the history, and
        ``marks``: the beginnings of the last entries' hashes, ``MARK`` bytes each, in hex."""
        version = self.state.version
        if marks:
            more = bytes.fromhex(marks)
            self.trail[MARK * version - len(more) : MARK * version] = more
        if command := self.last.get("command"):
            once_id, digest = IdempotencyKey.read(command)
            self.commands[once_id] = version, digest

    def has(self, version: int, mark: str) -> bool:
        """Return whether there is an entry of a version whose hash begins with ``mark``: ``MARK``
        bytes, in hex."""
        return version <= self.state.version and (
            self.trail[MARK * (version - 1) : MARK * version].hex() == mark
        )

    def version_shared_with(self, other: "Loaded[Any]") -> int:
        """Return the last version that two readings of a history share: all of the shorter one, if
        the other continues it."""
        shorter = min(self.state.version, other.state.version)
        marks = (slice(MARK * version, MARK * (version + 1)) for version in range(shorter))
        if self.trail[: MARK * shorter] == other.trail[: MARK * shorter]:
            return shorter
        return next(
            version for version, mark in enumerate(marks) if self.trail[mark] != other.trail[mark]
        )


K = TypeVar("K", bound=Loaded[Any])


@dataclass(frozen=True)
class Rollback(Generic[K]):
    """A rollback: Redis has lost the last entries of a history. ``was`` is the state before it,
    ``now`` the present state, None if nothing is left. ``version`` is the last version that both
    share."""

    was: K
    now: K | None
    version: int
    # a later lost entry, which was announced but not read by this process: its version, and how
    # its hash begins
    announced: tuple[int, str] | None = None

    @property
    def last(self) -> tuple[int, str]:
        """The last entry known to be lost: its version, and the beginning of its hash."""
        return self.announced or (self.was.state.version, self.was.hash[: 2 * MARK])

    @property
    def entries(self) -> int:
        """How many entries are known to be lost."""
        return self.last[0] - self.version


def entry_of(text: bytes, entry_hash: str) -> Entry:
    entry: Entry = orjson.loads(text)
    entry["hash"] = entry_hash
    return entry
