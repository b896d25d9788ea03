"""Backups of a Redis that holds everything that can be made over the API."""

import gzip
import os
import re
from pathlib import Path
from unittest.mock import patch

import pytest

from domain.boards import load_folder
from service.api.app import create_app
from service.games import listing
from service.operation.redis import EmbeddedRedis, connect
from service.records import rebuilding
from service.store import backup
from service.store.games import GameStore
from service.store.tournaments import TournamentStore
from tests.generators.openapi_examples import CHAPTERS
from tests.generators.openapi_tape import Tape
from tests.service.api.test_boards import show_boards

LARGE = {f"field {number}\xff".encode("latin-1"): os.urandom(20) for number in range(2500)}
# made as need be
OTHERS = re.compile(rb"fogg:(layout|indexes)|\{ratings\}:present|records:log|rq:.*"
                    rb"|.*:(unfiled|due|deadlines|recorded)")


def stores(redis):
    return GameStore(redis, load_folder()), TournamentStore(redis)


def quiet(_count: object) -> None:
    """Show no progress."""


def write(redis, file: Path) -> None:
    """Write a backup of a Redis."""
    backup.write(stores(redis), redis, file, quiet, listing.DERIVED, {"layout": 4}, lambda: None)


@pytest.fixture(scope="module")
def full(tmp_path_factory, database):
    """A Redis with something of everything."""
    with EmbeddedRedis(tmp_path_factory.mktemp("full")) as server, connect(server.url) as redis:
        with patch.dict(os.environ, FOGG_LIMITS="accounts=4/60"):
            tape = Tape(create_app(connect(server.url)))
        for chapter in CHAPTERS:
            if chapter is not show_boards:  # which leaves nothing
                chapter(tape)
        redis.hset("large hash", mapping=LARGE)
        redis.zadd("large sorted set", {name: number / 7 for number, name in enumerate(LARGE)})
        redis.sadd("large set", *LARGE)
        redis.rpush("list", *range(5))
        redis.set("soon gone", "x", px=60_000)
        rebuilding.lists(*stores(redis), quiet)  # so that it has been rebuilt once
        yield redis


@pytest.fixture(scope="module")
def file(full, tmp_path_factory) -> Path:
    file = tmp_path_factory.mktemp("backup") / "all.gz"
    write(full, file)
    return file


def everything(redis) -> dict[bytes, object]:
    """Return all that lasts: what each key holds."""
    values: dict[bytes, object] = {}
    for key in redis.scan_iter(count=1000):
        kind = redis.type(key).decode()
        if kind == "stream":
            values[key] = redis.xrange(key)
        elif redis.pttl(key) == -1 and not OTHERS.fullmatch(key):
            values[key] = redis.get(key) if kind == "string" else sorted(
                row for part in backup.READ[kind](redis, key)
                for row in (part.items() if isinstance(part, dict) else part))
    return values


def restored(redis, file: Path) -> None:
    backup.restore(stores(redis), redis, file, quiet, listing.DERIVED)
    rebuilding.lists(*stores(redis), quiet)


def test_a_restore_brings_everything_back(full, file, redis):
    restored(redis, file)
    before, after = everything(full), everything(redis)
    assert set(before) - set(after) == set()
    assert {key for key in before if before[key] != after[key]} == set()
    assert redis.hgetall("large hash") == LARGE
    assert 0 < redis.pttl("soon gone") <= 60_000


def test_a_backup_is_counted_and_its_chains_are_checked(full, file):
    count, broken = backup.check(file, quiet)
    logs = [key for key in full.scan_iter() if key.endswith(b"}:log")]
    assert (count["histories"], broken) == (len(logs), [])
    assert count["entries"] == sum(full.xlen(key) for key in logs)
    assert count["keys"] == len({line["key"] for line in backup.lines_of(file) if "key" in line})


def test_a_history_that_is_broken_is_named_and_kept(full, tmp_path, redis):
    log = next(key for key in full.scan_iter() if key.endswith(b":log") and full.xlen(key) > 3)
    kept = full.dump(log)
    full.xdel(log, "0-2")
    try:
        write(full, tmp_path / "all.gz")
    finally:
        full.restore(log, 0, kept, replace=True)
    _, broken = backup.check(tmp_path / "all.gz", quiet)
    assert [f":{some_id}}}:log" in log.decode() for some_id in broken] == [True]
    restored(redis, tmp_path / "all.gz")
    assert redis.xlen(log) == full.xlen(log) - 1


def test_a_backup_is_for_its_owners_eyes_only(file):
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("harm", [
    lambda raw: raw[:-200],
    lambda raw: raw[: len(raw) // 2],
    lambda raw: raw[:-6] + bytes([raw[-6] ^ 1]) + raw[-5:],
    lambda raw: raw + gzip.compress(b'{"key":"more","type":"string","value":""}\n'),
    lambda raw: gzip.compress(b"".join(gzip.decompress(raw).splitlines(True)[:-1])),
    lambda raw: gzip.compress(gzip.decompress(raw).replace(b'"rows"', b'"Rows"', 1)),
    lambda raw: gzip.compress(gzip.decompress(raw).replace(b"usa", b"USA", 1)),
    lambda raw: gzip.compress(b"".join(gzip.decompress(raw).splitlines(True)[1:])),
    lambda raw: b"",
    lambda raw: gzip.compress(b""),
    lambda raw: b"not compressed",
    lambda raw: gzip.compress(b"[]\n"),
], ids=["end", "half", "bit", "more", "last line", "member", "word", "first line", "empty",
        "nothing", "text", "list"])
def test_a_damaged_backup_is_refused(file, tmp_path, harm):
    harmed = tmp_path / "harmed.gz"
    harmed.write_bytes(harm(file.read_bytes()))
    with pytest.raises(backup.NoBackup):
        backup.check(harmed, quiet)


def test_nothing_is_restored_where_something_is(file, redis):
    redis.set("mine", 1)
    with pytest.raises(backup.NotEmpty):
        backup.restore(stores(redis), redis, file, quiet, listing.DERIVED)
    assert redis.keys() == [b"mine"]


def test_an_unknown_key_stops_a_backup(redis, tmp_path):
    redis.xadd("something new", {"a": 1})
    with pytest.raises(backup.NoBackup, match="something new"):
        write(redis, tmp_path / "all.gz")
    assert not (tmp_path / "all.gz").exists()
