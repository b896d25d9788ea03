"""The log of finished games in one Redis (``domain.log`` says what a line is).

``{log}:lines``    the lines, "N GAME LAST HASH", in order; GAME is "-" if the id is private
``{log}:places``   the first three digits of LAST -> the first ten bytes of each such LAST, joined;
                   and "n" -> the number of lines; derived
``{log}:waiting``  finished game without a line -> "WHEN LAST PUBLIC": when it ended, in
                   milliseconds since 1970, its last hash, whether its id is public; derived

Only the lines are permanent: a line never changes, nor does its place. A script appends lines only
if the log still ends where they continue it. So each game has one line, even if a process dies.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from redis import Redis, RedisError
from redis.exceptions import RedisClusterException

from domain.codec import Json
from domain.log import EMPTY, Head, line_after
from service.store.batches import batches_of
from service.store.scripts import Script

LINES, PLACES, WAITING = (f"{{log}}:{name}" for name in ("lines", "places", "waiting"))
BATCH_SIZE = 500  # lines written by one script, or read together
FRESH_S = 1.0  # seconds for which the end of the log is cached

DIGITS, HALF = 3, 10  # of the last hash: digits that name a part of the places, bytes stored there

# KEYS lines, places, waiting. ARGV the line before the new ones, "" if there is none, then for each
# new one the game, its two fields in places, the line. Returns 1 if they were written, 0 if the log
# ends elsewhere, 2 if the places do not match the lines and have to be rebuilt.
APPEND = """
local count = redis.call('LLEN', KEYS[1])
if (redis.call('LINDEX', KEYS[1], -1) or '') ~= ARGV[1] then return 0 end
local names, halves, fields = {'n'}, {}, {'n', count + (#ARGV - 1) / 4}
for i = 2, #ARGV, 4 do table.insert(names, ARGV[i + 1]) end
local held = redis.call('HMGET', KEYS[2], unpack(names))
if tonumber(held[1] or 0) ~= count then return 2 end
for i = 2, #ARGV, 4 do
  local name = ARGV[i + 1]
  halves[name] = (halves[name] or held[(i + 6) / 4] or '') .. ARGV[i + 2]
  redis.call('RPUSH', KEYS[1], ARGV[i + 3])
  redis.call('HDEL', KEYS[3], ARGV[i])
end
for name, text in pairs(halves) do
  table.insert(fields, name)
  table.insert(fields, text)
end
redis.call('HSET', KEYS[2], unpack(fields))
return 1
"""


@dataclass(frozen=True)
class Ended:
    """A finished game that waits for its line."""

    at: int
    game: str
    last: str
    is_public: bool

    def as_row(self) -> str:
        """Return the stored form of the waiting game."""
        return f"{self.at} {self.last} {int(self.is_public)}"

    @staticmethod
    def read(game: bytes, row: bytes) -> Ended:
        """Return the waiting game that is stored as ``row``."""
        at, last, is_public = row.decode().split(" ")
        return Ended(int(at), game.decode(), last, is_public == "1")


class GameLog:
    """The log of the games in one Redis."""

    def __init__(self, redis: Redis):
        self.redis, self._append = redis, Script(redis, APPEND)
        self._known, self._asked = EMPTY, float("-inf")

    # Reading

    def head(self) -> Head:
        """Return the end of the log: the number and the hash of its last line."""
        return _head_of(self.redis.lindex(LINES, -1))

    def known_head(self) -> Json | None:
        """Return the cached end of the log, a few seconds old at most. Return None if the log is
        empty or Redis does not answer: callers can do without it."""
        if time.monotonic() - self._asked > FRESH_S:
            self._asked = time.monotonic()
            with suppress(RedisError, RedisClusterException, OSError):
                self._known = self.head()
        return self._known._asdict() if self._known.n else None

    def lines(self, after: int, limit: int = BATCH_SIZE) -> list[Json]:
        """Return at most ``limit`` lines after a line."""
        rows = self.redis.lrange(LINES, max(0, after - 1), after + limit - 1)
        heads = [_head_of(row) for row in rows]
        if after:
            rows, before = rows[1:], heads
        else:
            before = [EMPTY, *heads]
        return [_line(row, head) for row, head in zip(rows, before, strict=False)]

    def has(self, lasts: Sequence[str]) -> list[bool]:
        """Return for each of these last hashes whether the log has it."""
        fields = [_fields(last) for last in lasts]
        values = self.redis.hmget(PLACES, [name for name, _ in fields]) if fields else []
        return [raw is not None and half in (raw[at : at + HALF] for at in range(
            0, len(raw), HALF)) for (_, half), raw in zip(fields, values, strict=True)]

    # Writing

    def wait(self, games: Iterable[Ended]) -> None:
        """Note games that wait for their lines."""
        if rows := {game.game: game.as_row() for game in games}:
            self.redis.hset(WAITING, mapping=rows)

    def waiting(self) -> list[Ended]:
        """Return the waiting games, in the order in which they ended."""
        games = [Ended.read(*row) for row in self.redis.hgetall(WAITING).items()]
        return sorted(games, key=lambda game: (game.at, game.game))

    def drop(self, games: Iterable[str]) -> None:
        """Remove games from the list of those that wait for their line."""
        if games := [*games]:
            self.redis.hdel(WAITING, *games)

    def append(self, games: Sequence[Ended]) -> None:
        """Write a line for each of these games that has none. If another process was quicker, stop:
        the remaining games wait for the next run."""
        is_indexed = False
        while games:
            last = self.redis.lindex(LINES, -1)
            known = self.has([game.last for game in games])
            self.drop(game.game for game, is_known in zip(games, known, strict=True) if is_known)
            games = [game for game, is_known in zip(games, known, strict=True) if not is_known]
            some, games = games[:BATCH_SIZE], games[BATCH_SIZE:]
            if not some:
                return
            done = self._append([LINES, PLACES, WAITING], [last or b"", *_rows(last, some)])
            if done == 2 and not is_indexed:
                self.index()
                games, is_indexed = [*some, *games], True
            elif done != 1:
                return

    def index(self) -> None:
        """Rebuild the places from the lines."""
        places: defaultdict[str, bytes] = defaultdict(bytes)
        count = 0
        while rows := self.redis.lrange(LINES, count, count + BATCH_SIZE - 1):
            for row in rows:
                name, half = _fields(row.split(b" ")[2].decode())
                places[name] += half
            count += len(rows)
        pipe = self.redis.pipeline()
        pipe.delete(PLACES)
        for some in batches_of(BATCH_SIZE, places.items()):
            pipe.hset(PLACES, mapping=dict(some))
        pipe.hset(PLACES, "n", count)
        pipe.execute()


def _rows(last: bytes | None, games: Iterable[Ended]) -> Iterable[str | bytes]:
    head = _head_of(last)
    for game in games:
        public_id = game.game if game.is_public else None
        line = line_after(head, game.last, public_id)
        head = Head(line["n"], line["hash"])
        text = f"{head.n} {public_id or '-'} {game.last} {head.hash}"
        yield from (game.game, *_fields(game.last), text)


def _fields(last: str) -> tuple[str, bytes]:
    """Return the name of the part of the places that has a last hash, and what it has of it."""
    return last[:DIGITS], bytes.fromhex(last)[:HALF]


def _head_of(row: bytes | None) -> Head:
    if row is None:
        return EMPTY
    n, _, _, line_hash = row.decode().split(" ")
    return Head(int(n), line_hash)


def _line(row: bytes, before: Head) -> Json:
    """Return a line of the log as JSON, as the API serves it."""
    n, game, last, line_hash = row.decode().split(" ")
    return {"n": int(n), "last": last, "previous": before.hash} | (
        {} if game == "-" else {"game": game}) | {"hash": line_hash}
