"""Up to where an account has been told: the cursor that its notices come with.

``SINCE:`` says that all up to a time was told, in milliseconds since 1970; of what was later there
follow, thirteen characters each, the things that were told: what it is (a letter), of which game
(48 bits of a hash), and how long after SINCE. So a cursor knows ten seconds; should more happen in
them than ``MOST`` things, the rest is told as these ten seconds go by.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256

from service.times import now_in_ms

OVERLAP = 10_000  # milliseconds by which clocks may differ, or an entry be seen late
MOST = 200  # things that a cursor names
LATEST = 2**24 - 1  # milliseconds after SINCE
LONGEST = 2 * MOST  # named by a cursor that is accepted
NAMED = "[a-z][A-Za-z0-9_-]{12}"
FORMER = "[a-z][.][a-z_.0-9]{1,48}"  # in the cursors of an earlier version
CURSOR = f"^[0-9]{{1,15}}:(({NAMED}){{0,{LONGEST}}}|{FORMER}(,{FORMER}){{0,999}})$"
# to have been told this is to have been told those: of a game it takes one to remember
STAGES = ("paired", "started", "over")


class Told:
    """What an account has been told."""

    def __init__(self, cursor: str | None):
        """``cursor``: the last that came; None where nothing has been told."""
        self.since = now_in_ms() - 2 * OVERLAP  # all until then was told
        self._at: dict[str, int] = {}  # what was told of the time after -> when it was so
        if cursor:
            since, _, named = cursor.partition(":")
            self.since = int(since)
            self._at = _former(named) if "." in named else _parts(self.since, named)

    def has(self, kind: str, thing: str, at: int) -> bool:
        """Return whether something of a time was told."""
        later = STAGES[STAGES.index(kind):] if kind in STAGES else (kind,)
        return at <= self.since or any(_name(each, thing) in self._at for each in later)

    def add(self, kind: str, thing: str, at: int) -> None:
        """Note that something is told."""
        for before in STAGES[:STAGES.index(kind)] if kind in STAGES else ():
            at = max(at, self._at.pop(_name(before, thing), at))
        self._at[_name(kind, thing)] = at

    def forget(self, kind: str, thing: str) -> None:
        """Let a stage of a game not have been told, while those before were."""
        at = self._at.pop(_name(kind, thing), None)
        if at is not None:
            self.add(STAGES[STAGES.index(kind) - 1], thing, at)

    def is_full(self, at: int) -> bool:
        """Return whether something of a time has to wait, since a cursor could not name it too."""
        least = now_in_ms() - OVERLAP
        return (at > least and len(self._at) >= MOST
                and sum(was > least for was in self._at.values()) >= MOST)

    def move_on(self, since: int) -> None:
        """Let all up to a time have been told."""
        self.since = max(self.since, since)
        self._at = {name: at for name, at in self._at.items() if at > self.since}

    def cursor(self, until: int | None = None) -> str:
        """Return where to go on from; ``until``: since when there is something that waits."""
        since = now_in_ms() - OVERLAP
        since = since if until is None else min(since, until - 1)
        named = (name[0] + _text(urlsafe_b64decode(name[1:]), at - since)
                 for name, at in self._at.items() if at > since)
        return f"{since}:{''.join(named)}"


def _name(kind: str, thing: str) -> str:
    return kind[0] + urlsafe_b64encode(sha256(thing.encode()).digest()[:6]).decode()


def _text(digest: bytes, after: int) -> str:
    return urlsafe_b64encode(digest + min(after, LATEST).to_bytes(3)).decode()


def _parts(since: int, named: str) -> dict[str, int]:
    """Return what a cursor names, and when it was so."""
    found = {}
    for start in range(0, len(named), 13):
        part = named[start : start + 13]
        found[part[:9]] = since + int.from_bytes(urlsafe_b64decode(part[9:]))
    return found


def _former(named: str) -> dict[str, int]:
    """Return what a cursor of an earlier version names, which did not say when that was so."""
    parts = (part.split(".", 1) for part in named.split(","))
    return {_name(letter, thing): now_in_ms() for letter, thing in parts}
