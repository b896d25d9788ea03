"""The store of games: their histories, the leases on their bots, the boards' tables.

``{g:ID}:bots``   the lease on a game's bots: exists while a worker plays them
``table:DIGEST``  the table of the board that games with this digest are folded on
"""

import secrets
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, NotRequired, TypedDict

import orjson
from redis import Redis

from domain.board.board import Board
from domain.boards import parse
from domain.described import Positive, Signed, Time, choice
from domain.entry import SALT_BYTES, Entry, salt_after
from domain.errors import BrokenHistory
from domain.game.clock import ClockJson
from domain.game.commands import Player, PlayerJson
from domain.game.events import GameCreated, Table
from domain.game.fold import evolve_from_json
from domain.game.pace import Pace, pace_after
from domain.game.state import FINISHED, LOBBY, PLAYING, State
from domain.game.timing import banks_after, since_after
from domain.rules import ALL, event_from_json
from service.errors import UnknownThing
from service.eventlog.histories import Records
from service.eventlog.loaded import Loaded
from service.eventlog.store import Store
from service.redis.deleted import Deleted
from service.times import in_ms


@dataclass
class LoadedGame(Loaded[State]):
    """A game's state, with the values that appending to its history takes."""

    started: str = ""
    # seat -> the version and time since which the decision that it has to make was there
    since: dict[int, tuple[int, str]] = field(default_factory=dict)
    banks: tuple[int, ...] = ()  # milliseconds left to each seat, on a clock with banks
    moves: dict[int, int] = field(default_factory=dict)  # seat -> actions that it has posted
    salt: str = ""  # of the first entry; those of the others are derived from it
    pace: Pace = b""  # how long each decision took (``pace_after``)
    closed_at: tuple[str, ...] = ()  # when each of the state's closed invitations was closed

    def take(self, entry: Entry, before: State) -> None:
        state, at = self.state, entry["at"]
        self.hash, self.updated, self.last = entry["hash"], at, entry
        if not self.created:
            self.created = at
        if not self.salt:
            self.salt = entry.get("salt", "")
        if not self.started and state.was_begun:
            self.started = at
        if "action" in entry and "timed_out" not in entry:  # else the service acted for the seat
            self.moves = moves = self.moves.copy()
            moves[entry["seat"]] = moves.get(entry["seat"], 0) + 1
        if state.closed_invitations is not before.closed_invitations:
            self.closed_at += (at,)
        self.pace = pace_after(self.pace, self.since, entry)
        self.since = since_after(self.since, before, state, entry, (state.version, at))
        if state.clock:
            self.banks = banks_after(self.banks, state, entry)


class Deciding(TypedDict):
    """A decision that the game waits for."""

    seat: Annotated[int, "The seat that has to decide."]
    decision: Annotated[str, choice(ALL.decisions), "The kind of decision."]
    deadline: NotRequired[
        Annotated[
            Time,
            "When the action has to arrive, if the game has a clock. A built-in bot has no "
            "deadline, since its clock does not run while it waits for a worker.",
        ]
    ]


class SeatHead(TypedDict):
    """A seat of a game in a list."""

    seat: Annotated[int, "The seat's number."]
    player: NotRequired[Annotated[PlayerJson, "The player; missing while the seat is open."]]
    invited: NotRequired[
        Annotated[Mapping[str, str], Player, "The player for whom the seat is reserved."]
    ]
    expires: NotRequired[Annotated[Time, "When the invitation expires."]]
    rating_from: NotRequired[Annotated[Signed, "The minimum overall rating for this seat."]]
    rating_to: NotRequired[Annotated[Signed, "The maximum overall rating for this seat."]]
    score: NotRequired[
        Annotated[int, "Points so far, while the game is under way and anyone may watch it."]
    ]
    total: NotRequired[Annotated[Signed, "Final points, once the game is finished."]]
    rank: NotRequired[Annotated[Positive, "Final rank, once the game is finished."]]


class GameHead(TypedDict):
    """A game in a list."""

    id: Annotated[str, "The game's id."]
    board: Annotated[str, "The board's id."]
    status: Annotated[
        str,
        choice((LOBBY, PLAYING, FINISHED)),
        "`lobby` until every seat is taken, then `playing`, then `finished`.",
    ]
    version: Annotated[Positive, "The number of entries in the game's history."]
    created: Annotated[Time, "When it was created."]
    updated: Annotated[Time, "When the last entry was accepted."]
    started: NotRequired[Annotated[Time, "When the first tickets were dealt; missing before."]]
    seats: Annotated[list[SeatHead], "The seats in the order of play."]
    deciding: Annotated[
        list[Deciding],
        "The decisions that the game waits for. The `deadline` is left out, "
        "because it moves with the service's downtime and rows of lists are stored as of "
        "`version`; the game's view has it.",
    ]
    visibility: NotRequired[
        Annotated[
            str, choice(("unlisted", "private")), "The visibility, if the game is not public."
        ]
    ]
    clock: NotRequired[Annotated[ClockJson, "The time that seats have, if the game has a clock."]]
    tournament: NotRequired[Annotated[Table, "Its place in a tournament, if it belongs to one."]]


def has_seat(head: GameHead, account: str) -> bool:
    return any(seat.get("player", {}).get("id") == account for seat in head["seats"])


def waits_for(head: GameHead, account: str) -> bool:
    return any(head["seats"][row["seat"]]["player"]["id"] == account for row in head["deciding"])


class GameStore(Store[LoadedGame]):
    """The games in one Redis, which are folded on these ``boards``."""

    kind, letter, tag, created, keeps = "game", "g", "g", "created", 4096
    has_leases = True

    def __init__(self, redis: Redis, boards: Mapping[str, Board], records: Records | None = None):
        super().__init__(redis, records)
        self.boards, self.deleted = boards, Deleted(redis)
        # more members of first entries
        self.first_members: Callable[[], Mapping[str, Any]] = dict
        self._former: dict[str, Board] = {}  # tables that have changed since, by digest
        self._tables_kept: set[str] = set()

    def board(self, board_id: str) -> Board:
        """Return a board that can be played; raise UnknownThing if there is none."""
        if board_id not in self.boards:
            raise UnknownThing("board", board_id)
        return self.boards[board_id]

    def more_members(self, known: LoadedGame) -> dict[str, Any]:
        """Return the next entry's salt, and more for the first entry."""
        if known.salt:
            return {"salt": salt_after(known.salt, known.state.version + 1)}
        return {"salt": secrets.token_hex(SALT_BYTES), **self.first_members()}

    def listed(self, ids: Iterable[str]) -> list[GameHead | None]:
        """Return the heads of games, without the names of deleted accounts."""
        rows = self.heads(ids)
        self.deleted.hide(seat for head in rows if head for seat in head["seats"])
        return rows

    def ended(self, game_ids: Collection[str]) -> dict[str, int]:
        """Return the times, in milliseconds since 1970, when finished games ended; leave out other
        games."""
        heads = zip(game_ids, self.heads(game_ids), strict=True)
        return {
            game_id: in_ms(head["updated"])
            for game_id, head in heads
            if head is not None and head["status"] == FINISHED
        }

    def keep_table(self, board: Board) -> None:
        """Store a board's table, for ever: the games played on it need it."""
        if board.digest not in self._tables_kept:
            self.redis.set(f"table:{board.digest}", orjson.dumps(board.table), nx=True)
            self._tables_kept.add(board.digest)

    def kept_table(self, digest: str) -> Board | None:
        """Return the board whose stored table has a digest, None if there is none."""
        if digest not in self._former:
            raw = self.redis.get(f"table:{digest}")
            table = raw.decode() if raw else self.records.board_table(digest)
            if table is None:
                return None
            self._former[digest] = parse(table)
        return self._former[digest]

    def before(self, first: Entry) -> LoadedGame:
        """Return the state before a first entry, on the table that the game was started with."""
        created = event_from_json(first["events"][0])
        assert isinstance(created, GameCreated)
        board = self.boards.get(created.board)
        if board is None or board.digest != created.board_digest:
            board = self.kept_table(created.board_digest)
        if board is None:
            raise BrokenHistory(1, f"the table {created.board_digest} is not kept here")
        return LoadedGame(State(board))

    def evolve(self, known: LoadedGame, entry: Entry, is_own: bool) -> None:
        since = known.since
        # ``since_after`` needs the state before unless only the seat that acted had to decide
        if not (is_own and len(since) == 1 and entry.get("seat") in since):
            known.state = known.state.copy()
        evolve_from_json(known.state, entry["events"])

    @staticmethod
    def head(game: LoadedGame) -> GameHead:
        """Return the head of a game; nothing in it is secret."""
        state = game.state
        shown: GameHead = {
            "id": state.id,
            "board": state.board.id,
            "status": state.status,
            "version": state.version,
            "created": game.created,
            "updated": game.updated,
            "seats": [
                {"seat": seat, "player": player.as_json()} if player else {"seat": seat}
                for seat, player in enumerate(state.players)
            ],
            "deciding": [
                {"seat": seat, "decision": decision} for seat, decision in state.deciding()
            ],
        }
        if game.started:
            shown["started"] = game.started
        if state.status == LOBBY:
            for rating_range in state.rating_ranges:
                row = shown["seats"][rating_range.seat]
                if rating_range.rating_from is not None:
                    row["rating_from"] = rating_range.rating_from
                if rating_range.rating_to is not None:
                    row["rating_to"] = rating_range.rating_to
            for one in state.invitations:
                shown["seats"][one.seat] |= {"invited": one.player, "expires": one.expires}
        terms = state.terms
        if state.status == PLAYING and terms.spectators and terms.visibility != "private":
            for seat, points in zip(shown["seats"], state.points, strict=True):
                seat["score"] = points
        for seat, result in zip(shown["seats"], state.results, strict=False):
            seat |= {"total": result["total"], "rank": result["rank"]}
        if terms.visibility != "public":
            shown["visibility"] = terms.visibility
        if state.clock:
            shown["clock"] = state.clock.as_json()
        if terms.table:
            shown["tournament"] = terms.table
        return shown
