"""Measures lists and pages over made-up games that are recorded, on each database.

The figures are milliseconds of processor time for one answer of 20 rows, of the service and of the
database together; Redis has no games. The yardstick is what an answer may cost: 10 ms for a list
with one filter, 100 ms for one with several.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Annotated, Any

import sqlalchemy as sa

from benchmarks.runner import command, ratio
from benchmarks.services import redis as temporary_redis
from domain.boards import load_folder
from domain.game.commands import Player
from service.games.index import GameFilter, games_page
from service.games.store import GameStore
from service.ratings import leaderboards
from service.records.database import Database
from service.records.packing import pack
from service.records.reading import game_records
from service.records.tables import game, metadata
from service.tournaments.index import TournamentFilter, newest
from service.tournaments.records import tournament_records
from service.tournaments.store import TournamentStore
from tools.postgresql import PostgreSQL

ROWS = Path(__file__).with_suffix(".sql")
ACCOUNTS = {name: f"p_0{10**18 + number}" for name, number in (
    ("busy", 1), ("middle", 2_000), ("idle", 20_000), ("nobody", 20_001))}
HALF, END = 1_747_000_000_000, 1_900_000_000_000
FILTERS: list[dict[str, Any]] = [
    {}, {"status": "finished"}, {"since": HALF}, {"since": END}, {"until": HALF}, {"until": 1},
    *({"board": board} for board in ("usa", "switzerland", "nowhere")),
    *({"bot": bot} for bot in ("planner", "random", "expert")),
    *({name: who} for name, who in product(("player", "won_by", "opponent"), ACCOUNTS)),
    {"opponent": "bot_planner_0"}, {"opponent": "bot_expert_0"},
    {"player": "busy", "opponent": "idle"}, {"player": "busy", "opponent": "middle"},
    {"player": "busy", "board": "switzerland"}, {"won_by": "busy", "bot": "expert"},
    {"player": "busy", "until": HALF}, {"bot": "planner", "board": "switzerland"},
    {"bot": "random", "board": "usa"}, {"board": "switzerland", "since": HALF, "until": HALF + 9},
    {"bot": "planner", "won_by": "busy", "board": "usa", "since": HALF}]
TOURNAMENTS: list[dict[str, Any]] = [
    {}, {"status": "open"}, {"status": "finished"},
    *({name: who} for name, who in product(("creator", "player"), ("busy", "nobody")))]


def questions(games: GameStore, tournaments: TournamentStore, database: Database) -> dict[
        str, Callable[[], object]]:
    """Return the lists and pages to measure. The names of combined filters have a plus sign."""
    def named(kind: str, which: dict[str, Any]) -> str:
        return f"{kind}: " + (" + ".join(f"{name} {of}" for name, of in which.items()) or "all")

    def of_accounts(which: dict[str, Any]) -> dict[str, Any]:
        return {name: ACCOUNTS.get(of, of) for name, of in which.items()}

    busy, middle = ACCOUNTS["busy"], ACCOUNTS["middle"]
    service: Any = SimpleNamespace(redis=games.redis, store=games, database=database)
    one, other = Player(busy, "Ada"), Player(middle, "Grace")
    page = partial(games_page, games, limit=20)
    board = partial(leaderboards.shown_page, service, "overall", limit=20)

    def sizes() -> object:
        with database.reading() as db:
            return leaderboards.sizes(db)

    return {
        **{named("games", which): partial(page, GameFilter(**of_accounts(which)), before=None)
           for which in FILTERS},
        "games: player busy, own": partial(page, GameFilter(player=busy), before=None, caller=busy),
        "games: from the middle": partial(page, GameFilter(), before=f"{HALF}.g_5"),
        "notices of a month, busy": partial(games.records.over, busy, 1_792_000_000_000),
        "how many games": games.records.count,
        **{named("tournaments", which): partial(
            newest, tournaments, TournamentFilter(**of_accounts(which)), None, 20)
           for which in TOURNAMENTS},
        "leaderboard": partial(board, provisional=False, active_since=0, before=None),
        "leaderboard, provisional": partial(board, provisional=True, active_since=0, before=None),
        "leaderboard, nobody active": partial(board, provisional=True, active_since=END,
                                              before=None),
        "leaderboard, from the middle": partial(board, provisional=True, active_since=0,
                                                before="1025000000.p_5"),
        "sizes of the leaderboards": sizes,
        "player's page": partial(leaderboards.page_of, service, one, None),
        "player's rated games": partial(
            leaderboards.games_of, service, one, None, "overall", None, 20),
        "player's opponents": partial(leaderboards.opponents_of, service, one, None, None, 20),
        "player against another": partial(
            leaderboards.opponents_of, service, one, other, None, 20)}


def fill(database: Database, games: int) -> None:
    """Fill an empty database. Indexes are made at the end, which is quicker."""
    indexes = [index for table in metadata.sorted_tables for index in table.indexes]
    values = {"games": games, "hash": bytes(32), "history": pack([(b"{}", "")])}
    with database.writing() as db:
        for index in indexes:
            index.drop(db)
        for statement in ROWS.read_text().split(";"):
            db.execute(sa.text(statement), values)
        for index in indexes:
            index.create(db)
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as db:
        db.exec_driver_sql("ANALYZE" if database.is_sqlite else "VACUUM ANALYZE")


def measure(
    games: Annotated[int, "How many games, at most a million."] = 1_000_000,
    rounds: Annotated[int, "How often each list is asked for."] = 20,
    file: Annotated[str, "A file for SQLite, kept for the next time."] = "",
    only: Annotated[str, "One database: sqlite or postgresql."] = "",
) -> dict[str, Any]:
    """Return what each list costs on each database."""
    ratios, figures = list[dict[str, Any]](), dict[str, float]()
    with ExitStack() as stack:
        redis = stack.enter_context(temporary_redis())
        for name, opened in (("sqlite", partial(_sqlite, file)), ("postgresql", _postgresql)):
            if only in ("", name):
                database = stack.enter_context(opened())
                database.migrate()
                start = time.monotonic()
                with database.reading() as db:
                    is_full = db.scalar(sa.select(sa.func.max(game.c.n)))
                if not is_full:
                    fill(database, games)
                    figures[f"{name}: seconds to fill"] = time.monotonic() - start
                stores = (GameStore(redis, load_folder(), game_records(database)),
                          TournamentStore(redis, tournament_records(database)))
                for what, ask in questions(*stores, database).items():
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
            pids = db.scalars(sa.text("SELECT pid FROM pg_stat_activity "
                                      "WHERE backend_type = 'client backend'")).all()
        for pid in pids:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            spent += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return spent


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
