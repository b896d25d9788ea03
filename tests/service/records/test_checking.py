"""Faults of stored data, how ``fogg check`` reports them, and how ``fogg rebuild`` repairs them."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count, islice
from random import Random

import pytest
import sqlalchemy as sa
from click.testing import CliRunner
from rq import Worker

from cli.commands.store import check as command
from cli.commands.store import rebuild as rebuild_command
from service import app as service_app
from service import settings
from service.app import build_services
from service.games import buckets, importing
from service.games.store import GameStore
from service.http.serving import services
from service.ratings import ratings
from service.records import checking, comparing, deriving, rebuilding
from service.records.database import Database
from service.records.recorder import Recorder
from service.records.tables import generation, metadata
from service.tournaments.records import add_tournament
from service.tournaments.store import TournamentStore
from service.tournaments.tournaments import Tournaments
from tests.service.callers import backdate, begin, keep_tickets, won
from tests.service.games.test_broken import edit
from tests.service.looks import direct
from tests.service.tournaments.test_tournaments import begun, games_of
from tools.games import store_random_game
from tools.histories.kept import read

RESIGN = {"type": "resign"}


@pytest.fixture
def made(ada, grace, service):
    """Games of every kind, and a tournament under way."""
    over = begin(ada, grace, first_seat=None)
    keep_tickets(over, ada, grace)
    grace.play(over, RESIGN)
    playing = begin(ada, grace, clock={"per_decision": 600})
    wish = {"board": "usa", "seats": [{"player": "me"}, {"open": True}]}
    assert ada.post("/v1/games", wish | {"options": {"visibility": "private"}}).status_code == 201
    lobby = ada.post("/v1/games", wish).json["id"]
    cup = begun(service.find(Tournaments), ada, grace, clock={"per_decision": 600})["id"]
    return {"over": over, "playing": playing, "lobby": lobby, "cup": cup}


@pytest.fixture
def url(redis_server):
    """Where the Redis is."""
    return redis_server.url


@pytest.fixture
def check(url, monkeypatch):
    """Return the findings of ``fogg check``, run in its own process."""
    monkeypatch.setattr(checking, "SETTLED", 0)
    monkeypatch.setenv("FOGG_REDIS_URL", url)
    monkeypatch.setenv("FOGG_DATABASE", service_app.Database(settings.DATABASE.value()).url)

    def check() -> list[tuple[str, str]]:
        answer = CliRunner().invoke(command, ["--json"])
        report = json.loads(answer.stdout)
        assert (answer.exit_code == 0) is report["ok"] is (not report["findings"])
        assert all(row["do"] and row["reason"] for row in report["findings"])
        return [(row["code"], row["where"]) for row in report["findings"]]

    return check


def rebuild() -> None:
    """Run ``fogg rebuild``, which has to succeed."""
    done = CliRunner().invoke(rebuild_command)
    assert done.exit_code == 0, done.output


def test_all_is_right(check, made):
    assert check() == []
    rebuild()
    assert check() == []


def test_quotas_are_no_lists_of_games(check, made, ada, redis):
    """A quota has games that were never created, and a lock."""
    redis.zadd(f"player:{ada.id}:open:games", {"g_0": 1})
    redis.set(f"player:{ada.id}:full:games", 1)
    assert check() == []


def test_bots_that_nobody_plays_are_reported_while_the_service_runs(app, check, ada, redis):
    seats = [{"bot": "random"}, {"player": "me"}]
    game = ada.post("/v1/games", {"board": "usa", "seats": seats}).json["id"]
    services(app).games.clocks.beat()
    assert check() == [("no-workers", "bots")]
    Worker(["bots"], connection=redis, serializer="json").register_birth()
    assert check() == []
    backdate(app, game, 75_000)
    assert ("bots-wait", game) in check()
    redis.set("{fogg}:beat", int(redis.get("{fogg}:beat")) - 60_000)  # no web process lives
    assert ("bots-wait", game) not in check()


def test_it_is_said_in_words(check, made, redis):
    said = CliRunner().invoke(command)
    assert said.stdout == "5 games and 1 tournaments: all is right\n"
    edit(redis, made["over"], 2, b"Grace", b"Trace")
    said = CliRunner().invoke(command)
    assert said.exit_code == 1
    assert f"{made['over']}: entry 2: the chain of hashes is broken" in said.stdout
    assert "restore it from a backup" in said.stdout
    assert said.stdout.endswith("1 things are wrong\n")


@pytest.mark.parametrize("kind", ["over", "cup"])
def test_a_broken_chain_and_a_gap_are_found(check, made, redis, kind):
    key = TournamentStore.key if kind == "cup" else GameStore.key
    log = key(made[kind], "log")
    rows = redis.xrange(log)
    redis.xdel(log, rows[1][0])
    assert ("history-broken", made[kind]) in check()
    redis.delete(log)
    for version, (_, fields) in enumerate(rows, 1):
        redis.xadd(log, fields, id=f"0-{version + (version == len(rows))}")
    assert ("history-broken", made[kind]) in check()


@pytest.mark.parametrize("kind", ["over", "playing", "lobby", "cup"])
def test_another_head_is_found(check, made, redis, kind):
    key = TournamentStore.key if kind == "cup" else GameStore.key
    head = json.loads(redis.get(key(made[kind], "head")))
    for wrong in (head | {"status": "strange"}, head | {"version": head["version"] + 1}):
        redis.set(key(made[kind], "head"), json.dumps(wrong))
        assert check() == [("head-differs", made[kind])]
    redis.delete(key(made[kind], "head"))
    assert check() == [("head-differs", made[kind])]


def test_other_lists_and_deadlines_are_found_and_made_anew(check, made, redis, service):
    redis.zrem(buckets.key(made["playing"], "playing"), made["playing"])
    redis.zrem(buckets.key(made["playing"], "deadlines"), made["playing"])
    redis.zadd(buckets.key(made["over"], "lobby"), {made["over"]: 1})
    stranger = "g_" + "0" * 20
    redis.zadd(buckets.key(stranger, "all"), {stranger: 1})
    redis.zrem("tournaments:running", made["cup"])
    assert sorted(check()) == sorted(
        [
            ("lists-differ", made["playing"]),
            ("deadline-missing", made["playing"]),
            ("lists-differ", made["over"]),
            ("lists-differ", stranger),
            ("lists-differ", made["cup"]),
        ]
    )
    rebuild()
    direct(service.find(Tournaments))
    assert check() == []


@pytest.fixture
def recorded(database_url, monkeypatch, service, check, ada, grace):
    """The games of a database that has some, one of them imported, and a tournament with a deal
    that is played twice; ``check`` checks it."""
    monkeypatch.setenv("FOGG_DATABASE", database_url)
    made = build_services(service.games.redis)
    games, database = made.games, made.games.database
    database.migrate()
    boards = games.store.boards
    for number, board in enumerate(("london", "paris", "usa")):
        store_random_game(games.store, boards[board], 2, Random(number))
    importing.put(games.store, importing.known_boards(games.store), read("paris"))
    cup = begun(service.find(Tournaments), ada, grace, deals="duplicate")
    for game in games_of(cup):
        ada.play(game["game"], RESIGN)
    direct(service.find(Tournaments))
    assert Recorder(games, database).run() == 6
    tournaments = made.find(Tournaments)
    over = tournaments.get(cup["id"])
    assert over.state.status == "finished"
    with database.writing() as db:
        add_tournament(db, over, [*tournaments.store.entries(cup["id"])])
    assert check() == []
    yield games
    database.close()


HARM = {
    "UPDATE seat SET decisions = decisions + 1": "records-differ",
    "DELETE FROM claim": "records-differ",
    "UPDATE kept_ticket SET is_completed = NOT is_completed": "records-differ",
    "UPDATE game SET board = 'europe'": "records-differ",
    "UPDATE game SET head = '{}' WHERE n = 1": "records-differ",
    "UPDATE game SET published = NULL": "records-differ",
    "UPDATE tournament_account SET is_entrant = NOT is_entrant": "records-differ",
    "UPDATE board_total SET games = games + 1": "statistics-differ",
    "DELETE FROM versus": "statistics-differ",
    "UPDATE standing SET mu = mu + 1": "ratings-differ",
    "UPDATE rated SET facts = '[]' WHERE game = (SELECT min(game) FROM rated)": "ratings-differ",
    "DELETE FROM log WHERE n = (SELECT max(n) FROM log)": "log-lacks",
}


def rows_of(database: Database) -> dict[sa.Table, list[dict]]:
    with database.reading() as db:
        return {
            table: [dict(row) for row in db.execute(sa.select(table)).mappings()]
            for table in metadata.sorted_tables
        }


def damage(database: Database, *statements: sa.Executable) -> None:
    """Change rows in ways that the database would refuse."""
    off, on = (
        ("PRAGMA foreign_keys=OFF", "PRAGMA foreign_keys=ON")
        if database.is_sqlite
        else ("SET session_replication_role = replica", "SET session_replication_role = DEFAULT")
    )
    with database.engine.connect() as db:
        db.exec_driver_sql(off)
        for statement in statements:
            db.execute(statement)
        db.commit()
        db.exec_driver_sql(on)
        db.commit()


def put_back(database: Database, rows: dict[sa.Table, list[dict]]) -> None:
    """Make all rows again as they were."""
    with database.writing() as db:
        for table in reversed(metadata.sorted_tables):
            db.execute(table.delete())
        for table, those in rows.items():
            if those:
                db.execute(table.insert(), those)


@pytest.mark.parametrize("column", ["history", "last_hash"])
@pytest.mark.parametrize("table", ["game", "tournament"])
def test_a_record_of_another_type_is_a_finding(check, recorded, table, column):
    """SQLite stores a text in a column of bytes."""
    if not recorded.database.is_sqlite:
        pytest.skip("PostgreSQL has types")
    damage(recorded.database, sa.text(f"UPDATE {table} SET {column} = 'x'"))
    assert "record-broken" in {code for code, _ in check()}
    rebuilt = CliRunner().invoke(rebuild_command)
    assert (rebuilt.exit_code, type(rebuilt.exception)) == (1, SystemExit), rebuilt.exception


def test_other_rows_are_found_and_made_anew(check, recorded):
    database, before = recorded.database, rows_of(recorded.database)
    for harm, code in HARM.items():
        damage(database, sa.text(harm))
        faults = deriving.differences(recorded, lambda game: None)
        assert {code for code, *_ in faults} == {code}, harm
        put_back(database, before)
    with database.writing() as db:
        for harm in HARM:
            db.exec_driver_sql(harm)
    # Redis still has the right heads
    assert {code for code, _ in check()} == {*HARM.values(), "head-differs"}
    rebuild()
    assert check() == []


def harms(table: sa.Table, row: dict) -> Iterator[tuple[str, sa.Executable]]:
    """Yield what damages a row: its removal, and another value in each column."""
    here = sa.and_(*(key == row[key.name] for key in table.primary_key))
    yield "removed", table.delete().where(here)
    others = {
        bool: lambda value: not value,
        int: lambda value: value + 1000,
        float: lambda value: value + 1,
        str: lambda value: f"{value}x",
        bytes: lambda value: value[::-1],
    }
    for column in table.columns:
        value = row[column.name]
        empty = 7 if isinstance(column.type, sa.Integer) else "x"
        values = [empty if value is None else others[type(value)](value)]
        if column.nullable and value is not None:
            values.append(None)
        for other in values:
            yield column.name, table.update().where(here).values({column: other})


# What nothing else tells, and what only a backup puts right
UNKNOWN = {"game.recorded", "standing.changed", "tournament.removed", "route.n", "ticket.n"}
KEPT = {
    "game.board_table",
    "game.last_hash",
    "game.history",
    "tournament.last_hash",
    "tournament.history",
    "board_table.removed",
    "board_table.n",
    "board_table.digest",
    "board_table.content",
}


@pytest.mark.deep
@pytest.mark.parametrize("table", metadata.sorted_tables, ids=lambda table: table.name)
def test_whatever_is_damaged_a_check_says_so_and_a_rebuild_mends_it_or_a_finding_says_what_does(
    check, recorded, table
):
    before = rows_of(recorded.database)
    each = 1 if recorded.database.is_sqlite else 3  # the same in both, and slower there
    for what, harm in islice(harms(table, before[table][0]), 0, None, each):
        damage(recorded.database, harm)
        name = f"{table.name}.{what}"
        assert checking.check(recorded).findings or name in UNKNOWN, name
        rebuilding.rebuild(recorded)
        Recorder(recorded, recorded.database).run()
        left = {one.code for one in checking.check(recorded).findings}
        assert bool(left) is (name in KEPT or table.name == "log"), (name, left)
        assert left <= {"record-broken", "record-differs", "log-broken"}, (name, left)
        put_back(recorded.database, before)
    assert check() == []


NUMBERS = ("n", "generation", "standing", "changed", "route", "ticket")


def test_rebuilding_changes_nothing_that_is_right(recorded):
    def rows() -> dict[str, list]:
        with recorded.database.reading() as db:
            return {
                table.name: sorted(
                    map(
                        repr,
                        db.execute(
                            sa.select(
                                *(column for column in table.columns if column.name not in NUMBERS)
                            )
                        ),
                    )
                )
                for table in metadata.sorted_tables
            }

    before = rows()
    rebuild()
    assert rows() == before


def test_nothing_is_wrong_while_games_are_recorded(recorded, ada, grace, service, monkeypatch):
    """A game is recorded after each few transactions of the check: some a little late, so that the
    ones after them are rated anew, and one that ends a deal."""
    games, recorder = recorded, Recorder(recorded, recorded.database)
    monkeypatch.setattr(deriving, "AT_ONCE", 2)
    monkeypatch.setattr(comparing, "ROWS", 5)
    monkeypatch.setattr(ratings, "BATCH_SIZE", 4)
    one, other = games_of(begun(service.find(Tournaments), ada, grace, deals="duplicate"))
    ada.play(one["game"], RESIGN)
    for game_id in (one["game"], *(won(ada, grace) for _ in range(8))):
        recorder.record(game_id)
    waiting = [won(ada, grace) for _ in range(8)]
    ada.play(other["game"], RESIGN)
    waiting += [other["game"], *(won(ada, grace) for _ in range(9))]
    waiting[::2], waiting[1::2] = waiting[1::2], waiting[::2]
    reading, transactions = Database.reading, count(1)

    @contextmanager
    def read(database: Database) -> Iterator[sa.Connection]:
        with reading(database) as db:
            yield db
        if next(transactions) % 7 == 0 and waiting:
            with monkeypatch.context() as here:
                here.setattr(Database, "reading", reading)
                recorder.record(waiting.pop(0))

    with monkeypatch.context() as patched:
        patched.setattr(Database, "reading", read)
        while waiting:
            assert checking.check(games).findings == []
    assert checking.check(games).findings == []
    with games.database.reading() as db:
        assert db.scalar(sa.select(sa.func.count()).select_from(generation)) == 1


def test_a_record_that_is_broken_is_named_and_left_alone(check, recorded):
    with recorded.database.writing() as db:
        db.exec_driver_sql("UPDATE game SET history = last_hash WHERE n = 1")
        [broken] = db.exec_driver_sql("SELECT id FROM game WHERE n = 1").scalars()
    assert ("record-broken", broken) in check()
    assert CliRunner().invoke(rebuild_command).exit_code == 1
    assert ("record-broken", broken) in check()


def test_a_log_that_was_changed_is_found(check, recorded):
    with recorded.database.writing() as db:
        db.exec_driver_sql("UPDATE log SET game = 'g_' || n WHERE n = 1")
    assert check() == [("log-broken", "log")]


def test_games_that_have_gone_back_are_named_and_are_not_wrong(check, made, ada, redis):
    held = {
        key: redis.dump(key)
        for key in (GameStore.key(made["playing"], part) for part in ("log", "head"))
    }
    before = ada.view(made["playing"])["version"]
    ada.play(made["playing"], ada.view(made["playing"])["you"]["legal_actions"][0])
    for key, value in held.items():
        redis.restore(key, 0, value, replace=True)
    ada.view(made["playing"])
    said = CliRunner().invoke(command)
    assert said.exit_code == 0
    assert f"{made['playing']} went back from version {before + 1} to {before}" in said.stdout


def test_a_result_that_a_tournament_counts_and_the_game_has_not_is_found(
    check, made, ada, grace, redis, service
):
    [game] = ada.get(f"/v1/tournaments/{made['cup']}").json["rounds"][0]["tables"][0]["games"]
    keys = [GameStore.key(game["game"], part) for part in ("log", "head")]
    held = [redis.dump(key) for key in keys]
    ada.play(game["game"], RESIGN)
    direct(service.find(Tournaments))
    assert ada.get(f"/v1/tournaments/{made['cup']}").json["status"] == "finished"
    for key, value in zip(keys, held, strict=True):
        redis.restore(key, 0, value, replace=True)
    ada.view(game["game"])
    assert ("result-differs", made["cup"]) in check()
