"""Files that were torn or damaged, as a crash, a full disk or a bad one leaves them."""

import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from domain.game.commands import DrawCard
from service.redis import appendonly
from service.redis.connection import EmbeddedRedis, RedisUnavailable, connect
from tests.service.eventlog.stored import GAME, Games, act

KIND = Games()
END = b"*1\r\n$4\r\nEXEC\r\n"  # of a transaction


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The folder of a server that was stopped after a few actions, and the hashes of these."""
    folder = tmp_path_factory.mktemp("played") / "redis"
    with EmbeddedRedis(folder) as server, connect(server.url) as client:
        store = KIND.store(client)
        game = KIND.begin(store)
        client.bgrewriteaof()  # a part of the data is in the base file
        while client.info("persistence")["aof_rewrite_in_progress"]:
            pass
        for _ in range(4):
            game = draw(store, game)
        hashes = [entry_hash for _, entry_hash in store.entries(GAME)]
    return folder, hashes


def draw(store, game):
    """Draw a card from the deck for the player to move."""
    return act(store, game, next(iter(game.since)), DrawCard("deck"))


@pytest.fixture
def folder(played, tmp_path):
    """A copy of it, which a test may harm."""
    return shutil.copytree(
        played[0], tmp_path / "redis", ignore=shutil.ignore_patterns("*.sock", "*.log")
    )


def commands(folder: Path) -> Path:
    """Return the file that is written to."""
    return max((folder / appendonly.FOLDER).glob("*.incr.aof"))


def ends_of_transactions(data: bytes) -> list[int]:
    """Return every position up to which all is whole, as found by the words themselves."""
    return [0, *(match.end() for match in re.finditer(re.escape(END), data))]


def test_a_file_cut_anywhere_is_whole_up_to_the_last_transaction(played):
    data = commands(played[0]).read_bytes()
    head = data.find(b"*1\r\n$5\r\nMULTI")  # before it, the database is selected
    ends = [end for end in ends_of_transactions(data) if end > head]
    assert len(ends) >= 4
    for cut in range(ends[0], len(data) + 1):
        assert appendonly.whole_until(data[:cut], cut) == max(e for e in ends if e <= cut)


def test_zeros_that_a_disk_has_never_written_are_cut_off(folder):
    file = commands(folder)
    size = file.stat().st_size
    os.truncate(file, size + 4096)
    assert appendonly.mend(folder).at == size
    assert file.stat().st_size == size
    assert appendonly.mend(folder) is None


@pytest.mark.parametrize("seed", range(4))
def test_a_torn_file_is_played_on_from_and_every_restart_finds_all_of_it(played, folder, seed):
    chance = random.Random(seed)
    file = commands(folder)
    data = file.read_bytes()
    ends = ends_of_transactions(data)
    cut = chance.randrange(ends[1], len(data)) if seed else len(data) - 6  # within the last EXEC
    os.truncate(file, cut)
    lost = sum(end > cut for end in ends)
    with EmbeddedRedis(folder) as server, connect(server.url) as client:
        store = KIND.store(client)
        game = store.load(GAME)
        assert [h for _, h in store.entries(GAME)] == played[1][:-lost]
        for _ in range(5):
            game = draw(store, game)
        for _ in range(2):
            server.stop()
            server.start()
            assert KIND.store(client).load(GAME).hash == game.hash
    assert len([*folder.glob("torn-*.aof")]) == 1


def test_the_cut_off_part_is_saved_and_reported(folder, caplog):
    file = commands(folder)
    data = file.read_bytes()
    whole = ends_of_transactions(data)[-2]
    os.truncate(file, len(data) - 3)
    with EmbeddedRedis(folder):
        pass
    (kept,) = folder.glob("torn-*.aof")
    assert kept.read_bytes() == data[whole:-3]
    assert str(kept) in caplog.text
    assert f"its {len(data) - 3 - whole} bytes" in caplog.text


def with_middle_lost(data: bytes) -> bytes:
    return data[: len(data) // 2] + data[len(data) // 2 + 40 :]


def with_one_end_lost(data: bytes) -> bytes:
    """What was written after a torn transaction."""
    end = ends_of_transactions(data)[2]
    return data[: end - len(END)] + data[end:]


def with_long_command(data: bytes) -> bytes:
    return data.replace(b"$4\r\nXADD", b"$4000000\r\nXADD", 1)


def damage(folder: Path, change: Callable[[bytes], bytes] = with_middle_lost) -> None:
    commands(folder).write_bytes(change(commands(folder).read_bytes()))


def damage_base(folder: Path) -> None:
    (base,) = (folder / appendonly.FOLDER).glob("*.base.rdb")
    os.truncate(base, base.stat().st_size - 5)


def tear_a_file_before_the_last(folder: Path) -> None:
    file = commands(folder)
    after = file.with_name(file.name.replace(".incr", "9.incr"))
    after.write_bytes(file.read_bytes())
    os.truncate(file, file.stat().st_size - 5)
    with (folder / appendonly.FOLDER / appendonly.MANIFEST).open("a") as manifest:
        manifest.write(f"file {after.name} seq 9 type i\n")


@pytest.mark.parametrize(
    "harm",
    [
        damage,
        partial(damage, change=with_one_end_lost),
        partial(damage, change=with_long_command),
        lambda folder: (folder / appendonly.FOLDER / appendonly.MANIFEST).unlink(),
        lambda folder: commands(folder).unlink(),
        damage_base,
        tear_a_file_before_the_last,
    ],
    ids=["middle", "end", "length", "manifest lost", "commands lost", "base", "earlier file"],
)
def test_damage_is_refused_with_advice_and_nothing_is_changed(folder, harm):
    harm(folder)
    before = {path: path.read_bytes() for path in (folder / appendonly.FOLDER).iterdir()}
    with pytest.raises(RedisUnavailable, match=r"(?s)Nothing was changed.*fogg restore"):
        EmbeddedRedis(folder).start()
    assert {path: path.read_bytes() for path in (folder / appendonly.FOLDER).iterdir()} == before


def test_up_says_that_a_file_is_damaged_and_ends(folder):
    damage(folder)
    env = {name: value for name, value in os.environ.items() if name != "FOGG_REDIS_URL"}
    done = subprocess.run(
        [sys.executable, "-m", "cli", "up", "--port", "0", "--data", str(folder.parent)],
        capture_output=True,
        text=True,
        timeout=60,
        env=env,
    )
    assert done.returncode == 1
    assert f"{commands(folder)} is damaged at byte" in done.stderr
    assert "Traceback" not in done.stderr
