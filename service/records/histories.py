"""Finished games as data.

Lines of finished games are spliced from the stored bytes, not parsed and written again.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

import orjson
import sqlalchemy as sa

from domain import facts
from domain.codec import Json
from domain.entry import Entry
from domain.errors import BrokenHistory
from domain.game.state import State
from domain.game.timing import thought
from service.eventlog.histories import Written
from service.games.games import Games
from service.games.store import GameStore, LoadedGame
from service.games.visibility import is_published, open_book_for, view_of_decision
from service.records.database import Database
from service.records.games import HISTORY, WITH_TABLE
from service.records.packing import unpack
from service.records.projection import projections
from service.records.tables import game, seat
from service.redis.batches import batches_of
from service.slices import Slices
from service.times import in_ms

BATCH_SIZE = 4  # histories read at a time
ROWS = 200  # rows read at a time
MISSES = 2000  # games in a row that do not match a filter, after which an answer ends
Place = tuple[int, str]  # of a game among the published ones, and its id


@dataclass(frozen=True)
class HistoryFilter:
    """A filter of finished games; None in a member matches any. ``since`` (included) and ``until``
    (excluded) are when they ended, in milliseconds since 1970. ``bot`` is a built-in bot's name."""

    board: str | None = None
    bot: str | None = None
    since: int | None = None
    until: int | None = None
    limit: int | None = None

    def rows(self) -> sa.Select:
        """Return the query of the games that match one member by an index, in their order."""
        columns = game.c.published, game.c.id, game.c.board, game.c.ended
        if self.bot is None:
            rows, place = sa.select(*columns), game.c.published
            if self.board is not None:
                rows = rows.where(game.c.board == self.board)
        else:  # copies of a bot in one game have as many rows
            rows, place = (
                sa.select(*columns)
                .join(seat, seat.c.game == game.c.n)
                .where(seat.c.bot == self.bot),
                seat.c.published,
            )
        return (
            rows.where(place.is_not(None), place >= sa.bindparam("start"))
            .order_by(place)
            .limit(ROWS)
        )

    def fits(self, row: sa.Row) -> bool:
        """Return whether one of these games matches all other members."""
        return (
            self.board in (None, row.board)
            and (self.since is None or row.ended >= self.since)
            and (self.until is None or row.ended < self.until)
        )


@dataclass(frozen=True)
class Over:
    """A recorded game with its history."""

    cursor: str
    head: Json
    history: list[Written]


def line(text: bytes, entry_hash: str) -> bytes:
    """Return a stored entry as JSON: its bytes, with the hash added as the last member."""
    return b'%s,"hash":"%s"}' % (text[:-1], entry_hash.encode())


def history(games: Games, viewer: str | None, game_id: str) -> tuple[LoadedGame, bytes]:
    """Return a game without secrets and its whole history, a line for each entry, if the viewer may
    see it."""
    game = open_book_for(games, viewer, game_id)
    return game, b"".join(
        line(text, entry_hash) + b"\n" for text, entry_hash in games.store.entries(game_id)
    )


def histories(games: Games, which: HistoryFilter, after: str | None) -> Iterator[bytes | None]:
    """Yield published games as lines, in their order; None for each read without any."""
    for over, more, end in _batches(games, which, after):
        yield b"".join(_history_line(one, more) for one in over) + end or None


def _batches(
    games: Games, which: HistoryFilter, after: str | None, *, is_included: bool = False
) -> Iterator[tuple[list[Over], Mapping[str, Json], bytes]]:
    """Yield some games at a time that may be published and are not broken, what features show with
    them, and the line that says from where to go on, if the answer ends there. All three are empty
    for a read without a match."""
    slices, hooks = Slices(), projections(games)
    for places, end in _places(games.database, which, after, is_included):
        for some in batches_of(BATCH_SIZE, places):
            ids = [game_id for _, game_id in some]
            with games.database.reading() as db:
                packed = {
                    row.id: row
                    for row in db.execute(
                        sa.select(game.c.id, game.c.head, *HISTORY)
                        .select_from(WITH_TABLE)
                        .where(game.c.id.in_(ids))
                    )
                }
                more = defaultdict[str, Json](dict)
                for hook in hooks:
                    for game_id, members in hook.about_games(db, ids).items():
                        more[game_id] |= members
            over = list[Over]()
            for place in some:
                if one := _published(games.store, _cursor(place), packed[place[1]]):
                    over.append(one)
                slices.pause()
            games.store.deleted.hide(seat for one in over for seat in one.head["seats"])
            yield over, more, b""
        if end or not places:
            yield [], {}, orjson.dumps({"cursor": _cursor(end)}) + b"\n" if end else b""


def _cursor(place: Place) -> str:
    return f"{place[0]}.{place[1]}"


def _published(store: GameStore, cursor: str, row: sa.Row) -> Over | None:
    try:
        history = unpack(row.history, row.last_hash, row.content)
    except BrokenHistory as error:
        store.set_aside(row.id, error)
        return None
    if not is_published(store, history[0][0], history[-1][0]):
        return None
    return Over(cursor, orjson.loads(row.head), history)


def _places(
    database: Database, which: HistoryFilter, after: str | None, is_included: bool
) -> Iterator[tuple[list[Place], Place | None]]:
    """Yield the published games of each read that match a filter. After ``MISSES`` games without a
    match, end the answer and also yield the place of the last game read."""
    start, query, missed = int((after or "0.").partition(".")[0]), which.rows(), 0
    left = which.limit
    if after and not is_included:
        start += 1
    start = max(start, which.since or 0)  # no game is published before it ended
    while True:
        with database.reading() as db:
            rows = db.execute(query, {"start": start}).all()
        places = list[Place]()
        for row in rows:
            if row.published < start:  # another copy of the bot
                continue
            start, missed = row.published + 1, missed + 1
            if which.fits(row):
                missed = 0
                places.append((row.published, row.id))
        places = places[:left]
        left = left and left - len(places)
        end = (rows[-1].published, rows[-1].id) if missed >= MISSES and left != 0 else None
        is_last = end or left == 0 or len(rows) < ROWS
        if places or end or not is_last:
            yield places, end
        if is_last:
            return


def _history_line(over: Over, more: Mapping[str, Json]) -> bytes:
    head = over.head
    about = {
        "cursor": over.cursor,
        "game": head["id"],
        "board": head["board"],
        "version": head["version"],
        "created": head["created"],
        "finished": head["updated"],
        "seats": head["seats"],
    } | more.get(head["id"], {})
    entries = b",".join([line(text, entry_hash) for text, entry_hash in over.history])
    return b'%s,"entries":[%s]}\n' % (orjson.dumps(about)[:-1], entries)


def decisions(games: Games, viewer: str | None, game_id: str) -> Iterator[bytes]:
    """Return every decision of a game without secrets as a line of JSON, if the viewer may see the
    game."""
    game_id = open_book_for(games, viewer, game_id).state.id
    return _decisions(games.store, games.store.entries(game_id))


def _decisions(
    store: GameStore, history: Iterable[Written], about: dict | None = None, after: int = 0
) -> Iterator[bytes]:
    """Yield every decision of a finished game after a version as a line of JSON: the player's view,
    the action, and the result. ``about`` has further members, such as the game's id, which come
    first."""
    whole, slices = [], Slices()
    for then in store.fold_entries(history):
        whole.append(then)
        slices.pause()
    over = whole[-1].state
    results, tickets = over.results, _tickets(over)
    for was, then in pairwise(whole):
        entry, version = then.last, then.state.version
        if version <= after or "action" not in entry:
            continue
        seat = entry["seat"]
        decision = was.state.decision(seat)
        if decision is None:  # a player who resigns out of turn had no decision to make
            continue
        row = (about or {}) | {
            "version": version,
            "seat": seat,
            "decision": decision,
            "view": view_of_decision(store, was, seat),
            "action": entry["action"],
            "at": entry["at"],
            "milliseconds": _milliseconds(was, entry, seat),
            "events": entry["events"],
        }
        if "cursor" in row:
            row["cursor"] += f".{version}"
        row |= {name: entry[name] for name in ("note", "timed_out") if name in entry}
        if over.left[seat]:
            row["left"] = over.left[seat]
        if results:
            row |= {"result": results[seat], "tickets": tickets[seat]}
        yield orjson.dumps(row) + b"\n"
        slices.pause()


def _tickets(state: State) -> list[list[dict]]:
    tickets: list[list[dict]] = [[] for _ in state.seats]
    for row in facts.tickets(state):
        tickets[row["seat"]].append({"ticket": row["ticket"], "completed": row["is_completed"]})
    return tickets


def _milliseconds(was: LoadedGame, entry: Entry, seat: int) -> int:
    if "arrived" in entry:
        return thought(entry)
    return max(0, in_ms(entry["at"]) - in_ms(was.since[seat][1]))


def all_decisions(games: Games, which: HistoryFilter, after: str | None) -> Iterator[bytes | None]:
    """Yield the decisions of published games as lines, in the order of the games; None for each
    read that found none. ``which.limit`` counts games."""
    cursor, version = _split(after)
    for over, more, end in _batches(games, which, cursor, is_included=version > 0):
        count = 0
        for one in over:
            for row in _readable_decisions(
                games.store, one, more, version if one.cursor == cursor else 0
            ):
                yield row
                count += 1
        if end or not count:
            yield end or None


def _readable_decisions(
    store: GameStore, over: Over, more: Mapping[str, Json], after: int
) -> Iterator[bytes]:
    game_id = over.head["id"]
    about: dict = {"cursor": over.cursor, "game": game_id, "board": over.head["board"]}
    created = orjson.loads(over.history[0][0])["events"][0]
    if deal := (created.get("tournament") or created.get("pool") or {}).get("games"):
        about["deal"] = deal
    try:
        yield from _decisions(store, over.history, about | more.get(game_id, {}), after)
    except BrokenHistory as error:
        store.set_aside(game_id, error)


def _split(after: str | None) -> tuple[str | None, int]:
    if after is None:
        return None, 0
    score, game_id, *version = after.split(".")
    return f"{score}.{game_id}", int(version[0]) if version else 0
