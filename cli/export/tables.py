"""A SQLite file with finished games, for questions in SQL (docs/database.md)."""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from fogg_client import Client

from cli.export.download import Progress
from cli.export.files import NOT_OURS, CannotExport
from cli.recorded.games import RecordedGame
from domain import facts
from domain.board.board import Board
from domain.boards import boards_by_digest, parse
from domain.codec import Json
from domain.game.state import State
from service.records.views import VIEWS

CREATED = [
    f"CREATE TABLE {name} ({', '.join(f'{one.name} {one.type}' for one in view.columns)}, "
    f"PRIMARY KEY ({view.key}))"
    for name, view in VIEWS.items()
]


class TableFile:
    """A SQLite file. Each game is written in one transaction, unless the file has it. ``cursor`` is
    where the export from a service goes on, None at its start."""

    def __init__(self, path: Path, client: Client, folders: tuple[str, ...] = ()):
        self._client, self._boards = client, boards_by_digest(folders)
        self._db = sqlite3.connect(path)
        try:
            there = [
                sql
                for (sql,) in self._db.execute(
                    "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
                )
            ]
            if there not in ([], CREATED):
                raise CannotExport(NOT_OURS)
            self._db.executescript(  # all tables, or none if the disk is full
                f"BEGIN; {''.join(f'{sql};' for sql in CREATED if not there)} COMMIT"
            )
            _, self.cursor = self._db.execute(
                "SELECT max(rowid), cursor FROM games WHERE cursor IS NOT NULL"
            ).fetchone()
        except BaseException:
            self.close()
            raise

    def write(self, line: bytes) -> None:
        self._add(json.loads(line))

    def copy(self, games: Iterable[tuple[RecordedGame, list[Json], State]]) -> Iterator[Progress]:
        """Add the games that have a result; yield the progress after each."""
        done = Progress()
        for game, entries, state in games:
            if state.results:
                self._add(
                    {
                        "game": state.id,
                        "board": state.board.id,
                        "created": entries[0]["at"],
                        "finished": entries[-1]["at"],
                        "entries": entries,
                        "seats": [{"player": one.as_json()} for one in state.players if one],
                    }
                )
                done.games, done.bytes = done.games + 1, done.bytes + game.size
                done.lines += len(game.lines)
                yield done

    def _add(self, game: Json) -> None:
        try:
            tables = rows(game, self._board(game))
        except (LookupError, TypeError, ValueError) as error:
            raise CannotExport(f"{game.get('game')} cannot be read: {error!r}"[:300]) from error
        with self._db:
            for name, view in VIEWS.items():
                self._db.executemany(
                    f"INSERT OR IGNORE INTO {name} VALUES ({', '.join('?' * len(view.columns))})",
                    [
                        [game["game"], *(row.get(one.name) for one in view.columns[1:])]
                        for row in tables[name]
                    ],
                )

    def close(self) -> None:
        self._db.close()

    def _board(self, game: Json) -> Board:
        """Return the board of a game; the service knows those that are not Fogg's own."""
        digest = game["entries"][0]["events"][0]["board_digest"]
        if digest not in self._boards:
            table = self._client.get(f"/v1/boards/{game['board']}", digest=digest)
            self._boards[digest] = parse(json.dumps(table))
        return self._boards[digest]


def rows(game: Json, board: Board) -> dict[str, Iterable[Json]]:
    """Return the rows of each table for a game, without its id."""
    state, pace = facts.fold(board, game["entries"])
    names = [seat["player"]["name"] for seat in game["seats"]]  # ``deleted`` if they are
    return {
        "games": [
            game
            | {
                "seats": len(names),
                "entries": state.version,
                "tournament": state.terms.tournament and state.terms.tournament["id"],
            }
        ],
        "seats": [row | {"name": names[row["seat"]]} for row in facts.seats(state, pace)],
        "claims": facts.claims(state, pace),
        "tickets": facts.tickets(state),
        "ratings": [{"seat": seat} | row for seat, row in enumerate(game.get("ratings", ()))],
    }
