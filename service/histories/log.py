"""The public log of finished games: a line for each (docs/fairness.md).

``records:log``  the number and the hash of the last line, written after each new line
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Annotated, NotRequired, TypedDict

import sqlalchemy as sa
from redis import Redis, RedisError
from redis.exceptions import RedisClusterException

from domain.codec import Json
from domain.described import Positive, SignedOrNull
from domain.entry import HeadJson
from domain.log import EMPTY, BrokenLog, Head, Log, line_after
from service.errors import RecordsUnavailable
from service.games.games import Games
from service.games.visibility import is_public
from service.records.comparing import Transaction
from service.records.database import Database, add
from service.records.projection import Fault, Progress, Projection, RecordedGame
from service.records.tables import log

BATCH_SIZE = 500  # lines that are read together
LAST = sa.select(log.c.n, log.c.hash).order_by(log.c.n.desc()).limit(1)
HEAD = "records:log"
FRESH_S = 1.0  # seconds for which the end of the log is cached
BROKEN = "log-broken"
Due = tuple[str, str, bool]  # a game that has a line: its id, its last hash, whether it is public


class LogLine(TypedDict):
    """A line of the log of finished games."""

    n: Annotated[Positive, "The line's number: 1, 2, 3 ... without gaps."]
    game: NotRequired[Annotated[str, "The game's id, if the game is public."]]
    last: Annotated[str, "The hash of the last entry in the game's history."]
    previous: Annotated[str, "The hash of the line before; empty for the first line."]
    hash: Annotated[str, "SHA-256 of the other members as JSON, sorted by name, without spaces."]


class LogJson(TypedDict):
    """A page of the log of finished games."""

    items: Annotated[list[LogLine], "The lines, oldest first."]
    head: NotRequired[
        Annotated[HeadJson, "The last line of the log now; missing while the log is empty."]
    ]
    next: Annotated[SignedOrNull, "The `after` of the next request; null at the end."]


class LogHead:
    """The end of the public log as Redis knows it, cached: so new games need no database."""

    def __init__(self, redis: Redis):
        self._redis, self._known, self._asked = redis, EMPTY, float("-inf")

    def put(self, head: Head) -> None:
        self._redis.set(HEAD, f"{head.n} {head.hash}")

    def members(self) -> Json:
        """Return the members of a game's first entry: the cached end of the log, a few seconds old
        at most; nothing if the log is empty or Redis does not answer."""
        if time.monotonic() - self._asked > FRESH_S:
            self._asked = time.monotonic()
            with suppress(RedisError, RedisClusterException, OSError):
                n, _, line_hash = (self._redis.get(HEAD) or b"0 ").decode().partition(" ")
                self._known = Head(int(n), line_hash)
        return {"log_head": self._known._asdict()} if self._known.n else {}


class PublicLog(Projection):
    """The log as the recorder writes it. A game that was played here has a line if it was begun. A
    private game has a line without its id, as the hash of its last entry reveals nothing. Lines
    are never changed."""

    code = "log-lacks"

    def __init__(self, games: Games):
        super().__init__(games)
        self._lacking: list[Due] = []
        self._last = EMPTY

    def record(self, db: sa.Connection, one: RecordedGame) -> None:
        for line in _due([one]):
            _add_line(db, line)

    def after(self, recorded: int) -> None:
        """Tell Redis where the log ends, for the first entries of new games. Raise
        RecordsUnavailable once if the line that was the last one before is missing: another
        PostgreSQL has taken over, and the recorder has to compare all histories."""
        with self.games.database.reading() as db:
            before, self._last = self._last, head(db)
            kept = db.scalar(sa.select(log.c.hash).where(log.c.n == before.n))
        if recorded:
            LogHead(self.games.redis).put(self._last)
        if before.n and (kept is None or kept.hex() != before.hash):
            raise RecordsUnavailable("the database has lost rows, which are recorded again")

    def take(self, db: sa.Connection, some: Sequence[RecordedGame]) -> None:
        due = _due(some)
        stored = {
            *db.scalars(
                sa.select(log.c.last_hash).where(
                    log.c.last_hash.in_([bytes.fromhex(last) for _, last, _ in due])
                )
            )
        }
        self._lacking += [line for line in due if bytes.fromhex(line[1]) not in stored]

    def differences(self, transaction: Transaction, progress: Progress) -> Iterator[Fault]:
        for some_id, *_ in self._lacking:
            yield self.code, some_id, "the log has no line of it"
        try:
            Log(chain.from_iterable(all_lines(self.games.database)))
        except BrokenLog as error:
            yield BROKEN, log.name, str(error)

    def replace(self, db: sa.Connection) -> None:
        """Add the lines that are missing."""
        for line in self._lacking:
            _add_line(db, line)


def _due(some: Sequence[RecordedGame]) -> list[Due]:
    return [
        (one.over.state.id, one.over.hash, is_public(one.over.state))
        for one in some
        if one.over.state.was_begun and not one.is_imported
    ]


def _add_line(db: sa.Connection, due: Due) -> None:
    """Add a line, unless the game has one."""
    some_id, last, is_shown = due
    line = line_after(head(db), last, some_id if is_shown else None)
    add(
        db,
        log,
        [
            {
                "n": line["n"],
                "game": line.get("game"),
                "last_hash": bytes.fromhex(last),
                "hash": bytes.fromhex(line["hash"]),
            }
        ],
    )


def head(db: sa.Connection) -> Head:
    """Return the end of the log: the number and the hash of its last line."""
    last = db.execute(LAST).first()
    return Head(last.n, last.hash.hex()) if last else EMPTY


def lines(db: sa.Connection, after: int, limit: int) -> list[LogLine]:
    """Return at most ``limit`` lines after a line, as the API shows them."""
    shown, previous = list[LogLine](), EMPTY.hash
    for row in db.execute(
        sa.select(log)
        .where(log.c.n >= after)
        .order_by(log.c.n)
        .limit(limit + 1 if after else limit)
    ):
        if row.n > after:
            line: LogLine = {
                "n": row.n,
                "last": row.last_hash.hex(),
                "previous": previous,
                "hash": row.hash.hex(),
            }
            if row.game:
                line["game"] = row.game
            shown.append(line)
        previous = row.hash.hex()
    return shown


def all_lines(database: Database, after: int = 0) -> Iterator[list[LogLine]]:
    """Yield all lines after a line, some at a time. No transaction lasts longer than one read."""
    while True:
        with database.reading() as db:
            some = lines(db, after, BATCH_SIZE)
        if not some:
            return
        yield some
        after = some[-1]["n"]
