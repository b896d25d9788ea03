"""The errors of application functions. Those of rules are the domain's ``Refused``."""

from dataclasses import dataclass
from typing import Any

from domain.errors import FoggError, Refused


@dataclass(frozen=True)
class Finding:
    """An error in stored data that a check has found: its code, the id, table or key, and why."""

    code: str
    where: str
    reason: str


class UnknownThing(FoggError):
    """It does not exist, or the caller may not see it."""

    def __init__(self, what: str, name: str, words: str | None = None):
        super().__init__(words or f"there is no {what} called {name}")
        self.code = f"unknown-{what}"


class NotSignedIn(FoggError):
    """No token was sent, or it has the wrong form; the request requires one."""

    code = "not-signed-in"


class Revoked(NotSignedIn):
    """The token is unknown or was revoked."""

    def __init__(self) -> None:
        super().__init__("this token is unknown or was revoked")


class NotYours(FoggError):
    """The caller has no permission for this."""

    code = "not-yours"


class MissingScope(NotYours):
    """The token lacks the scope that the request requires."""

    code = "missing-scope"

    def __init__(self, scope: str):
        super().__init__(f"this requires a token with the scope {scope}")


class BadRequest(FoggError):
    """A member of the request is invalid; ``field`` names it."""

    code = "bad-request"

    def __init__(self, reason: str, field: str):
        super().__init__(reason)
        self.field = field


class KeyReused(FoggError):
    """The idempotency key was used for another request before."""

    code = "key-reused"
    field = "Idempotency-Key"

    def __init__(self) -> None:
        super().__init__(
            "this idempotency key was used for another request; use a new key for each request"
        )


class Stale(FoggError):
    """The game has a later version than the one in If-Match. ``more`` holds what the caller needs
    to decide again: the missed entries and the view."""

    code = "stale-version"

    def __init__(self, version: int, since: int):
        super().__init__(f"the game is at version {version}")
        self.version, self.since = version, since
        self.more: dict = {}


class OutOfTime(Refused):
    """A seat's action in a loaded game came too late."""

    game: Any
    seat: int


class Ahead(FoggError):
    """The request names a version that the game does not have. It may have been lost by a Redis
    failure that the service has not noticed."""

    code = "version-ahead"

    def __init__(self, asked: int, version: int):
        super().__init__(f"the game is at version {version}; version {asked} does not exist")
        self.version = version


class HistoryLost(FoggError):
    """The request names a version that was lost: the game was rolled back to ``version`` from
    ``previous_version``, so everything after ``version`` may differ from what the caller knows."""

    code = "history-lost"

    def __init__(self, version: int, previous_version: int):
        super().__init__(
            f"the game was rolled back to version {version}: the entries after it, "
            f"up to version {previous_version}, were lost"
        )
        self.version, self.previous_version = version, previous_version


class TooManyUnplayed(FoggError):
    """The account has taken open seats in too many ``games`` of others and has not decided anything
    there yet, so it may take no further one."""

    code = "too-many-unplayed"

    def __init__(self, games: list[str]):
        super().__init__(
            f"you have taken open seats in {len(games)} games of others and have decided nothing "
            "there yet; play or leave them before you take another"
        )
        self.games = games


class TooMany(FoggError):
    """A rate limit is reached; retry after Retry-After."""

    code = "too-many-requests"

    def __init__(self, what: str, seconds: int):
        super().__init__(f"too many {what}; retry in {seconds} seconds")
        self.seconds = seconds


class TooLong(TooMany):
    """The answer to a batch is full; this item was not processed."""

    code = "answer-too-long"

    def __init__(self) -> None:
        FoggError.__init__(
            self, "the answer has its maximum length; this item was not processed, send it again"
        )
        self.seconds = 0


class TooManyStreams(TooMany):
    """The caller or their address has too many open streams and waiting requests."""

    code = "too-many-streams"

    def __init__(self, whose: str, most: int):
        FoggError.__init__(
            self,
            f"{whose} may have {most} streams and waiting requests at a time; "
            "close some, or follow all games on one stream: /v1/me/events",
        )
        self.seconds = 5


class RecordsUnavailable(FoggError):
    """The database of finished games does not answer, or cannot be used. The message says why, for
    operators; callers only learn that the database is away. Games under way go on."""

    code = "records-unavailable"
