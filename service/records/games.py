"""Games that are over: their rows, and reading them back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import orjson
import sqlalchemy as sa

from domain.board.board import Board
from domain.codec import Json
from domain.rules.tickets import completed_tickets
from service.games.visibility import is_duplicate
from service.records.database import add, insert
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
from service.store.games import GameStore, LoadedGame
from service.store.histories import Written
from service.store.pace import TIMED_OUT, counted, time_at, turns_of_claims
from service.times import in_ms, now_in_ms

RESULTS = [column.name for column in seat.columns if column.name in (
    "rank", "total", "routes", "tickets", "longest_path", "stations", "districts", "flags",
    "tickets_completed", "longest_path_length")]


class AnotherGame(Exception):
    """The records have a game with this id and another history."""


def add_game(
    db: sa.Connection, store: GameStore, over: LoadedGame, history: Sequence[Written],
    is_imported: bool,
) -> int | None:
    """Record a game that is over, with what follows from it alone; return its number, None if it
    was recorded before. Raise AnotherGame if another one has its id."""
    state = over.state
    table = number_of_table(db, state.board)
    values = {
        "id": state.id, "board": state.board.id, "board_table": table,
        "created": in_ms(over.created), "ended": in_ms(over.updated), "recorded": now_in_ms(),
        "is_listed": state.visibility == "public", "is_imported": is_imported,
        "is_settled": not is_duplicate(state),
        "tournament": state.tournament["id"] if state.tournament else None,
        "deal": orjson.dumps(state.deal).decode() if is_duplicate(state) else None,
        "version": state.version, "last_hash": bytes.fromhex(over.hash),
        "head": orjson.dumps(store.head(over)).decode(),
        "history": pack(history, table_text(state.board))}
    n = db.execute(insert(db, game).values(values).on_conflict_do_nothing(
        index_elements=["id"]).returning(game.c.n)).scalar()
    if n is None:
        if db.scalar(sa.select(game.c.last_hash).where(game.c.id == state.id)) != (
                values["last_hash"]):
            raise AnotherGame(state.id)
        return None
    add_parts(db, n, table, over)
    return n


def add_parts(db: sa.Connection, n: int, table: int, over: LoadedGame) -> None:
    """Add the seats, claims and tickets of a game, whose numbers are given."""
    state, parts = over.state, _numbers_of_parts(db, table)
    players = _numbers_of_players(db, [one.id for one in state.players if one])
    add(db, seat, [_seat(over, n, number, players) for number in state.seats])
    add(db, claim, [
        {"game": n, "route": parts[route.name][state.board.routes[number].id], "seat": who,
         "turn": turn}
        for who in state.seats if state.was_begun for number, turn in zip(
            state.routes[who], turns_of_claims(over.pace, who), strict=True)])
    add(db, kept_ticket, [
        {"game": n, "ticket": parts[ticket.name][state.board.tickets[number].id], "seat": who,
         "is_completed": number in completed_tickets(state, who)}
        for who in state.seats if state.results
        for number in (*state.tickets[who], *state.removed[who])])


def _seat(over: LoadedGame, n: int, number: int, players: Mapping[str, int]) -> Json:
    state = over.state
    one, result = state.players[number], state.results[number] if state.results else {}
    took = {int(name.split(" ")[1]): count for name, count in counted(over.pace, number).items()
            if name != TIMED_OUT}
    kept = len(state.tickets[number] + state.removed[number]) if state.results else None
    return {name: result.get(name) for name in RESULTS} | {
        "game": n, "seat": number, "player": players[one.id] if one else None,
        "name": one and one.name, "bot": one and one.bot, "version": one and one.version,
        "is_built_in": bool(one and one.is_built_in),
        "left": state.left[number] if state.left else None,
        "is_first": state.was_begun and state.first_seat == number,
        "tickets_kept": kept, "decisions": sum(took.values()),
        "milliseconds": sum(time_at(place) * count for place, count in took.items()),
        "created": in_ms(over.created), "published": None}


def _numbers_of_players(db: sa.Connection, ids: Sequence[str]) -> dict[str, int]:
    add(db, player, [{"id": one} for one in dict.fromkeys(ids)])
    rows = db.execute(sa.select(player.c.id, player.c.n).where(player.c.id.in_(ids)))
    return dict(rows.all())


# Boards


def table_text(board: Board) -> str:
    """Return the text of a board's table, with which its histories are compressed."""
    text: str = board.once(lambda one: orjson.dumps(one.table).decode())
    return text


def number_of_table(db: sa.Connection, board: Board) -> int:
    """Return the number of a board's table; keep the table, its routes and its tickets first if
    they are new."""
    which = sa.select(board_table.c.n).where(board_table.c.digest == board.digest)
    if (n := db.scalar(which)) is not None:
        return int(n)
    add(db, board_table, [
        {"digest": board.digest, "board": board.id, "content": table_text(board)}])
    n = db.scalars(which).one()
    add(db, route, [{"board_table": n, "id": one.id, "length": one.length}
                    for one in board.routes])
    add(db, ticket, [{"board_table": n, "id": one.id, "points": one.points}
                     for one in board.tickets])
    return int(n)


def _numbers_of_parts(db: sa.Connection, table: int) -> dict[str, dict[str, int]]:
    """Return the numbers of the routes and tickets of a board's table, by table and id."""
    return {part.name: dict(db.execute(sa.select(part.c.id, part.c.n).where(
        part.c.board_table == table)).all()) for part in (route, ticket)}


# Reading


HISTORY = (game.c.history, game.c.last_hash, board_table.c.content)
WITH_TABLE = game.join(board_table, board_table.c.n == game.c.board_table)


def histories(db: sa.Connection, ids: Iterable[str]) -> dict[str, list[Written]]:
    """Return the histories of those of these games that are recorded."""
    rows = db.execute(sa.select(game.c.id, *HISTORY).select_from(WITH_TABLE)
                      .where(game.c.id.in_([*ids])))
    return {some_id: unpack(*packed) for some_id, *packed in rows}


def heads(db: sa.Connection, ids: Iterable[str]) -> dict[str, Json]:
    """Return the heads of those of these games that are recorded."""
    rows = db.execute(sa.select(game.c.id, game.c.head).where(game.c.id.in_([*ids])))
    return {some_id: orjson.loads(head) for some_id, head in rows}


