"""The files of a service before 0.1.0 (kept-0.1/README.md) can still be read."""

import gzip
import json
import lzma
import shutil
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from zipfile import ZipFile

import orjson
import pytest
from fogg_client.client import Client

from domain.entry import with_hash
from domain.game.proof import finished
from domain.tournament.events import event_from_json
from domain.tournament.fold import evolve
from domain.tournament.standings import standings
from domain.tournament.state import Tournament
from service.app import build_services
from service.operation.stack import Stack
from service.records.database import sqlite_url
from service.records.recorder import Recorder
from tests.cli.inside import report, run
from tools.histories.written import BY_DIGEST
from tools.recount import differences, recount

FILES = Path(__file__).parent / "kept-0.1"
ZIPS = sorted(path.stem for path in FILES.glob("*.zip"))
DUMP = json.loads((FILES / "dump.json").read_text())


def tournament_of(archive: ZipFile) -> dict:
    """Return the tournament of an archive, its standings with the names of today."""
    names = {"left": "forfeits", "opponents": "opponents_points"}
    cup = json.loads(archive.read("tournament.json"))
    return cup | {
        "standings": [
            {names.get(name, name): value for name, value in row.items()}
            for row in cup["standings"]
        ]
    }


def games_of(lines: list[bytes]) -> dict[str, list[dict]]:
    games: dict[str, list[dict]] = {}
    for entry in map(json.loads, lines):
        if entry["version"] == 1:
            games[entry["events"][0]["game"]] = history = []
        history.append(entry)
    return games


@cache
def tournaments() -> dict[str, list[dict]]:
    lines = gzip.decompress((FILES / "tournaments.ndjson.gz").read_bytes()).splitlines()
    histories: dict[str, list[dict]] = {}
    for entry in map(json.loads, lines):
        if entry["version"] == 1:
            histories[entry["events"][0]["tournament"]] = history = []
        history.append(entry)
    return histories


def test_exported_games_verify():
    lines = gzip.decompress((FILES / "games.ndjson.gz").read_bytes()).splitlines()
    for line in map(json.loads, lines):
        verdict = finished(BY_DIGEST, line["entries"])
        assert (verdict.game, verdict.wrong) == (line["game"], None)
    assert len(lines) == 11


@pytest.mark.parametrize("name", ZIPS)
def test_the_games_and_the_tournament_of_an_archive_verify_and_lead_to_its_results(name):
    with ZipFile(FILES / f"{name}.zip") as archive:
        cup = tournament_of(archive)
        games = games_of(archive.read("histories.ndjson").splitlines())
    tables = [table for paired in cup["rounds"] for table in paired["tables"]]
    shown = {row["game"]: row["results"] for table in tables for row in table["games"]}
    assert games.keys() == shown.keys()
    for game, entries in games.items():
        verdict = finished(BY_DIGEST, entries)
        assert verdict.wrong is None, verdict.wrong
        assert [(row["total"], row["rank"]) for row in verdict.results] == [
            (row["total"], row["rank"]) for row in shown[game]
        ]
    if cup["format"] != "knockout":
        assert differences(cup, recount(cup, games.__getitem__)) == []
    state, previous = Tournament(), ""
    for entry in tournaments()[cup["id"]]:
        own = {member: value for member, value in entry.items() if member != "hash"}
        assert with_hash(own, previous) == entry
        previous = entry["hash"]
        state = evolve(state, [event_from_json(event) for event in entry["events"]])
    assert state.status == "finished"
    assert orjson.loads(orjson.dumps(standings(state))) == cup["standings"]
    assert [
        (paired.board, list(paired.byes), [[*table.games] for table in paired.tables])
        for paired in state.rounds
    ] == [
        (
            paired["board"],
            paired["byes"],
            [[game["game"] for game in table["games"]] for table in paired["tables"]],
        )
        for paired in cup["rounds"]
    ]


def test_the_dump_is_refused_in_words(tmp_path, monkeypatch):
    """A dump as Redis' append-only file, in the data folder of ``fogg up``."""
    monkeypatch.delenv("FOGG_REDIS_URL", raising=False)
    folder = tmp_path / "redis" / "appendonlydir"
    folder.mkdir(parents=True)
    (folder / "appendonly.aof.1.base.rdb").write_bytes(
        lzma.decompress((FILES / "dump.rdb.xz").read_bytes())
    )
    (folder / "appendonly.aof.1.incr.aof").touch()
    (folder / "appendonly.aof.manifest").write_text(
        "file appendonly.aof.1.base.rdb seq 1 type b\nfile appendonly.aof.1.incr.aof seq 1 type i\n"
    )
    refused = run("check", "--data", tmp_path)
    assert refused.returncode == 1
    assert "used by an earlier version (layout 3" in refused.stderr


def test_exported_games_can_be_imported(redis, redis_server, monkeypatch):
    """This is how the games of all versions before the database come over (docs/operations.md)."""
    monkeypatch.setenv("FOGG_REDIS_URL", redis_server.url)
    done = run("import", FILES / "games.ndjson.gz")
    assert (done.returncode, "11 of 11 games are new here" in done.stdout) == (0, True)
    games = build_services(redis).games
    assert Recorder(games, games.database).run() == 11
    assert report("check")["findings"] == []


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_kept_database_and_redis_go_through_all_migrations(
    redis, redis_server, monkeypatch, tmp_path, request, kind
):
    """``kept-1`` is a backup of the first version with a database (``generators/kept_backup``)."""
    url = (
        sqlite_url(tmp_path / "new.sqlite3")
        if kind == "sqlite"
        else (request.getfixturevalue("postgresql_url"))
    )
    monkeypatch.setenv("FOGG_REDIS_URL", redis_server.url)
    monkeypatch.setenv("FOGG_DATABASE", url)
    kept = FILES.parent / "kept-1"
    shutil.copy(kept / "redis.gz", tmp_path)
    with closing(sqlite3.connect(tmp_path / "redis.sqlite3")) as db:
        db.executescript(lzma.decompress((kept / "records.sql.xz").read_bytes()).decode())
    restored = report("restore", tmp_path / "redis.gz")
    assert (restored["histories"] > 10, restored["broken"]) == (True, [])
    checked = report("check")
    assert (checked["findings"], checked["warnings"]) == ([], [])
    assert checked["games"] > 10
    assert report("rebuild")["broken"] == []
    assert report("check")["findings"] == []


@pytest.mark.deep
def test_a_service_goes_on_with_the_restored_backup(tmp_path, monkeypatch):
    monkeypatch.delenv("FOGG_REDIS_URL", raising=False)
    file, data = tmp_path / "backup.gz", tmp_path / "var"
    file.write_bytes(gzip.compress(lzma.decompress((FILES / "backup.xz").read_bytes()), 1))
    restored = report("restore", file, "--data", data)
    assert (restored["histories"], restored["broken"]) == (44, [])
    accounts, games = DUMP["accounts"], DUMP["games"]
    with Stack(data) as stack:
        otto, olga = (Client(stack.url, accounts[name]["token"]) for name in ("Otto", "Olga"))
        assert otto.get("/v1/me")["id"] == accounts["Otto"]["id"]
        for name in ("public", "fork", "rematch", "late", "unlisted"):
            assert finished(BY_DIGEST, list(olga.entries(games[name]))).wrong is None, name
        view = otto.view(games["under-way"])
        otto.play(view, view["you"]["legal_actions"][0])
        otto.post(f"/v1/games/{games['under-way']}/actions", {"type": "resign"})
        assert [*otto.entries(games["under-way"])][-1]["events"][-1]["type"] == "game_ended"
        for name in ("round-robin", "ladder", "teams", "final", "ended-early"):
            path = f"/v1/tournaments/{DUMP['tournaments'][name]}"
            cup = olga.get(path, rounds=1000)
            assert cup["status"] == "finished"
            creator = next(who for who in (otto, olga) if who.get("/v1/me")["id"] == cup["creator"])
            assert len(creator.text(f"{path}/standings.csv").splitlines()) == (
                1 + len(cup["standings"])
            )
            assert next(creator.download(f"{path}/archive.zip")).startswith(b"PK")
            if cup["format"] != "knockout":
                assert differences(cup, recount(cup, lambda game: olga.entries(game))) == []
        assert olga.get("/v1/leaderboards/london")["items"]
        checked = report("check", "--data", data)
        assert checked["findings"] == []
