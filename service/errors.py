"""What the application functions refuse, beside the domain's own ``Refused``.

FoggError (domain)
 +- UnknownThing      no such game, player, board, token: or none that the caller may see
 +- NotSignedIn       a token is needed, and none or no valid one was sent
 |   +- Revoked       the token is none, or none any more
 +- NotYours          the caller may not do this to that
 |   +- MissingScope  the token is not good for this
 +- BadRequest        a request that is well-formed but means nothing  (field)
 +- KeyReused         an idempotency key that has named another action
 +- Stale             the caller asked to act on a version that has passed  (version, after)
 +- Ahead             the caller asked to go on from a version that is not there yet  (version)
 +- HistoryLost       the caller named a version that Redis has lost  (version, was)
 +- TooMany           the caller asks too often  (seconds to wait)
 |   +- TooManyStreams  the caller listens to as much as may be at a time
 +- ArchiveDown       the game lies in the archive, which does not answer
"""

from __future__ import annotations

from domain.errors import FoggError


class UnknownThing(FoggError):
    """There is no such thing."""

    def __init__(self, what: str, name: str, words: str | None = None):
        super().__init__(words or f"there is no {what} called {name}")
        self.code = f"unknown-{what}"


class NotSignedIn(FoggError):
    """The request needs a valid token."""

    code = "not-signed-in"


class Revoked(NotSignedIn):
    """The token is none, or none any more."""

    def __init__(self):
        super().__init__("this token is unknown or was revoked")


class NotYours(FoggError):
    """The caller may not do this."""

    code = "not-yours"


class MissingScope(NotYours):
    """The token is valid, and not good for this."""

    code = "missing-scope"

    def __init__(self, scope: str):
        super().__init__(f"this takes a token with the scope {scope}")


class BadRequest(FoggError):
    """The request cannot mean anything; ``field`` is the member at fault."""

    code = "bad-request"

    def __init__(self, reason: str, field: str):
        super().__init__(reason)
        self.field = field


class KeyReused(FoggError):
    """An idempotency key names one action for ever."""

    code = "key-reused"
    field = "Idempotency-Key"

    def __init__(self):
        super().__init__("this key was used for another action; take a new one for each")


class Stale(FoggError):
    """The game has moved on from the version that the caller named (If-Match); ``more`` is what is
    needed to decide anew."""

    code = "stale-version"

    def __init__(self, version: int, since: int):
        super().__init__(f"the game is at version {version}")
        self.version, self.since = version, since
        self.more: dict = {}


class Ahead(FoggError):
    """The caller has seen a version that the history does not reach: it may have been cut short,
    by a Redis that lost its last entries."""

    code = "version-ahead"

    def __init__(self, asked: int, version: int):
        super().__init__(f"the game is at version {version}, there is nothing after {asked}")
        self.version = version


class ArchiveDown(FoggError):
    """What is asked for lies in the archive, which cannot be read now."""

    code = "archive-unavailable"

    def __init__(self, reason: str = "the archive, where this game lies, does not answer"):
        super().__init__(reason)


class HistoryLost(FoggError):
    """The caller has seen a version that the history had, and has lost: it has gone back to a
    ``version``, from which on everything may be another than it ``was``."""

    code = "history-lost"

    def __init__(self, version: int, was: int):
        super().__init__(f"the game has gone back to version {version}: what it had come to since, "
                         f"up to version {was}, was lost")
        self.version, self.was = version, was


class TooMany(FoggError):
    """The caller asks too often."""

    code = "too-many-requests"

    def __init__(self, what: str, seconds: int):
        super().__init__(f"too many {what}; ask again in {seconds} seconds")
        self.seconds = seconds


class TooLong(TooMany):
    """The answer to a batch has no room for another item, for which nothing was done."""

    code = "answer-too-long"

    def __init__(self):
        FoggError.__init__(self, "the answer is as long as it may be; nothing was done for this "
                                 "item, send it again")
        self.seconds = 0


class TooManyStreams(TooMany):
    """The caller listens to as much as may be at a time."""

    code = "too-many-streams"

    def __init__(self, whose: str, most: int):
        FoggError.__init__(self, f"{whose} may have {most} streams and waiting requests at a time; "
                                 "end some of them, or follow all games on one: /v1/me/events")
        self.seconds = 5
