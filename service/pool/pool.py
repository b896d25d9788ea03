"""The pool: who is ready for a game at any time, and the pairings under way.

``{pool}:version``     random, another one after each change that pairing depends on
``{pool}:entries``     player -> its preferences, as JSON
``{pool}:expiry``      player -> until when it is ready without another heartbeat
``{pool}:pairings``    pairing -> its games, as JSON
``{pool}:passed``      player -> the version of the bot that has passed the test
``{pool}:removed``     player -> why it was removed, and when it may enter again, as JSON
``{pool}:DATE:games``  player -> the number of games it was paired for on this day
``{pool}:DATE:met``    "PLAYER PLAYER" -> the number of times that the two were paired
``{pool}:DATE:sums``   sums over the day's pairings, by name

Times are milliseconds since 1970. All keys are in one slot. Each change is one script that compares
the version first and does nothing if it has changed. So a pairing is made once, even if a process
dies. Its games are derived from it (``service.pool.games``).
"""

import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any

import orjson
from redis import Redis

from domain.codec import Json
from domain.described import Positive, as_json
from domain.errors import Refused
from domain.skill import MOVES
from service.accounts.accounts import Account
from service.errors import NotYours
from service.games.games import Games
from service.games.store import GameStore
from service.redis.conflicts import Conflict, retry
from service.redis.scripts import Script
from service.times import as_time, now_in_ms

CLOCKS = {"fast": 2.0, "normal": 10.0, "slow": 60.0}  # seconds for each decision, by name
EXPIRES_IN_S = 45  # seconds from a heartbeat until an account is no longer ready
HEARTBEAT_EVERY_S = 5.0  # seconds between two heartbeats recorded for one stream
FORGET_AFTER_MS = 3_600_000  # milliseconds from expiry until an entry is removed
FIRST_PAUSE_MS, MAX_PAUSE_MS = 30_000, 3_600_000  # doubled by each fault in a row
STATISTICS_TTL_S = 3 * 86_400  # seconds that a day's statistics are kept
EARLY, MAX_EARLY = "early", 3  # games in a row that an account resigned early
CHANGE = Script(__file__, "change.lua")
NAMES = ("entries", "expiry", "pairings", "passed", "removed")
Commands = list[list[str]]  # each of Redis: its name, its key, more arguments


@dataclass(frozen=True)
class PoolPreferences:
    """The games that an account is ready for."""

    boards: Annotated[tuple[str, ...], "Ids of boards."]
    seats: Annotated[tuple[int, ...], "Accepted numbers of seats."]
    clocks: Annotated[tuple[str, ...], "Names of accepted clocks."]
    parallel_games: Annotated[Positive, "The maximum number of games at the same time."]
    expires_in: Annotated[
        Positive, "Seconds without a heartbeat after which the account is no longer ready."
    ]


@dataclass(frozen=True)
class Entry(PoolPreferences):
    """An account's request for games, and the time since which it waits for the next one."""

    owner: str
    since: int

    @property
    def preferences(self) -> Json:
        return as_json(self)


@dataclass(frozen=True)
class Pairing:
    """A pairing under way. ``players`` are in the seat order of the first game, as JSON objects of
    a history; in each later game they move on by one seat. ``finished`` has the finished games."""

    id: str
    board: str
    clock: str
    players: tuple[dict[str, str], ...]
    games: tuple[str, ...]
    at: int
    test: bool = False
    finished: tuple[str, ...] = ()

    def under_way(self, player: str) -> int:
        return (len(self.games) - len(self.finished)) * any(p["id"] == player for p in self.players)


@dataclass(frozen=True)
class State:
    """A snapshot of everything that pairing depends on, with its version."""

    version: bytes
    entries: dict[str, Entry]
    expiry: dict[str, int]
    pairings: dict[str, Pairing]
    passed: dict[str, str]

    def is_ready(self, player: str, at: int) -> bool:
        """Return whether an account is in the pool and has sent a heartbeat in time."""
        return player in self.entries and self.expiry.get(player, 0) > at

    def under_way(self, player: str) -> int:
        return sum(pairing.under_way(player) for pairing in self.pairings.values())


class Pool:
    """The pool of a service."""

    def __init__(self, games: Games):
        self.games = games

    @property
    def redis(self) -> Redis:
        return self.games.redis

    def state(self) -> State:
        pipe = self.redis.pipeline(transaction=False)
        pipe.get(key("version"))
        pipe.hgetall(key("entries"))
        pipe.zrange(key("expiry"), 0, -1, withscores=True)
        pipe.hgetall(key("pairings"))
        pipe.hgetall(key("passed"))
        version, entries, expiry, pairings, passed = pipe.execute()
        return State(
            version or b"",
            {p.decode(): parse_entry(raw) for p, raw in entries.items()},
            {player.decode(): int(at) for player, at in expiry},
            {i.decode(): parse_pairing(i.decode(), raw) for i, raw in pairings.items()},
            {player.decode(): passed[player].decode() for player in passed},
        )

    def change(self, version: bytes, commands: Commands, keys: Iterable[str] = ()) -> bool:
        """Run commands, and set a new version. Return False, having changed nothing, if the version
        has changed. Commands with only a key are left out: they have nothing to write or remove.
        ``keys`` are the keys that the commands use in addition to those of ``NAMES``."""
        commands = [command for command in commands if len(command) > 2]
        return not commands or bool(
            CHANGE(
                self.redis,
                more_keys=[*map(key, NAMES), *keys],
                version_key=key("version"),
                version=version,
                new_version=secrets.token_hex(8),
                commands=orjson.dumps(commands),
            )
        )

    def update(self, decide: Callable[[], Commands]) -> None:
        """Run the commands that ``decide`` returns, again after a conflict; refuse after many."""

        def attempt() -> None:
            version = self.redis.get(key("version")) or b""
            if not self.change(version, decide()):
                raise Conflict

        try:
            retry(attempt)
        except Conflict:
            raise Refused("too-busy", None, "others were quicker too often; try again") from None

    def enter(self, account: Account, body: dict[str, Any]) -> None:
        """Add an account to the pool, or replace its request."""
        if account.bot is not None and account.owner is None:
            raise NotYours("built-in bots are always in the pool")
        _check(body, self.games.store)
        new = Entry(
            **body | {name: tuple(body[name]) for name in ("boards", "seats", "clocks")},
            owner=account.answers_for or account.id,
            since=now_in_ms(),
        )

        def decide() -> Commands:
            if (removal := self.removal(account.id)).get("retry_at", 0) > now_in_ms():
                raise Refused(
                    "pool-paused",
                    None,
                    f"you were removed from the pool, "
                    f"{WHY[removal['reason']]}; you may be ready again from "
                    f"{as_time(removal['retry_at'])} on",
                )
            raw = self.redis.hget(key("entries"), account.id)
            if raw and parse_entry(raw).preferences == new.preferences:
                return []
            return [
                ["HSET", key("entries"), account.id, to_json(new)],
                ["ZADD", key("expiry"), str(new.since + 1000 * new.expires_in), account.id],
            ]

        self.update(decide)
        self.heartbeat(account.id)

    def leave(self, account: Account) -> None:
        def decide() -> Commands:
            return remove(account.id) if self.entry(account.id) else []

        self.update(decide)

    def heartbeat(self, player: str) -> None:
        """Record a heartbeat of an account in the pool; ignore other accounts."""
        if entry := self.entry(player):
            until = now_in_ms() + 1000 * entry.expires_in
            self.redis.zadd(key("expiry"), {player: until}, xx=True, gt=True)

    def keep_ready(self, account: Account, news: Iterator[Any]) -> Iterator[Any]:
        """Pass notices on; while they are read, record a heartbeat every ``HEARTBEAT_EVERY_S``."""
        last = float("-inf")
        for notice in news:
            if time.monotonic() > last + HEARTBEAT_EVERY_S:
                last = time.monotonic()
                self.heartbeat(account.id)
            yield notice

    def entry(self, player: str) -> Entry | None:
        """Return an account's entry, None if it is not in the pool."""
        raw = self.redis.hget(key("entries"), player)
        return parse_entry(raw) if raw else None

    def removal(self, player: str) -> dict[str, Any]:
        """Return why the service removed an account, an empty dict if it did not."""
        raw = self.redis.hget(key("removed"), player)
        return orjson.loads(raw) if raw else {}


def key(name: str) -> str:
    return f"{{pool}}:{name}"


def day(name: str, at: int) -> str:
    """Return the Redis key of a part that is kept per day."""
    return key(f"{as_time(at)[:10]}:{name}")


def remove(player: str) -> Commands:
    return [["HDEL", key("entries"), player], ["ZREM", key("expiry"), player]]


def remove_for_fault(player: str, why: str, game: str, removal: dict, at: int) -> Commands:
    """Return the commands that remove an account. Each fault in a row doubles the pause."""
    faults = removal.get("faults", 0) + 1
    pause = min(FIRST_PAUSE_MS << min(faults - 1, 20), MAX_PAUSE_MS)
    row = {"reason": why, "game": game, "at": at, "faults": faults, "retry_at": at + pause}
    return [*remove(player), ["HSET", key("removed"), player, orjson.dumps(row).decode()]]


def parse_entry(raw: bytes) -> Entry:
    row = orjson.loads(raw)
    return Entry(**row | {name: tuple(row[name]) for name in ("boards", "seats", "clocks")})


def parse_pairing(pairing_id: str, raw: bytes) -> Pairing:
    row = orjson.loads(raw)
    return Pairing(
        pairing_id, **row | {name: tuple(row[name]) for name in ("players", "games", "finished")}
    )


def to_json(kept: Entry | Pairing) -> str:
    """Return the JSON of an entry or a pairing, without its id, which is the hash field."""
    row = asdict(kept)
    row.pop("id", None)
    return orjson.dumps(row).decode()


def waiting_since(entry: Entry, at: int) -> str:
    """Return the JSON of an entry that has waited for its next game since ``at``."""
    return to_json(replace(entry, since=at))


def _check(body: dict[str, Any], store: GameStore) -> None:
    for place, board_id in enumerate(body["boards"]):
        board = store.board(board_id)
        if not set(body["seats"]) & set(board.players):
            least, most = board.players[0], board.players[-1]
            raise Refused(
                "wrong-number-of-seats",
                "1",
                f"{board.name} is for {least} to {most} players",
                f"boards.{place}",
            )


WHY = {
    "timeout": "as you ran out of time",
    "illegal": "as you did what the rules do not allow in the test",
    "resigned": f"as you resigned the test, a game before your action {MOVES}, or {MAX_EARLY} "
    "games in a row before half of your trains were placed",
}
