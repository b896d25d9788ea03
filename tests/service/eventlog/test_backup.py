"""Backups of a Redis that holds everything that can be made over the API."""

import gzip
import os
import re
from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path
from unittest.mock import patch

import orjson
import pytest

from domain.boards import load_folder
from service.app import create_app
from service.eventlog import backup
from service.games import listing
from service.games.store import GameStore
from service.http.serving import services
from service.records import rebuilding
from service.records.keeping import KeptGames
from service.redis.connection import EmbeddedRedis, connect
from service.tournaments.records import KeptTournaments
from service.tournaments.store import TournamentStore
from tests.service.boards.test_boards import show_boards
from tools.generators.openapi_examples import CHAPTERS
from tools.generators.openapi_tape import Tape

LARGE = {f"field {number}\xff".encode("latin-1"): os.urandom(20) for number in range(2500)}
# made as need be
OTHERS = re.compile(
    rb"fogg:(layout|indexes)|\{ratings\}:present|records:log|(rq|queue):.*"
    rb"|.*:(unfiled|due|deadlines|recorded)"
)


def kept(redis):
    games = GameStore(redis, load_folder())
    return KeptGames(games), KeptTournaments(TournamentStore(redis), games)


def quiet(_count: object) -> None:
    """Show no progress."""


def write(redis, file: Path) -> list[str]:
    """Write a backup of a Redis."""
    return backup.write(redis, file, quiet, listing.DERIVED, {"layout": 4}, lambda: None)


@pytest.fixture(scope="module")
def full(tmp_path_factory, database):
    """A Redis with something of everything."""
    with EmbeddedRedis(tmp_path_factory.mktemp("full")) as server, connect(server.url) as redis:
        with patch.dict(os.environ, FOGG_LIMITS="accounts=4/60"):
            app = create_app(connect(server.url))
        tape = Tape(app)
        for chapter in CHAPTERS:
            if chapter is not show_boards:  # which leaves nothing
                chapter(tape)
        redis.hset("large hash", mapping=LARGE)
        redis.zadd("large sorted set", {name: number / 7 for number, name in enumerate(LARGE)})
        redis.sadd("large set", *LARGE)
        redis.rpush("list", *range(5))
        redis.set("soon gone", "x", px=60_000)
        rebuilding.lists(kept(redis), quiet)  # so that it has been rebuilt once
        yield redis
        services(app).games.news.close()


@pytest.fixture(scope="module")
def file(full, tmp_path_factory) -> Path:
    file = tmp_path_factory.mktemp("backup") / "all.gz"
    write(full, file)
    return file


READ = {
    b"string": lambda redis, key: redis.get(key),
    b"hash": lambda redis, key: redis.hgetall(key),
    b"set": lambda redis, key: redis.smembers(key),
    b"zset": lambda redis, key: redis.zrange(key, 0, -1, withscores=True),
    b"list": lambda redis, key: redis.lrange(key, 0, -1),
    b"stream": lambda redis, key: redis.xrange(key),
}


def everything(redis) -> dict[bytes, object]:
    """Return all that lasts: what each key holds."""
    return {
        key: READ[redis.type(key)](redis, key)
        for key in redis.scan_iter(count=1000)
        if redis.pttl(key) == -1 and not OTHERS.fullmatch(key)
    }


def restored(redis, file: Path) -> None:
    backup.restore(redis, file, quiet)
    rebuilding.lists(kept(redis), quiet)


def test_a_restore_brings_everything_back(full, file, redis):
    restored(redis, file)
    before, after = everything(full), everything(redis)
    assert set(before) - set(after) == set()
    assert {key for key in before if before[key] != after[key]} == set()
    assert redis.hgetall("large hash") == LARGE
    assert 0 < redis.pttl("soon gone") <= 60_000


def test_a_backup_is_counted(full, file):
    header, count = backup.check(file)
    logs = [key for key in full.scan_iter() if key.endswith(b"}:log")]
    assert (header["layout"], count["histories"]) == (4, len(logs))
    assert count.total() == len({line["key"] for line in backup.lines_of(file) if "key" in line})


def test_a_history_that_is_broken_is_named_and_kept(full, tmp_path, redis):
    log = next(key for key in full.scan_iter() if key.endswith(b"}:log") and full.xlen(key) > 3)
    kept = full.dump(log)
    full.xdel(log, "0-2")
    try:
        broken = write(full, tmp_path / "all.gz")
    finally:
        full.restore(log, 0, kept, replace=True)
    assert [f":{some_id}}}:log" in log.decode() for some_id in broken] == [True]
    restored(redis, tmp_path / "all.gz")
    assert redis.xlen(log) == full.xlen(log) - 1


def test_a_backup_is_for_its_owners_eyes_only(file):
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "harm",
    [
        lambda raw: raw[:-200],
        lambda raw: raw[: len(raw) // 2],
        lambda raw: raw[:-6] + bytes([raw[-6] ^ 1]) + raw[-5:],
        lambda raw: raw + gzip.compress(b'{"key":"more","expires":0,"dump":""}\n'),
        lambda raw: gzip.compress(b"".join(gzip.decompress(raw).splitlines(True)[:-1])),
        lambda raw: gzip.compress(gzip.decompress(raw).replace(b'"dump"', b'"Dump"', 1)),
        lambda raw: gzip.compress(gzip.decompress(raw).replace(b":log", b":Log", 1)),
        lambda raw: gzip.compress(b"".join(gzip.decompress(raw).splitlines(True)[1:])),
        lambda raw: b"",
        lambda raw: gzip.compress(b""),
        lambda raw: b"not compressed",
        lambda raw: gzip.compress(b"[]\n"),
    ],
    ids=[
        "end",
        "half",
        "bit",
        "more",
        "last line",
        "member",
        "word",
        "first line",
        "empty",
        "nothing",
        "text",
        "list",
    ],
)
def test_a_damaged_backup_is_refused(file, tmp_path, harm):
    harmed = tmp_path / "harmed.gz"
    harmed.write_bytes(harm(file.read_bytes()))
    with pytest.raises(backup.CannotCopy):
        backup.check(harmed)


def test_nothing_is_restored_where_something_is(file, redis):
    redis.set("mine", 1)
    with pytest.raises(backup.CannotCopy, match="not empty"):
        backup.restore(redis, file, quiet)
    assert redis.keys() == [b"mine"]


def test_a_backup_of_a_later_redis_is_refused_in_words(file, redis, tmp_path):
    """The two bytes before the checksum of a dump, its last eight, are the version."""
    later, (header, *lines) = tmp_path / "later.gz", backup.lines_of(file)
    for line in lines:
        dump = b64decode(line["dump"])
        line["dump"] = b64encode(dump[:-10] + b"\xff\xff" + dump[-8:]).decode()
    text = b"".join(orjson.dumps(line) + b"\n" for line in [header, *lines])
    later.write_bytes(
        gzip.compress(text + orjson.dumps({"sha256": sha256(text).hexdigest()}) + b"\n")
    )
    assert backup.check(later) == backup.check(file)
    with pytest.raises(backup.CannotCopy, match="later version of Redis"):
        backup.restore(redis, later, quiet)
    assert redis.keys() == []
