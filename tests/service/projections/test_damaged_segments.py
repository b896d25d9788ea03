"""A damaged file of the archive is named by the commands that look through the archive."""

import json
import random

import pytest
from click.testing import CliRunner

from cli.commands.archive import archive as archive_command
from cli.commands.check import check as check_command
from domain.boards import load_folder
from service.projections import archiving, checking, log, projecting
from service.store.archive import Archive
from service.store.archived import packed
from service.store.games import GameStore
from service.store.segments import LENGTH, MAGIC, index_of
from service.store.vaults import vault_at
from tests.games import store_random_game

BOARDS = load_folder()
FLIPS = 40  # of one byte each, over the whole index


@pytest.fixture
def folder(tmp_path, monkeypatch, redis_server):
    """The folder of an archive that commands find by the settings."""
    monkeypatch.setattr(checking, "SETTLED", 0)
    monkeypatch.setenv("FOGG_REDIS_URL", redis_server.url)
    monkeypatch.setenv("FOGG_ARCHIVE", str(tmp_path / "archive"))
    return tmp_path / "archive"


@pytest.fixture
def segment(redis, folder):
    """The only file of the archive; it has three games."""
    store, chance = GameStore(redis, BOARDS, Archive(vault_at(str(folder)))), random.Random(3)
    for _ in range(3):
        store_random_game(store, BOARDS["london"], 2, chance)
    assert archiving.run(store, days=0).archived == 3
    projecting.rebuild(store)
    log.catch_up(store)
    [file] = folder.glob("*.fogg")
    return file


def check() -> list[tuple[str, str]]:
    """Return the findings of ``fogg check``."""
    done = CliRunner().invoke(check_command, ["--json"])
    findings = [(row["code"], row["where"]) for row in json.loads(done.stdout)["findings"]]
    assert done.exit_code == bool(findings)
    return findings


def find() -> tuple[int, dict]:
    """How ``fogg archive --find`` ends, and what it says."""
    done = CliRunner().invoke(archive_command, ["--find", "--json"])
    return done.exit_code, json.loads(done.stdout)


def in_index(whole: bytes) -> range:
    """The bytes of a segment that are its index, and all after it."""
    end = len(whole) - len(MAGIC) - LENGTH.size
    return range(end - LENGTH.unpack_from(whole, end)[0], len(whole))


def with_flip(whole: bytes, at: int) -> bytes:
    return whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1:]


def test_a_whole_archive_is_right(segment):
    assert check() == []
    assert find() == (0, {"found": 0, "damaged": {}})


def test_a_flipped_byte_of_an_index_is_found_and_fails_both_commands(segment):
    whole = segment.read_bytes()
    places = in_index(whole)
    for at in (0, *places[:: max(1, len(places) // FLIPS)], len(whole) - 1):
        segment.write_bytes(with_flip(whole, at))
        assert ("archive-damaged", segment.name) in check(), at
        code, said = find()
        assert (code, [*said["damaged"]]) == (1, [segment.name]), at
    segment.write_bytes(whole)
    assert check() == []


def test_games_that_are_whole_in_a_damaged_file_are_found_again(segment, redis):
    whole = segment.read_bytes()
    first = min(index_of(whole).games, key=lambda row: row.offset)
    segment.write_bytes(with_flip(whole, first.offset + first.length // 2))
    redis.flushall()
    code, said = find()
    assert (code, said["found"]) == (1, 2)
    assert any(first.game in reason for reason in said["damaged"][segment.name])


def test_an_index_that_names_another_game_is_found_in_a_file_whose_name_has_no_hash(
    segment, redis, folder
):
    """As older versions named them: what Redis knows of the file says it."""
    old, store = folder / "20260101T000000-788c3cb6.fogg", GameStore(redis, BOARDS)
    segment.rename(old)
    for game in [*store.ids()]:
        [head], place = store.heads([game]), store.place(game)
        redis.set(store.key(game, "archived"), packed(place._replace(segment=old.name), head))
    assert check() == []
    whole = old.read_bytes()
    wrong = []
    for at in in_index(whole):
        old.write_bytes(with_flip(whole, at))
        try:
            ids = {row.game for row in index_of(old.read_bytes()).games}
        except (ValueError, TypeError, KeyError):
            continue
        if ids != {row.game for row in index_of(whole).games}:
            wrong.append(at)
            assert ("archive-damaged", old.name) in check(), at
        if len(wrong) == 3:
            break
    assert wrong


def test_the_log_names_the_game_that_is_broken_in_the_archive(segment, redis, caplog):
    game = next(iter(index_of(segment.read_bytes()).games)).game
    segment.write_bytes(segment.read_bytes()[:100])
    assert ("history-broken", game) in check()
    lines = [row.getMessage() for row in caplog.records if game in row.getMessage()]
    assert lines
    assert all(segment.name in line for line in lines)
    assert all("g_" in row.getMessage() for row in caplog.records)


@pytest.mark.parametrize("place", ["/proc/nope", "file"])
def test_an_archive_that_cannot_be_written_ends_the_start(place, tmp_path, monkeypatch):
    from cli.commands import fogg

    monkeypatch.setattr("signal.signal", lambda *_: None)
    (tmp_path / "file").touch()
    monkeypatch.setenv("FOGG_ARCHIVE", str(tmp_path / place))  # an absolute path is not changed
    data = tmp_path / "data"
    done = CliRunner().invoke(fogg, ["up", "--port", "0", "--data", str(data)])
    assert done.exit_code == 1
    assert "the archive cannot be written" in done.output
    assert place in done.output
    assert "ready" not in done.output
    assert not data.exists()
