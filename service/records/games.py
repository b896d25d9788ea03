"""Games that are over: their rows, and reading them back."""

from collections.abc import Iterable, Mapping, Sequence

import orjson
import sqlalchemy as sa

from domain import facts
from domain.board.board import Board
from domain.codec import Json
from service.eventlog.histories import Written
from service.games.store import GameStore, LoadedGame
from service.games.visibility import is_duplicate
from service.records.database import add, add_one
from service.records.packing import pack, unpack
from service.records.tables import (
    board_table,
    claim,
    game,
    kept_ticket,
    player,
    route,
    seat,
    ticket,
)
from service.records.unplayed import is_unplayed
from service.times import in_ms, now_in_ms

SEAT = seat.columns.keys()
TABLE = sa.select(board_table.c.n).where(board_table.c.digest == sa.bindparam("digest"))
PLAYERS = sa.select(player.c.id, player.c.n).where(
    player.c.id.in_(sa.bindparam("ids", expanding=True))
)
PARTS = {
    part: sa.select(part.c.id, part.c.n).where(part.c.board_table == sa.bindparam("of_table"))
    for part in (route, ticket)
}
Numbers = Mapping[str, Mapping[str, int]]  # table -> id of a route or ticket -> its number


class AnotherGame(Exception):
    """The records have a game with this id and another history."""


def add_game(
    db: sa.Connection,
    store: GameStore,
    over: LoadedGame,
    history: Sequence[Written],
    is_imported: bool,
) -> int | None:
    """Record a finished game with the rows that follow from it alone. Return its number, None if it
    was recorded before. Raise AnotherGame if a different game has its id."""
    table = number_of_table(db, over.state.board)
    values = values_of(store, over, history, is_imported) | {
        "board_table": table,
        "recorded": now_in_ms(),
        "is_settled": not is_duplicate(over.state),
        "history": pack(history, table_text(over.state.board)),
    }
    n = add_one(db, game, values)
    if n is None:
        if (
            db.scalar(sa.select(game.c.last_hash).where(game.c.id == over.state.id))
            != (values["last_hash"])
        ):
            raise AnotherGame(over.state.id)
        return None
    add_parts(db, n, numbers_of_parts(db, table), over)
    return n


def values_of(
    store: GameStore, over: LoadedGame, history: Sequence[Written], is_imported: bool
) -> Json:
    """Return the values of a game's own row, as far as they follow from its history."""
    state = over.state
    return {
        "id": state.id,
        "board": state.board.id,
        "creator": state.terms.creator,
        "created": in_ms(over.created),
        "ended": in_ms(over.updated),
        "is_listed": state.terms.visibility == "public",
        "is_imported": is_imported,
        "is_unplayed": not is_imported and is_unplayed(state, history),
        "declined": in_ms(over.closed_at[-1]) if over.closed_at else None,
        "tournament": state.terms.tournament["id"] if state.terms.tournament else None,
        "deal": orjson.dumps(state.terms.deal).decode() if is_duplicate(state) else None,
        "version": state.version,
        "last_hash": bytes.fromhex(over.hash),
        "head": orjson.dumps(store.head(over)).decode(),
    }


def add_parts(db: sa.Connection, n: int, parts: Numbers, over: LoadedGame) -> None:
    """Add the seats, claims and tickets of the game with a number."""
    add(
        db,
        player,
        [{"id": one} for one in dict.fromkeys(one.id for one in over.state.players if one)],
    )
    for part, rows in parts_of(db, n, parts, over).items():
        add(db, part, rows)


def parts_of(
    db: sa.Connection, n: int, parts: Numbers, over: LoadedGame
) -> dict[sa.Table, list[Json]]:
    """Return the rows of a game's seats, claims and tickets, whose numbers ``parts`` has."""
    state, pace = over.state, over.pace
    ids = [one.id for one in state.players if one]
    players = dict(db.execute(PLAYERS, {"ids": ids}).all())
    return {
        seat: [
            _seat(row, players)
            | {"game": n, "created": in_ms(over.created), "ended": in_ms(over.updated)}
            for row in facts.seats(state, pace)
        ],
        claim: [
            {
                "game": n,
                "route": parts[route.name][row["route"]],
                "seat": row["seat"],
                "turn": row["turn"],
            }
            for row in facts.claims(state, pace)
        ],
        kept_ticket: [
            {
                "game": n,
                "ticket": parts[ticket.name][row["ticket"]],
                "seat": row["seat"],
                "is_completed": row["is_completed"],
            }
            for row in facts.tickets(state)
        ],
    }


def _seat(row: Json, players: Mapping[str, int]) -> Json:
    return {name: row.get(name) for name in SEAT} | {
        "player": players.get(row["player"]),
        "version": row["bot_version"],
        "left": row["reason_left"],
    }


def table_text(board: Board) -> str:
    """Return the text of a board's table: the dictionary that compresses histories on it."""
    text: str = board.once(lambda one: orjson.dumps(one.table).decode())
    return text


def number_of_table(db: sa.Connection, board: Board) -> int:
    """Return the number of a board's table; keep a new table, its routes and its tickets first."""
    which = {"digest": board.digest}
    if (n := db.scalar(TABLE, which)) is not None:
        return int(n)
    add(
        db, board_table, [{"digest": board.digest, "board": board.id, "content": table_text(board)}]
    )
    n = db.scalars(TABLE, which).one()
    for part, rows in parts_of_table(n, board).items():
        add(db, part, rows)
    return int(n)


def parts_of_table(n: int, board: Board) -> dict[sa.Table, list[Json]]:
    """Return the rows of the routes and tickets of the board's table with a number."""
    return {
        route: [{"board_table": n, "id": one.id, "length": one.length} for one in board.routes],
        ticket: [{"board_table": n, "id": one.id, "points": one.points} for one in board.tickets],
    }


def numbers_of_parts(db: sa.Connection, table: int) -> Numbers:
    """Return the numbers of the routes and tickets of a board's table, by table and id."""
    return {
        part.name: dict(db.execute(of_table, {"of_table": table}).all())
        for part, of_table in PARTS.items()
    }


HISTORY = (game.c.history, game.c.last_hash, board_table.c.content)
WITH_TABLE = game.outerjoin(board_table, board_table.c.n == game.c.board_table)


def histories(db: sa.Connection, ids: Iterable[str]) -> dict[str, list[Written]]:
    """Return the histories of these games, as far as they are recorded."""
    rows = db.execute(
        sa.select(game.c.id, *HISTORY).select_from(WITH_TABLE).where(game.c.id.in_([*ids]))
    )
    return {some_id: unpack(*packed) for some_id, *packed in rows}


def heads(db: sa.Connection, ids: Iterable[str], table: sa.Table = game) -> dict[str, Json]:
    """Return the heads of those of these histories that are recorded, by default of games."""
    rows = db.execute(sa.select(table.c.id, table.c.head).where(table.c.id.in_([*ids])))
    return {some_id: orjson.loads(head) for some_id, head in rows}
