"""The cursor of an account's notices: which of them it has received.

``SINCE:`` stands for all notices up to a time, in milliseconds since 1970. Later notices that the
account has received follow, in thirteen characters each: the kind (a letter), the game (48 bits of
a hash), the milliseconds after SINCE. A cursor covers the last ten seconds. If there are more than
``MAX_NAMED`` notices in ten seconds, the others are delayed until those have passed.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256

from service.times import now_in_ms

OVERLAP_MS = 10_000  # milliseconds by which clocks may differ, or an entry be seen late
MAX_NAMED = 200  # notices that a cursor names
LATEST = 2**24 - 1  # milliseconds after SINCE
MAX_ACCEPTED = 2 * MAX_NAMED  # named by a cursor that is accepted
NAMED = "[a-z][A-Za-z0-9_-]{12}"
CURSOR = f"^[0-9]{{1,15}}:({NAMED}){{0,{MAX_ACCEPTED}}}$"
# an account gets these in order, so a cursor names only the last for each game
STAGES = ("paired", "started", "over")


class SentNotices:
    """The notices that an account has received."""

    def __init__(self, cursor: str | None):
        """``cursor``: that of the last notice, None before the first."""
        self.since = now_in_ms() - 2 * OVERLAP_MS  # the account has all notices until then
        self._at: dict[str, int] = {}  # name of a later notice -> its time
        if cursor:
            since, _, named = cursor.partition(":")
            self.since = int(since)
            self._at = _parts(self.since, named)

    def has(self, kind: str, thing: str, at: int) -> bool:
        """Return whether the account has received a notice of this kind, subject and time."""
        later = STAGES[STAGES.index(kind) :] if kind in STAGES else (kind,)
        return at <= self.since or any(_name(each, thing) in self._at for each in later)

    def add(self, kind: str, thing: str, at: int) -> None:
        """Note that the account receives a notice."""
        for before in STAGES[: STAGES.index(kind)] if kind in STAGES else ():
            at = max(at, self._at.pop(_name(before, thing), at))
        self._at[_name(kind, thing)] = at

    def forget(self, kind: str, thing: str) -> None:
        """Note that a game went back to the stage before ``kind``, one of ``STAGES``."""
        at = self._at.pop(_name(kind, thing), None)
        if at is not None:
            self.add(STAGES[STAGES.index(kind) - 1], thing, at)

    def is_full(self, at: int) -> bool:
        """Return whether a notice must be delayed, as a cursor cannot name one more."""
        least = now_in_ms() - OVERLAP_MS
        return (
            at > least
            and len(self._at) >= MAX_NAMED
            and sum(was > least for was in self._at.values()) >= MAX_NAMED
        )

    def move_on(self, since: int) -> None:
        """Note that the account has all notices up to a time."""
        self.since = max(self.since, since)
        self._at = {name: at for name, at in self._at.items() if at > self.since}

    def cursor(self, until: int | None = None) -> str:
        """Return the cursor; ``until`` is the time of the first delayed notice."""
        since = now_in_ms() - OVERLAP_MS
        since = since if until is None else min(since, until - 1)
        named = (
            name[0] + _text(urlsafe_b64decode(name[1:]), at - since)
            for name, at in self._at.items()
            if at > since
        )
        return f"{since}:{''.join(named)}"


def _name(kind: str, thing: str) -> str:
    return kind[0] + urlsafe_b64encode(sha256(thing.encode()).digest()[:6]).decode()


def _text(digest: bytes, after: int) -> str:
    return urlsafe_b64encode(digest + min(after, LATEST).to_bytes(3)).decode()


def _parts(since: int, named: str) -> dict[str, int]:
    parts = {}
    for start in range(0, len(named), 13):
        part = named[start : start + 13]
        parts[part[:9]] = since + int.from_bytes(urlsafe_b64decode(part[9:]))
    return parts
