"""Measures lists and pages over a million made-up games that are recorded, on each database.

The figures are milliseconds of processor time for one answer, of the service and of the database
together; Redis has no games. The yardstick is what an answer may cost: 10 ms for a list with one
filter, 100 ms for one with several.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import permutations
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Annotated, Any

import orjson
import sqlalchemy as sa

from benchmarks.runner import command, ratio
from benchmarks.services import redis as temporary_redis
from domain.boards import load_folder
from domain.game.commands import Player
from service.games.index import GameFilter, games_page
from service.records import leaderboards
from service.records.packing import pack
from service.records.ratings import WIDTH
from service.records.reading import game_records, tournament_records
from service.records.standing import RatedGame
from service.store.batches import batches_of
from service.store.games import GameStore
from service.store.sql import tables as of
from service.store.sql.database import Database
from service.store.tournaments import TournamentStore
from service.times import as_time
from service.tournaments import index
from tests.postgresql import PostgreSQL

BOARDS = {"usa": 60, "europe": 25, "london": 10, "paris": 4.9, "switzerland": 0.1}  # weights
BOTS = {"planner": 60, "hasty": 39.9, "random": 0.1}  # no game has another one
PLAYERS, TOURNAMENTS, ENTRANTS = 20_000, 20_000, 16
BEGIN, YEARS_MS = 1_700_000_000_000, 3 * 365 * 86_400_000
BATCH = 20_000  # rows that are inserted at a time
Rows = Iterator[Sequence[Any]]
Made = Iterator[tuple[Sequence[Any], list[Sequence[Any]]]]
GAME, SEAT, STANDING, TOURNAMENT = ([column.name for column in table.columns]
                                    for table in (of.game, of.seat, of.standing, of.tournament))
SCOPES = ("overall", "usa", "europe")
RATED = 5  # one game in so many is rated


def _account(number: int) -> str:
    return f"p_{number:020x}"


def _players() -> Rows:
    yield from ((number + 1, _account(number)) for number in range(PLAYERS))
    yield from ((PLAYERS + 1 + place * 8 + at, f"bot_{bot}_{at}")
                for place, bot in enumerate(BOTS) for at in range(8))


def _tables() -> Rows:
    yield from ((place, name, name, "{}") for place, name in enumerate(BOARDS, 1))


def _sitters(rng: Random) -> list[tuple[int, str, str | None]]:
    """Return the players of a game: number, account and built-in bot. A few play most games."""
    seats = rng.choices((2, 3, 4, 5), (80, 12, 6, 2))[0]
    some = {int(PLAYERS * rng.random() ** 3) for _ in range(seats)}
    sitters: list[tuple[int, str, str | None]] = [
        (number + 1, _account(number), None) for number in sorted(some)]
    if len(sitters) < seats or rng.random() < 0.4:
        place, bot = rng.choices([*enumerate(BOTS)], [*BOTS.values()])[0]
        sitters[seats - 1 :] = [(PLAYERS + 1 + place * 8 + at, f"bot_{bot}_{at}", bot)
                                for at in range(len(sitters[: seats - 1]), seats)]
    return sitters


def _games(games: int) -> Made:
    """Yield the row of each game and those of its seats."""
    rng, history, last_hash = Random(46), pack([(b"{}", "")]), bytes(32)
    for n in range(1, games + 1):
        created = BEGIN + YEARS_MS * n // games + rng.randrange(60_000)
        ended = created + rng.randrange(600_000, 6_000_000)
        [(place, board)] = rng.choices([*enumerate(BOARDS, 1)], [*BOARDS.values()])
        hidden = rng.choices((None, "unlisted", "private"), (70, 20, 10))[0]
        sitters = _sitters(rng)
        winner, begun = rng.randrange(len(sitters)), as_time(created)
        head = {
            "id": f"g_{rng.getrandbits(80):020x}", "board": board, "status": "finished",
            "version": 150, "created": begun, "updated": as_time(ended), "started": begun,
            "deciding": [], "clock": {"per_decision": 86400, "on_timeout": "resign"},
            "seats": [{"seat": at, "player": {"id": account, "name": account[-6:]}
                       | ({"bot": bot} if bot else {}), "total": 100 - at,
                       "rank": 1 if at == winner else 2}
                      for at, (_, account, bot) in enumerate(sitters)],
        } | ({"visibility": hidden} if hidden else {})
        values = {
            "n": n, "id": head["id"], "board": board, "board_table": place, "created": created,
            "ended": ended, "recorded": ended, "is_listed": not hidden, "is_imported": False,
            "published": None if hidden else ended * 1000 + n % 1000, "is_unplayed": False,
            "is_settled": True, "creator": sitters[0][1], "version": 150, "last_hash": last_hash,
            "head": orjson.dumps(head).decode(), "history": history}
        yield [values.get(name) for name in GAME], [
            [row.get(name) for name in SEAT] for row in (
                {"game": n, "seat": at, "player": number, "name": account[-6:], "bot": bot,
                 "is_built_in": bool(bot), "is_first": at == 0, "rank": 1 + (at != winner),
                 "total": 100 - at, "decisions": 60, "milliseconds": 600_000, "created": created,
                 "ended": ended, "published": values["published"]}
                for at, (number, account, bot) in enumerate(sitters))]


def _standings() -> Rows:
    """Yield everybody's standing, overall and on two boards."""
    rng, number = Random(46), 0
    for scope in SCOPES:
        for one in range(PLAYERS):
            number += 1
            mu = rng.gauss(25, 5)
            values = {
                "n": number, "generation": 1, "scope": scope, "player": _account(one),
                "account": _account(one), "is_latest": True, "is_settled": rng.random() < 0.5,
                "points": 1_000_000_000 + int(mu * 1e6), "mu": mu, "sigma": 2.0, "shown": 1.0,
                "games": 30, "wins": 9, "last": BEGIN + YEARS_MS, "resigned": 0, "timed_out": 0,
                "aborted": 0, "changed": number}
            yield [values[name] for name in STANDING]


def _places() -> Rows:
    """Yield how many players stand where on each leaderboard."""
    places: Counter[tuple[str, int]] = Counter()
    settled: Counter[tuple[str, int]] = Counter()
    for row in _standings():
        one = dict(zip(STANDING, row, strict=True))
        place = one["scope"], one["points"] // WIDTH
        places[place] += 1
        settled[place] += one["is_settled"]
    yield from ((1, scope, place, count, settled[scope, place])
                for (scope, place), count in places.items())


def _rated(row: Sequence[Any], sitters: Sequence[int]) -> Sequence[Any]:
    """Return the row of a rated game with these players; ``row`` is that of the game."""
    facts = RatedGame(row[1], row[2], row[GAME.index("ended")], tuple(
        (_account(one - 1), place) for place, one in enumerate(sitters, 1)))
    return row[0], facts.at, orjson.dumps(facts.as_row()).decode()


def _changes(row: Sequence[Any], sitters: Sequence[int]) -> Rows:
    """Yield what a game has changed for its players, overall and on its board."""
    for place, scope in enumerate(SCOPES):
        for at, one in enumerate(sitters):
            if scope in ("overall", row[2]):
                yield (place * PLAYERS + one, False, row[GAME.index("ended")], row[0], at, 25.0,
                       2.0, 25.1, 1.9, 1.0, "[]")


def _tournaments() -> Made:
    """Yield the row of each tournament and those of its accounts."""
    rng, history = Random(46), pack([(b"{}", "")])
    for n in range(1, TOURNAMENTS + 1):
        created = BEGIN + n * 1_000_000
        accounts = sorted({_account(int(PLAYERS * rng.random() ** 3)) for _ in range(ENTRANTS)})
        is_listed = rng.random() < 0.8
        head = {"id": f"c_{rng.getrandbits(80):020x}", "name": "Cup", "status": "finished",
                "creator": accounts[0]} | ({} if is_listed else {"visibility": "unlisted"})
        values = {"n": n, "id": head["id"], "creator": accounts[0], "created": created,
                  "ended": created + 9, "is_listed": is_listed, "version": 9,
                  "last_hash": bytes(32), "head": orjson.dumps(head).decode(), "history": history}
        yield [values[name] for name in TOURNAMENT], [
            (n, account, True, created, created + 9) for account in accounts]


def fill(database: Database, games: int) -> None:
    """Fill an empty database. Indexes are made at the end, which is quicker."""
    database.migrate()
    with database.writing() as db:
        for table in of.metadata.sorted_tables:
            for made in table.indexes:
                made.drop(db)
        put = _put_sqlite if database.is_sqlite else _put_postgresql
        put(db, of.board_table, _tables())
        put(db, of.player, _players())
        put(db, of.generation, [(1, True, BEGIN + YEARS_MS, "")])
        put(db, of.standing, _standings())
        put(db, of.leaderboard, _places())
        met: Counter[tuple[int, int]] = Counter()
        for batch in batches_of(BATCH, _games(games)):
            put(db, of.game, (row for row, _ in batch))
            put(db, of.seat, (row for _, several in batch for row in several))
            some = [(row, sitters) for row, several in batch if row[0] % RATED == 0
                    and len(sitters := [one[2] for one in several if one[2] <= PLAYERS]) > 1]
            put(db, of.rated, (_rated(row, sitters) for row, sitters in some))
            put(db, of.change, (one for row, sitters in some for one in _changes(row, sitters)))
            for _, sitters in some:
                met.update(permutations(sitters, 2))
        put(db, of.versus, ((_account(one - 1), _account(other - 1), board, count, count // 2, 0,
                          count, 0) for (one, other), count in met.items()
                         for board in ("", "usa")))
        put(db, of.pace_total, ((_account(one), place, 50) for one in range(PLAYERS)
                             for place in range(0, 40, 4)))
        for batch in batches_of(BATCH, _tournaments()):
            put(db, of.tournament, (row for row, _ in batch))
            put(db, of.tournament_account, (row for _, several in batch for row in several))
        for table in of.metadata.sorted_tables:
            for made in table.indexes:
                made.create(db)
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as db:
        db.exec_driver_sql("ANALYZE" if database.is_sqlite else "VACUUM ANALYZE")


def _put_sqlite(db: sa.Connection, table: sa.Table, rows: Iterable[Sequence[Any]]) -> None:
    marks = ",".join("?" * len(table.columns))
    cursor = db.connection.driver_connection
    assert cursor
    cursor.executemany(f"INSERT INTO {table.name} VALUES ({marks})", rows)


def _put_postgresql(db: sa.Connection, table: sa.Table, rows: Iterable[Sequence[Any]]) -> None:
    connection = db.connection.driver_connection
    assert connection
    with connection.cursor() as cursor, cursor.copy(f"COPY {table.name} FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


# Questions


def questions(games: GameStore, tournaments: TournamentStore) -> dict[str, Callable[..., object]]:
    """Return the lists to measure: what is asked -> asking it. Those with several filters have a
    plus sign in their names."""
    busy, middle, idle, nobody = map(_account, (0, 2_000, PLAYERS - 1, PLAYERS + 5))
    half, end = BEGIN + YEARS_MS // 2, BEGIN + YEARS_MS + 10**9
    filters: dict[str, dict[str, Any]] = {
        "all": {}, "finished": {"status": "finished"},
        **{f"board {board}": {"board": board} for board in ("usa", "switzerland", "nowhere")},
        **{f"bot {bot}": {"bot": bot} for bot in ("planner", "random", "expert")},
        **{f"{name} {who}": {name: account} for name in ("player", "won_by", "opponent")
           for who, account in (("busy", busy), ("middle", middle), ("idle", idle),
                                ("nobody", nobody))},
        "opponent bot_planner_0": {"opponent": "bot_planner_0"},
        "opponent bot_expert_0": {"opponent": "bot_expert_0"},
        "since half": {"since": half}, "since the end": {"since": end},
        "until half": {"until": half}, "until the beginning": {"until": BEGIN},
        "busy + idle opponent": {"player": busy, "opponent": idle},
        "busy + middle opponent": {"player": busy, "opponent": middle},
        "busy + switzerland": {"player": busy, "board": "switzerland"},
        "busy's wins + expert": {"won_by": busy, "bot": "expert"},
        "busy + until half": {"player": busy, "until": half},
        "planner + switzerland": {"bot": "planner", "board": "switzerland"},
        "usa + random bot": {"bot": "random", "board": "usa"},
        "usa + half an hour of nothing": {"board": "switzerland", "since": half,
                                          "until": half + 1_800_000},
        "planner + busy's wins + usa + since half": {
            "bot": "planner", "won_by": busy, "board": "usa", "since": half}}
    asked: dict[str, Callable[..., object]] = {
        name: partial(games_page, games, GameFilter(**which), before=None, limit=20)
        for name, which in filters.items()}
    asked["player busy, own"] = partial(games_page, games, GameFilter(player=busy), before=None,
                                        limit=20, caller=busy)
    asked["all, from the middle"] = partial(games_page, games, GameFilter(), before=f"{half}.g_5",
                                            limit=20)
    asked["notices of a month, busy"] = partial(games.records.over, busy, end - 40 * 86_400_000)
    asked["how many"] = games.records.count
    for name, some in {"all": {}, "open": {"status": "open"}, "finished": {"status": "finished"},
                       **{f"{name} {who}": {name: account} for name in ("creator", "player")
                          for who, account in (("busy", busy), ("nobody", nobody))}}.items():
        asked[f"tournaments, {name}"] = partial(
            index.newest, tournaments, index.TournamentFilter(**some), None, 20)
    return asked


def _pages(store: GameStore, database: Database) -> dict[str, Callable[[], object]]:
    """Return the pages of ratings to measure."""
    games: Any = SimpleNamespace(redis=store.redis, store=store, database=database)
    one, other = (Player(_account(number), "Somebody") for number in (0, 2_000))

    def sizes() -> object:
        with database.reading() as db:
            return leaderboards.sizes(db)

    def board(provisional: bool, since: int, before: str | None) -> object:
        return leaderboards.shown_page(games, "overall", provisional=provisional,
                                        active_since=since, before=before, limit=20)

    return {
        "leaderboard": lambda: board(False, 0, None),
        "leaderboard, provisional": lambda: board(True, 0, None),
        "leaderboard, nobody active": lambda: board(True, BEGIN + 2 * YEARS_MS, None),
        "leaderboard, from the middle": lambda: board(True, 0, "1025000000.p_5"),
        "sizes of the leaderboards": sizes,
        "player's page": lambda: leaderboards.page_of(games, one, None),
        "player's rated games": lambda: leaderboards.games_of(
            games, one, None, "overall", None, 20),
        "player's opponents": lambda: leaderboards.opponents_of(games, one, None, None, 20),
        "player against another": lambda: leaderboards.opponents_of(games, one, other, None, 20)}


# Measuring


def measure(
    games: Annotated[int, "How many games."] = 1_000_000,
    rounds: Annotated[int, "How often each list is asked for."] = 20,
    file: Annotated[str, "A file for SQLite, kept for the next time."] = "",
    only: Annotated[str, "One database: sqlite or postgresql."] = "",
) -> dict[str, Any]:
    """Return what each list costs on each database."""
    ratios: list[dict[str, Any]] = []
    figures: dict[str, float] = {}
    with ExitStack() as stack:
        redis = stack.enter_context(temporary_redis())
        for name, opened in (("sqlite", lambda: _sqlite(file)), ("postgresql", _postgresql)):
            if only not in ("", name):
                continue
            with opened() as database:
                start = time.monotonic()
                if not _is_full(database):
                    fill(database, games)
                    figures[f"{name}: seconds to fill"] = time.monotonic() - start
                figures[f"{name}: bytes a game"] = _size(database) / games
                store = GameStore(redis, load_folder(), game_records(database))
                others = TournamentStore(redis, tournament_records(database))
                asked = questions(store, others) | _pages(store, database)
                for what, ask in asked.items():
                    ask()
                    spent = processor_time(database)
                    for _ in range(rounds):
                        ask()
                    spent = (processor_time(database) - spent) * 1000 / rounds
                    ratios.append(ratio(f"{name}: {what}", "ms", [spent],
                                        [100.0 if "+" in what else 10.0], at_most=1))
                database.close()
    return {"benchmark": "records", "yardstick": "what an answer may cost", "ratios": ratios,
            "figures": figures}


def processor_time(database: Database) -> float:
    """Return the processor time of this process, and of PostgreSQL's that serve it, in seconds. The
    system counts the latter in hundredths of a second."""
    spent = time.process_time()
    if not database.is_sqlite:
        with database.reading() as db:
            pids = db.scalars(sa.text("SELECT pid FROM pg_stat_activity")).all()
        for pid in pids:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            spent += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return spent


def _is_full(database: Database) -> bool:
    database.migrate()
    with database.reading() as db:
        return db.scalar(sa.select(sa.func.max(of.game.c.n))) is not None


def _size(database: Database) -> int:
    if file := database.file:
        return file.stat().st_size
    with database.reading() as db:
        return int(db.scalar(sa.text("SELECT pg_database_size(current_database())")) or 0)


@contextmanager
def _sqlite(file: str) -> Iterator[Database]:
    with TemporaryDirectory() as folder:
        yield Database(f"sqlite:///{file or f'{folder}/million.sqlite3'}")


@contextmanager
def _postgresql() -> Iterator[Database]:
    with PostgreSQL() as server, server.database() as url:
        yield Database(url)


if __name__ == "__main__":
    command(measure)()
