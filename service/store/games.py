"""The histories of games, and what only games have beside them.

``{g:ID}:bots``   there while built-in bots are being played for the game; it expires (``lease``)
``table:DIGEST``  the board's table that games with this digest are folded on
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NotRequired, TypedDict

import orjson
from redis import Redis, RedisCluster

from domain.board.board import Board
from domain.boards import parse
from domain.entry import SALT_BYTES, Entry, Once, Timing, salt_after
from domain.errors import BrokenHistory, FoggError
from domain.game.commands import Command
from domain.game.events import Event, GameCreated
from domain.game.fold import evolve
from domain.game.state import FINISHED, PLAYING, State
from domain.game.timing import banks_after, since_after
from domain.rules import event_from_json
from service.errors import Revoked
from service.store.archive import Archive
from service.store.deleted import Deleted
from service.store.histories import Guarded
from service.store.holds import held_for, hold
from service.store.known import Known
from service.store.log import GameLog
from service.store.pace import Pace, pace_after
from service.store.store import Store
from service.times import in_ms


@dataclass
class KnownGame(Known[State]):
    """A game's state with what must be known to append to its history."""

    started: str = ""
    # seat -> the version and time since which the decision that it has to make was there
    since: dict[int, tuple[int, str]] = field(default_factory=dict)
    banks: tuple[int, ...] = ()  # milliseconds left to each seat, on a clock with banks
    moves: Mapping[int, int] = field(default_factory=dict)  # seat -> actions that it has posted
    salt: str = ""  # of the first entry, from which those of the next ones are made
    pace: Pace = b""  # how long each decision took (``pace_after``)


class DecidingHead(TypedDict):
    """Whom a game waits for, and for what."""

    seat: int
    decision: str


class SeatHead(TypedDict):
    """What lists show of a seat; the score while everybody may watch the game, the last two once it
    is over."""

    seat: int
    player: NotRequired[dict]
    score: NotRequired[int]
    total: NotRequired[int]
    rank: NotRequired[int]


class GameHead(TypedDict):
    """What lists show of a game."""

    id: str
    board: str
    status: str
    version: int
    created: str
    updated: str
    started: NotRequired[str]  # if it was begun
    seats: list[SeatHead]
    deciding: list[DecidingHead]
    visibility: NotRequired[str]  # if it is not public
    clock: NotRequired[dict]
    tournament: NotRequired[dict]  # where in one it belongs: id, round, table


def waits_for(head: GameHead, account: str) -> bool:
    """Return whether a game waits for an account; of one that cannot be read nobody knows."""
    return any(head["seats"][row["seat"]]["player"]["id"] == account
               for row in head["deciding"] if isinstance(row, dict))


class GameStore(Store[KnownGame]):
    """The games in one Redis. ``boards`` by id are what they are folded on."""

    kind, letter, tag, created, keeps = "game", "g", "g", "created", 4096

    # KEYS bots and the keys of tokens without which nothing is written. ARGV how the lease is
    # taken, "" if no bot decides, and its milliseconds. The answer is whether it was taken. Who is
    # answered again may be the one who took it, and has called nobody: two workers for a game do
    # no harm, none would keep it waiting.
    guard = """
if KEYS[5] and redis.call('EXISTS', unpack(KEYS, 5)) < #KEYS - 4 then return {2, 0} end
"""
    also = """
if ARGV[8] == '' then
  redis.call('DEL', KEYS[4])
elseif ARGV[8] == 'refresh' then
  redis.call('SET', KEYS[4], '1', 'PX', ARGV[9])
elseif redis.call('SET', KEYS[4], '1', 'PX', ARGV[9], 'NX') then
  answer = 1
end
"""
    again = "if ARGV[8] == 'take' then answer = redis.call('EXISTS', KEYS[4]) end"

    def __init__(
        self, redis: Redis, boards: Mapping[str, Board], archive: Archive | None = None
    ):
        super().__init__(redis, archive)
        self.boards, self.log, self.deleted = boards, GameLog(redis), Deleted(redis)
        self._is_cluster = isinstance(redis, RedisCluster)
        self._former: dict[str, Board] = {}  # tables that have changed since, by digest
        self._tables_kept: set[str] = set()

    def append(
        self,
        game: KnownGame,
        events: list[Event],
        state: State,
        *,
        seat: int | None = None,
        action: Command | None = None,
        note: str | None = None,
        once: Once | None = None,
        timing: Timing | None = None,
        lease: tuple[str, int] | None = None,
        tokens: tuple[str, ...] = (),
    ) -> tuple[KnownGame, bool]:
        """Make events, and the state they lead to, the game's next entry.

        ``timing`` is what is to be recorded of a clock; ``lease`` how ("take" or "refresh") and for
        how many milliseconds the game's bots are to be spoken for, None if no bot is to decide;
        ``tokens`` the keys of tokens without which nothing is written (Revoked then). Returns
        the game and whether the lease was taken anew. Raises Conflict, and writes nothing, unless
        the history still ends where ``game`` does.
        """
        if tokens and self._is_cluster:  # they may be on other nodes
            if self.redis.exists(*tokens) < len(tokens):
                raise Revoked
            tokens = ()
        bots = self.key(state.id, "bots")
        try:
            new, taken = self._append_events(
                game, state, events, once=once,
                seat=seat, action=action and action.json, note=note, timing=timing,
                salt=(salt_after(game.salt, state.version) if game.salt
                      else secrets.token_hex(SALT_BYTES)),
                log_head=None if game.salt else self.log.known_head(),
                keys=[bots, *tokens],
                args=lease or ("", 0))
        except Guarded:
            raise Revoked from None
        return new, bool(taken)

    def heads(self, ids: Iterable[str]) -> list[Any]:
        """Return the same of games; of one that is waiting since an earlier version, whose head
        told it otherwise, as it is now."""
        found = super().heads(ids)
        for place, head in enumerate(found):
            if head and any(isinstance(seat, int) for seat in head["deciding"]):
                with suppress(FoggError):
                    found[place] = self.head(self.load(head["id"]))
        return found

    def listed(self, ids: Iterable[str]) -> list[GameHead | None]:
        """Return what lists show of games to people: nobody's name whose account was deleted."""
        found = self.heads(ids)
        self.deleted.hide(seat for head in found if head for seat in head["seats"])
        return found

    def ended(self, game_ids: Collection[str]) -> dict[str, int]:
        """Return when those of these games ended that are over, in milliseconds since 1970."""
        heads = zip(game_ids, self.heads(game_ids), strict=True)
        return {game_id: in_ms(head["updated"]) for game_id, head in heads
                if head is not None and head["status"] == FINISHED}

    def leased(self, game_id: str, most: int) -> int:
        """Return for how many milliseconds, at most, a game's bots are spoken for yet, 0 if they
        are not."""
        return held_for(self.redis, self.key(game_id, "bots"), most)

    def lease(self, game_id: str, milliseconds: int) -> bool:
        """Speak for a game's bots unless somebody does; return whether it was free."""
        return hold(self.redis, self.key(game_id, "bots"), milliseconds)

    # Tables

    def keep_table(self, board: Board) -> None:
        """Keep a board's table for as long as the games that will be played on it."""
        if board.digest not in self._tables_kept:
            self.redis.set(f"table:{board.digest}", orjson.dumps(board.table), nx=True)
            self._tables_kept.add(board.digest)

    def kept_table(self, digest: str) -> Board | None:
        """Return a board whose table is kept, None if none has this digest."""
        if digest not in self._former:
            table = self.redis.get(f"table:{digest}")
            if table is None:
                return None
            self._former[digest] = parse(table.decode())
        return self._former[digest]

    # What a game is

    def before(self, first: Entry) -> KnownGame:
        """Return the very table that a game was started with, also when it has changed since."""
        created = event_from_json(first["events"][0])
        assert isinstance(created, GameCreated)
        board = self.boards.get(created.board)
        if board is None or board.digest != created.board_digest:
            board = self.kept_table(created.board_digest)
        if board is None:
            raise BrokenHistory(1, f"the table {created.board_digest} is not kept here")
        return KnownGame(State(board))

    def evolved(self, state: State, events: list[dict]) -> State:
        """Return the state after one more entry."""
        return evolve(state, map(event_from_json, events))

    def also_known(
        self, known: KnownGame, state: State, entry: Entry
    ) -> tuple[Any, ...]:
        """Return ``started``, ``since``, ``banks``, ``moves``, ``salt`` and ``pace`` after one more
        entry."""
        at, moves = entry["at"], known.moves
        if "action" in entry and "timed_out" not in entry:  # else the service has played it
            moves = {**moves, entry["seat"]: moves.get(entry["seat"], 0) + 1}
        return (known.started or (at if state.was_begun else ""),
                since_after(known.since, known.state, state, entry, (state.version, at)),
                banks_after(known.banks, state, entry) if state.clock else (), moves,
                known.salt or entry.get("salt", ""), pace_after(known.pace, known.since, entry))

    @staticmethod
    def head(game: KnownGame) -> GameHead:
        """Return what lists show of a game; nothing in it is secret."""
        state = game.state
        shown: GameHead = {
            "id": state.id,
            "board": state.board.id,
            "status": state.status,
            "version": state.version,
            "created": game.created,
            "updated": game.updated,
            "seats": [{"seat": seat} | ({"player": player.as_json()} if player else {})
                      for seat, player in enumerate(state.players)],
            "deciding": [{"seat": seat, "decision": decision}
                         for seat, decision in state.deciding()],
        }
        if game.started:
            shown["started"] = game.started
        if state.status == PLAYING and state.spectators and state.visibility != "private":
            for seat, points in zip(shown["seats"], state.points, strict=True):
                seat["score"] = points
        for seat, result in zip(shown["seats"], state.results, strict=False):
            seat |= {"total": result["total"], "rank": result["rank"]}
        if state.visibility != "public":
            shown["visibility"] = state.visibility
        if state.clock:
            shown["clock"] = state.clock.as_json()
        if place := state.tournament:
            shown["tournament"] = {name: place[name] for name in ("id", "round", "table")}
        return shown
