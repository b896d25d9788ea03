"""Rated games, and the ratings after them."""

from collections import Counter
from collections.abc import Iterable

import sqlalchemy as sa

from service.games.strengths import OVERALL
from service.ratings import counting, ratings
from service.ratings.standing import RatedGame, Standing
from service.records import tables
from service.records.database import Database, add

MAY = 1_777_593_600_000  # the first of May 2026, in milliseconds since 1970


def standings(games: Iterable[RatedGame], scope: str = OVERALL) -> dict[str, Standing]:
    """Return how each player stands in a scope after games that are given in order."""
    now, met, last = counting.Now(), Counter[str](), counting.Last()
    for game in games:
        for one in game.scopes:
            counting.play(now, met, last, one, game)
    return {
        name.removeprefix(f"{scope} "): standing
        for name, standing in now.items()
        if name.startswith(f"{scope} ")
    }


def game(number: int, *players: str, idle: tuple[int, ...] = (), days: float = 0.0) -> RatedGame:
    """Return a game which these have come to the end of in this order, a second after the last one
    and so many days."""
    at = MAY + 1000 * number + round(days * 86_400_000)
    ranked = tuple((player, rank) for rank, player in enumerate(players, 1))
    return RatedGame(f"g_{number:020x}", "usa", at, ranked, idle=idle)


def rate(database: Database, *games: RatedGame) -> None:
    """Record these games, of which nothing but the rating is known, and rate them, each in one
    transaction."""
    for one in games:
        with database.writing() as db:
            add(
                db,
                tables.board_table,
                [{"n": 1, "digest": "", "board": one.board, "content": "{}"}],
            )
            [n] = db.execute(
                sa.insert(tables.game)
                .returning(tables.game.c.n)
                .values(
                    id=one.id,
                    board=one.board,
                    board_table=1,
                    created=one.at,
                    ended=one.at,
                    recorded=one.at,
                    is_listed=True,
                    is_imported=False,
                    is_unplayed=False,
                    creator="",
                    is_settled=True,
                    version=1,
                    last_hash=b"",
                    head="{}",
                    history=b"",
                )
            ).one()
            ratings.rate(db, n, one)


def kept(database: Database) -> dict[str, list]:
    """Return all that the current count of ratings has, without numbers that tell how it was
    counted: the rows of each table."""
    current = tables.generation.c.is_current
    rows = {
        "standing": sa.select(
            *(c for c in tables.standing.c if c.name not in ("n", "generation", "changed"))
        ).join_from(tables.standing, tables.generation),
        "change": sa.select(
            tables.standing.c.scope,
            tables.standing.c.player,
            tables.game.c.id,
            *(c for c in tables.change.c if c.name not in ("standing", "game")),
        )
        .join_from(tables.change, tables.standing)
        .join(tables.generation)
        .join(tables.game, tables.game.c.n == tables.change.c.game),
        "met": sa.select(tables.met.c.pair, tables.met.c.games).join_from(
            tables.met, tables.generation
        ),
    }
    assert ratings.differences(database) == []
    with database.reading() as db:
        return {
            name: sorted(map(tuple, db.execute(query.where(current))), key=str)
            for name, query in rows.items()
        }
