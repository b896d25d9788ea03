"""The event store: one Redis stream a game, one entry an accepted action.

``{g:ID}:log``   the history. Entry ``0-VERSION`` has the fields ``e``, the entry as canonical JSON
                 (sorted members, no spaces), and ``h``, its hash, which covers the one before.
``{g:ID}:head``  what lists show of the game, as JSON; derived, written with each entry.
``table:DIGEST``  the board's table that games with this digest are folded on.
``{g:ID}:imported``  there if the history comes from elsewhere; not derived.
``{g:ID}:bots``  there while built-in bots are being played for the game; it expires (``lease``).

The braces put a game's keys on one node of a cluster. Everything else is an index, derived from the
streams, and ``rebuild`` makes it anew. A process keeps the states it has folded and reads only the
entries it lacks.
"""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field

import orjson
from redis import Redis, RedisCluster

from domain.board.board import Board, parse
from domain.entry import SALT_BYTES, canonical, hash_after
from domain.entry import entry as new_entry
from domain.errors import BrokenHistory
from domain.game.commands import Command
from domain.game.events import Event, GameCreated, event_from_json
from domain.game.fold import evolve
from domain.game.state import State
from domain.game.timing import banks_after, since_after
from service.errors import Revoked, UnknownThing
from service.times import now

NEWS = "fogg:news"  # the channel on which every append is told: "GAME VERSION"
GAME_ID = re.compile(r"g_[0-9a-f]{20}")
KEPT_STATES = 4096
PAGE = 1000  # entries read at a time

# KEYS log, head, bots and, if nothing is to be written without it, the key of a token. ARGV the
# version and hash that the new entry follows, the entry, its hash, the head, the lease: "" no bot
# decides, else how it is to be taken ("take", "refresh") and its milliseconds; the channel and
# message of the news.
# Returns {0, version} when the history has another end, {2} when the token is gone, else {1,
# whether the lease was taken}. Nothing is written unless the end is the very one that was decided
# on: so there is never a gap, not even after a failover that lost entries.
APPEND = """
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local version, hash = 0, ''
if last then
  version = tonumber(string.sub(last[1], 3))
  hash = last[2][4]
end
if version ~= tonumber(ARGV[1]) or hash ~= ARGV[2] then return {0, version} end
if KEYS[4] and redis.call('EXISTS', KEYS[4]) == 0 then return {2, 0} end
redis.call('XADD', KEYS[1], '0-' .. (version + 1), 'e', ARGV[3], 'h', ARGV[4])
redis.call('SET', KEYS[2], ARGV[5])
local taken = 0
if ARGV[6] == '' then
  redis.call('DEL', KEYS[3])
elseif ARGV[6] == 'refresh' then
  redis.call('SET', KEYS[3], '1', 'PX', ARGV[7])
elseif redis.call('SET', KEYS[3], '1', 'PX', ARGV[7], 'NX') then
  taken = 1
end
redis.call('PUBLISH', ARGV[8], ARGV[9])
return {1, taken}
"""


@dataclass(frozen=True)
class Game:
    """A game's state with what the store must know to append to it."""

    state: State
    hash: str = ""  # of the last entry, hex
    created: str = ""  # RFC 3339, as are all times
    started: str = ""
    updated: str = ""
    last: dict = field(default_factory=dict)  # the last entry, with its hash
    # seat -> the version and time since which the decision that it has to make was there
    since: dict[int, tuple[int, str]] = field(default_factory=dict)
    banks: tuple[int, ...] = ()  # milliseconds left to each seat, on a clock with banks
    # command id -> (the version that it led to, digest of what was asked); shared between the
    # values of one game
    commands: dict[str, tuple[int, str]] = field(default_factory=dict)


class Conflict(Exception):
    """The history has moved on since the state that was decided on."""


def keys(game: str) -> tuple[str, str, str]:
    """Return the keys of a game: log, head, bots."""
    return f"{{g:{game}}}:log", f"{{g:{game}}}:head", f"{{g:{game}}}:bots"


def imported_key(game: str) -> str:
    """Return the key that is there if a game was imported."""
    return f"{{g:{game}}}:imported"


class Store:
    """The histories in one Redis. ``boards`` by id are what games are folded on."""

    def __init__(self, redis: Redis, boards: dict[str, Board]):
        self.redis, self.boards = redis, boards
        self._append = redis.register_script(APPEND)
        self._former: dict[str, Board] = {}  # tables that have changed since, by digest
        self._tables_kept: set[str] = set()
        self._kept: OrderedDict[str, Game] = OrderedDict()

    def kept(self, game_id: str) -> Game | None:
        """Return a game as this process last saw it, which may be old; None if it never did."""
        return self._kept.get(game_id)

    def load(self, game_id: str) -> Game:
        """Return a game as it is now; raise UnknownThing if there is none."""
        if not GAME_ID.fullmatch(game_id):
            raise UnknownThing("game", game_id)
        game = self._kept.get(game_id)
        after = game.state.version if game else 0
        for raw, entry_hash in self.entries(game_id, after):
            if hash_after(game.hash if game else "", raw) != entry_hash:
                if not after:
                    version = game.state.version if game else 0
                    raise BrokenHistory(version + 1, "the chain of hashes is broken")
                self._kept.pop(game_id, None)  # another history took the place of the one known
                return self.load(game_id)
            game = self._folded(game, orjson.loads(raw), entry_hash)
        if game is None:
            raise UnknownThing("game", game_id)
        if game.state.version > after:
            self._keep(game)
        return game

    def at(self, game_id: str, version: int) -> Game:
        """Return a game as it was at a version that it has had."""
        kept = self._kept.get(game_id)
        if kept and kept.state.version == version:
            return kept
        last = deque(self.fold(game_id, version), maxlen=1)
        if not last or last[0].state.version != version:
            raise UnknownThing("version", str(version))
        return last[0]

    def fold(self, game_id: str, until: int | None = None) -> Iterator[Game]:
        """Yield a game after each of its entries, from the first on, up to a version."""
        game = None
        for raw, entry_hash in self.entries(game_id, 0, until):
            game = self._folded(game, orjson.loads(raw), entry_hash)
            yield game

    def entries(
        self, game_id: str, after: int = 0, until: int | None = None
    ) -> Iterator[tuple[bytes, str]]:
        """Yield (entry as canonical JSON, its hash) for the versions after one, up to another."""
        log, last = keys(game_id)[0], "+" if until is None else f"0-{until}"
        while page := self.redis.xrange(log, f"(0-{after}", last, count=PAGE):
            for _, fields in page:
                yield fields[b"e"], fields[b"h"].decode()
            if len(page) < PAGE:
                return
            after = int(page[-1][0].partition(b"-")[2])

    def entry(self, game_id: str, version: int) -> dict:
        """Return one entry with its hash."""
        raw, entry_hash = next(self.entries(game_id, version - 1, version))
        return orjson.loads(raw) | {"hash": entry_hash}

    def append(
        self,
        game: Game,
        events: list[Event],
        state: State,
        *,
        seat: int | None = None,
        action: Command | None = None,
        command: str | None = None,
        timing: dict | None = None,
        lease: tuple[str, int] | None = None,
        token: str | None = None,
    ) -> tuple[Game, bool]:
        """Make events, and the state they lead to, the game's next entry.

        ``command`` is the command id with the digest of what was asked, ``timing`` what is to be
        recorded of a clock; ``lease`` how ("take" or "refresh") and for how many milliseconds the
        game's bots are to be spoken for, None if no bot is to decide; ``token`` the key of a token
        without which nothing is to be written (Revoked then). Returns the game and whether the
        lease was taken anew. Raises Conflict, and writes nothing, unless the history still ends
        where ``game`` does.
        """
        raw = canonical(new_entry(
            state.version, now(), events, seat=seat, action=action and action.json,
            command=command, timing=timing, salt=secrets.token_hex(SALT_BYTES)))
        entry_hash = hash_after(game.hash, raw)
        entry = orjson.loads(raw)  # as everybody will read it
        new = self._next(game, state, entry, entry_hash)
        how, milliseconds = lease or ("", 0)
        if token and isinstance(self.redis, RedisCluster):  # it may be on another node
            if not self.redis.exists(token):
                raise Revoked
            token = None
        done, answer = self._append(
            keys=keys(state.id) if token is None else (*keys(state.id), token),
            args=[game.state.version, game.hash, raw, entry_hash, orjson.dumps(head(new)), how,
                  milliseconds, NEWS, f"{state.id} {state.version}"],
        )
        if done == 2:
            raise Revoked
        if not done:
            if answer < game.state.version:  # Redis came back with less than it had
                self._kept.pop(state.id, None)
            raise Conflict
        _remember(new, entry)
        self._keep(new)
        return new, bool(answer)

    def heads(self, game_ids: list[str]) -> list[dict | None]:
        """Return what lists show of these games, None where there is no such game."""
        pipe = self.redis.pipeline(transaction=False)
        for game_id in game_ids:
            pipe.get(keys(game_id)[1])
        return [orjson.loads(raw) if raw else None for raw in pipe.execute()]

    def lease(self, game_id: str, milliseconds: int) -> bool:
        """Speak for a game's bots unless somebody does; return whether it was free."""
        return bool(self.redis.set(keys(game_id)[2], 1, px=milliseconds, nx=True))

    def game_ids(self) -> Iterator[str]:
        """Yield the id of every game that has a history, in no order."""
        for key in self.redis.scan_iter("{g:*}:log", count=1000):
            yield key.decode()[3:-5]

    def refold(self, game_id: str) -> Game:
        """Fold a game from its first entry and write its head anew."""
        self._kept.pop(game_id, None)
        game = self.load(game_id)
        self.redis.set(keys(game_id)[1], orjson.dumps(head(game)))
        return game

    def _folded(self, game: Game | None, entry: dict, entry_hash: str) -> Game:
        events = [event_from_json(event) for event in entry["events"]]
        if game is None:
            created = events[0]
            assert isinstance(created, GameCreated)
            game = Game(State(self._board(created)))
        new = self._next(game, evolve(game.state, events), entry, entry_hash)
        _remember(new, entry)
        return new

    def _board(self, created: GameCreated) -> Board:
        """Return the very table that a game was started with, also when it has changed since."""
        board = self.boards.get(created.board)
        if board is None or board.digest != created.board_digest:
            board = self._former.get(created.board_digest)
        if board is None:
            table = self.redis.get(f"table:{created.board_digest}")
            if table is None:
                raise BrokenHistory(1, f"the table {created.board_digest} is not kept here")
            board = self._former[created.board_digest] = parse(table.decode())
        return board

    def keep_table(self, board: Board) -> None:
        """Keep a board's table for as long as the games that will be played on it."""
        if board.digest not in self._tables_kept:
            self.redis.set(f"table:{board.digest}", orjson.dumps(board.table), nx=True)
            self._tables_kept.add(board.digest)

    @staticmethod
    def _next(game: Game, state: State, entry: dict, entry_hash: str) -> Game:
        at = entry["at"]
        started = game.started or (at if state.was_begun else "")
        return Game(state, entry_hash, game.created or at, started, at,
                    entry | {"hash": entry_hash},
                    since_after(game.since, game.state, state, entry, (state.version, at)),
                    banks_after(game.banks, state, entry) if state.clock else (), game.commands)

    def _keep(self, game: Game) -> None:
        kept = self._kept.get(game.state.id)
        if kept is None or kept.state.version < game.state.version:
            self._kept[game.state.id] = game
        self._kept.move_to_end(game.state.id)
        if len(self._kept) > KEPT_STATES:
            self._kept.popitem(last=False)


def _remember(game: Game, entry: dict) -> None:
    """Note an entry's command id, now that the entry is in the history."""
    if command := entry.get("command"):
        command_id, _, digest = command.partition(".")
        game.commands[command_id] = game.state.version, digest


def head(game: Game) -> dict:
    """Return what lists show of a game; nothing in it is secret."""
    state = game.state
    shown = {
        "id": state.id,
        "board": state.board.id,
        "status": state.status,
        "version": state.version,
        "created": game.created,
        "updated": game.updated,
        "seats": [{"seat": seat} | ({"player": player.as_json()} if player else {})
                  for seat, player in enumerate(state.players)],
        "deciding": [seat for seat, _ in state.deciding()],
    }
    for seat, result in zip(shown["seats"], state.results, strict=False):
        seat |= {"total": result["total"], "rank": result["rank"]}
    if state.visibility != "public":
        shown["visibility"] = state.visibility
    if state.clock:
        shown["clock"] = state.clock.as_json()
    return shown
