"""``fogg backup`` and ``fogg restore``: the data folder is lost while people play, and is not."""

import gzip
import json
import re
import shutil
import threading
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from random import Random

import orjson
import pytest
import sqlalchemy as sa
import urllib3
from fogg_client.client import Client

from domain.boards import load_folder
from service.app import build_services
from service.games.store import GameStore
from service.operation.stack import Stack
from service.records import copying, keeping
from service.records.database import Database, sqlite_url
from service.records.recorder import Recorder
from service.records.tables import game
from service.redis.connection import EmbeddedRedis, connect, running_url
from tests.cli.inside import report, run
from tests.waiting import until
from tools.games import store_random_game

BOTS = [{"bot": "greedy"}, {"bot": "random"}]


@pytest.fixture(autouse=True)
def no_redis_is_named(monkeypatch, database):
    monkeypatch.delenv("FOGG_REDIS_URL", raising=False)


@pytest.mark.deep
def test_a_lost_data_folder_is_restored_from_a_backup_made_under_load(tmp_path):
    data, over = tmp_path / "var", threading.Event()
    with Stack(data) as stack:
        ann = Client(stack.url).sign_up("Ann")
        seats = [{"player": "me"}, {"bot": "greedy"}]
        mine = ann.post("/v1/games", {"board": "usa", "seats": seats})["id"]
        first = ann.post("/v1/games", {"board": "london", "seats": BOTS})["id"]
        assert [*ann.entries(first)]
        whole = list(ann.entries(first))  # nothing is hidden in it now

        def create() -> None:
            while not over.wait(0.02):
                ann.post("/v1/games", {"board": "london", "seats": BOTS})

        load = threading.Thread(target=create)
        load.start()
        until(lambda: copying_part(data), 120, "the record of a game")
        told = report("backup", tmp_path, "--data", data)
        over.set()
        load.join()
        page = urllib3.request("GET", f"{stack.url}/metrics").data.decode()
        assert f"fogg_backup_bytes {float(told['bytes'])}" in page
        assert re.search(r"^fogg_backup_timestamp_seconds [1-9]", page, re.MULTILINE)
    assert told["histories"] >= 2
    assert told["broken"] == []
    assert Path(told["database"]).exists()
    shutil.rmtree(data)
    restored = report("restore", told["file"], "--data", data)
    assert {**restored, "file": ""} == {**told, "file": ""}
    with EmbeddedRedis(data / "redis") as server, connect(server.url) as redis:
        store = GameStore(redis, load_folder())
        assert len([*store.ids()]) == told["histories"]
        for game in store.ids():
            before = ""
            for text, entry_hash in store.entries(game):
                assert sha256(before.encode() + b"\n" + text).hexdigest() == entry_hash
                before = entry_hash
                assert orjson.loads(text)
    assert report("check", "--data", data)["findings"] == []
    with Stack(data) as stack:
        ann = Client(stack.url, ann.token)
        assert list(ann.entries(first)) == whole
        view = ann.view(mine)
        while not view["you"]["legal_actions"]:
            ann.get(f"/v1/games/{mine}/events", after=view["version"], wait=10)
            view = ann.view(mine)
        ann.play(view, view["you"]["legal_actions"][0])
        ann.post(f"/v1/games/{mine}/actions", {"type": "resign"})
        assert [*ann.entries(mine)][-1]["events"][-1]["type"] == "game_ended"
        for item in ann.get("/v1/games", status="playing")["items"][-2:]:
            assert [*ann.entries(item["id"])][-1]["events"][-1]["type"] == "game_ended"


def copying_part(data: Path) -> dict:
    """Return what a backup would say about the database of a data folder."""
    with closing(Database(sqlite_url(data / "records.sqlite3"))) as database:
        return copying.about(database)


@pytest.mark.parametrize("older", ["redis", "database"])
def test_parts_of_different_age_are_restored_and_each_game_is_recorded_once(
    tmp_path, redis, redis_server, monkeypatch, older
):
    """Games are over and recorded between two backups; a part of each is restored."""
    monkeypatch.setenv("FOGG_REDIS_URL", redis_server.url)
    games = build_services(redis).games
    monkeypatch.setenv("FOGG_DATABASE", games.database.url)

    def play(*seeds: int) -> None:
        for seed in seeds:
            store_random_game(games.store, games.store.boards["paris"], 2, Random(seed))
        assert Recorder(games, games.database).run() == len(seeds)

    play(1, 2)
    first, second = tmp_path / "first.gz", tmp_path / "second.gz"
    report("backup", first)
    play(3)
    report("backup", second)
    file, other = (first, second) if older == "redis" else (second, first)
    other.with_suffix(".sqlite3").replace(file.with_suffix(".sqlite3"))
    redis.flushall()
    monkeypatch.setenv("FOGG_DATABASE", sqlite_url(tmp_path / "new.sqlite3"))
    report("restore", file)
    monkeypatch.setattr(keeping, "WARN_AFTER_S", -1)
    codes = [one["code"] for one in json.loads(run("check", "--json").stdout)["findings"]]
    assert codes == ["not-recorded"] * (older == "database")
    games = build_services(redis).games
    for kept in games.kept:
        kept.recover()
    assert Recorder(games, games.database).run() == (1 if older == "database" else 0)
    with games.database.reading() as db:
        assert db.scalar(sa.select(sa.func.count()).select_from(game)) == 3
    assert report("check")["findings"] == []


def test_a_backup_of_another_layout_or_without_its_database_is_refused(
    stopped, tmp_path, monkeypatch
):
    file = tmp_path / "one.gz"
    report("backup", file, "--data", stopped)
    lines = gzip.decompress(file.read_bytes()).splitlines(True)
    for more, why in (
        (b'"layout":3', "another layout"),
        (b'"layout":4,"records":"sqlite","revision":"0001"', "is missing"),
        (b'"layout":4,"records":"sqlite","revision":"9999"', "is missing"),
    ):
        text = b"".join([b'{"fogg_backup":2,%b}\n' % more, *lines[1:-1]])
        file.write_bytes(
            gzip.compress(text + b'{"sha256":"%b"}\n' % sha256(text).hexdigest().encode())
        )
        said = run("restore", file, "--data", tmp_path / "new")
        assert (said.returncode, why in said.stderr) == (1, True), said.stdout + said.stderr
    assert not (tmp_path / "new").exists()


def test_a_database_is_moved_once_and_only_to_one(redis, tmp_path, monkeypatch):
    games = build_services(redis).games
    store_random_game(games.store, games.store.boards["paris"], 2, Random(1))
    assert Recorder(games, games.database).run() == 1
    monkeypatch.setenv("FOGG_DATABASE", games.database.url)
    to = ("move", "--to", sqlite_url(tmp_path / "there/new.sqlite3"))
    assert report(*to)["rows"] > 100
    said = run(*to)
    assert (said.returncode, "is not empty" in said.stderr) == (1, True)
    said = run("move", "--to", "mysql://there")
    assert (said.returncode, "no address of a database" in said.stderr) == (2, True)


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """The folder of a service that was stopped, with an account in it."""
    data = tmp_path_factory.mktemp("stopped")
    with EmbeddedRedis(data / "redis") as server, connect(server.url) as redis:
        redis.set("player:p_1", "{}")
    with closing(Database(sqlite_url(data / "records.sqlite3"))) as database:
        database.migrate()
    return data


def test_a_stopped_service_can_be_backed_up_and_is_not_overwritten(stopped, tmp_path):
    told = report("backup", tmp_path / "one.gz", "--data", stopped)
    assert (told["histories"], told["keys"]) == (0, 1)
    assert told["file"] == str(tmp_path / "one.gz")
    said = run("restore", tmp_path / "one.gz", "--data", stopped)
    assert (said.returncode, "is there already" in said.stderr) == (1, True)


def test_a_backup_works_with_an_external_redis(stopped, tmp_path, redis_server, monkeypatch):
    with connect(redis_server.url) as redis:
        redis.flushall()
        report("backup", tmp_path / "one.gz", "--data", stopped)
        monkeypatch.setenv("FOGG_REDIS_URL", redis_server.url)
        report("restore", tmp_path / "one.gz")
        assert redis.get("player:p_1") == b"{}"
        assert report("backup", tmp_path)["keys"] >= 1
        said = run("restore", tmp_path / "one.gz")
    assert (said.returncode, "not empty" in said.stderr) == (1, True)


def test_an_interrupted_restore_can_be_repeated(stopped, tmp_path):
    report("backup", tmp_path / "one.gz", "--data", stopped)
    with EmbeddedRedis(tmp_path / "new" / "redis.restoring") as server, connect(server.url) as half:
        half.set("half", 1)
        assert running_url(tmp_path / "new" / "redis.restoring") == server.url
        assert run("restore", tmp_path / "one.gz", "--data", tmp_path / "new").returncode == 1
    report("restore", tmp_path / "one.gz", "--data", tmp_path / "new")
    with EmbeddedRedis(tmp_path / "new" / "redis") as server, connect(server.url) as redis:
        assert redis.exists("player:p_1", "half") == 1


def test_each_error_is_one_sentence(tmp_path):
    said = run("backup", tmp_path, "--data", tmp_path / "nowhere")
    assert (said.returncode, "--data" in said.stderr) == (1, True)
    (tmp_path / "no.gz").write_bytes(b"no")
    said = run("restore", tmp_path / "no.gz", "--data", tmp_path / "new")
    assert (said.returncode, "no backup" in said.stderr) == (1, True)
    assert not (tmp_path / "new").exists()


def test_old_backups_are_removed_after_a_complete_new_one(stopped, tmp_path):
    others = [tmp_path / name for name in ("notes.gz", "fogg-20260101-000000.gz.new", "fogg-1.gz")]
    for file in others:
        file.touch()
    for day in range(1, 5):
        (tmp_path / f"fogg-2026010{day}-000000.gz").touch()
    (tmp_path / "fogg-20260102-000000.sqlite3").touch()
    told = report("backup", tmp_path, "--data", stopped, "--keep", 2)
    assert told["removed"] == [
        f"fogg-2026010{day}-000000.{end}"
        for day, end in ((1, "gz"), (2, "gz"), (2, "sqlite3"), (3, "gz"))
    ]
    assert {*tmp_path.iterdir()} == {
        *others,
        tmp_path / "fogg-20260104-000000.gz",
        tmp_path / told["file"],
    }
    said = run("backup", tmp_path / "one.gz", "--data", stopped, "--keep", 2)
    assert said.returncode == 2
    assert "--keep needs a folder" in said.stdout + said.stderr


def test_a_broken_history_removes_no_old_backup(tmp_path, redis, redis_server, monkeypatch):
    old = tmp_path / "fogg-20260101-000000.gz"
    old.touch()
    redis.xadd(GameStore.key("g_" + "0" * 20, "log"), {"e": "{}", "h": "wrong"}, id="0-1")
    monkeypatch.setenv("FOGG_REDIS_URL", redis_server.url)
    assert run("backup", tmp_path, "--keep", 1).returncode == 1
    assert old.exists()
