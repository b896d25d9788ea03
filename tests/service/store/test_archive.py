"""The archive, in a folder and in a bucket of a real S3 server."""

import pytest

from domain.errors import BrokenHistory
from service.errors import ArchiveDown
from service.store.archive import Archive
from service.store.conflicts import Conflict
from service.store.games import GameStore
from service.store.segments import Writer, index_of
from service.store.vaults import NoVault, vault_at
from tests.service.store.stored import BOARDS, GAME, act, begin
from tests.service.store.test_packing import KEPT, read

HISTORIES = {f"g_{number:020x}": read(path) for number, path in enumerate(KEPT[:6])}


@pytest.fixture(params=["folder", "bucket"])
def place(request, tmp_path):
    """The place that FOGG_ARCHIVE names."""
    if request.param == "folder":
        return str(tmp_path / "archive")
    return f"{request.getfixturevalue('bucket')}/{tmp_path.name}"


def segment(histories) -> Writer:
    writer = Writer()
    for number, (game, history) in enumerate(histories.items()):
        writer.add(game, BOARDS["usa" if number % 2 else "europe"], history, number == 3)
    return writer


def test_archived_games_are_read_by_their_places(place):
    placed = Archive(vault_at(place)).put(segment(HISTORIES))
    assert {row.game for row, _ in placed} == HISTORIES.keys()
    assert [row.is_imported for row, _ in placed].count(True) == 1
    reader = Archive(vault_at(place))
    for row, at in placed:
        assert reader.history(at) == HISTORIES[row.game]
    segments = [segments for segments in reader.everything() if {*segments.games} == {*placed}]
    assert [{table["board"] for table in one.tables} for one in segments] == [{"usa", "europe"}]


def test_a_place_that_cannot_be_reached_is_down_and_one_without_the_file_is_broken(place):
    archive = Archive(vault_at(place))
    (_, at), *_ = archive.put(segment(HISTORIES))
    reader = Archive(vault_at(place))
    for wrong in (at._replace(segment="none"), at._replace(offset=10**9),
                  at._replace(length=3), at._replace(offset=at.offset + 1),
                  at._replace(hash="0" * 64)):
        with pytest.raises(BrokenHistory):
            reader.history(wrong)
    with pytest.raises(ArchiveDown):
        Archive().history(at)


def test_a_folder_that_is_not_mounted_and_a_server_that_is_gone_are_down(
    tmp_path, bucket, monkeypatch
):
    archive = Archive(vault_at(f"{bucket}/gone"))
    (_, at), *_ = archive.put(segment(HISTORIES))
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:9")
    for nowhere in (f"{bucket}/gone", str(tmp_path / "nowhere"), "s3://no-such-bucket/x"):
        with pytest.raises(ArchiveDown):
            Archive(vault_at(nowhere)).history(at)
    for name in ("ftp://x", "s3://", "s3:///x"):
        with pytest.raises(NoVault):
            vault_at(name)


def test_no_changed_byte_is_ever_taken_for_a_history(tmp_path):
    """Only the games that contain the byte are broken. Others in the segment can be read."""
    archive = Archive(vault_at(str(tmp_path)))
    some = {game: HISTORIES[game] for game in list(HISTORIES)[:4]}
    placed = archive.put(segment(some))
    file = next(tmp_path.glob("*.fogg"))
    whole = file.read_bytes()
    for at in [*range(7, len(whole), 797), len(whole) - 1]:
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 0x40]) + whole[at + 1:])
        reader, broken = Archive(vault_at(str(tmp_path))), 0
        for row, place in placed:
            try:
                assert reader.history(place) == HISTORIES[row.game]
            except BrokenHistory:
                broken += 1
        assert broken < len(placed)
        assert {*next(reader.everything()).games} <= {*placed}
    for end in range(0, len(whole), 997):
        with pytest.raises(ValueError, match=r"segment|index|decompressed|large"):
            index_of(whole[:end])


def test_a_game_that_went_to_the_archive_is_read_on_and_nothing_can_be_added(redis, tmp_path):
    store = GameStore(redis, BOARDS, Archive(vault_at(str(tmp_path))))
    game = begin(store)
    entries, ends, head = list(store.entries(GAME)), store.ends(GAME), store.heads([GAME])
    writer = Writer()
    writer.add(GAME, BOARDS["usa"], entries, False)
    (row, place), = store.archive.put(writer)
    assert not store.remove(GAME, (row.version - 1, row.hash), place)
    assert not store.remove(GAME, (row.version, "0" * 64), place)
    assert redis.exists(store.key(GAME, "log"))
    assert store.remove(GAME, (row.version, row.hash), place)
    assert not store.remove(GAME, (row.version, row.hash), place)
    assert {key.decode() for key in redis.keys("*")} == {store.key(GAME, "archived")}
    reader = GameStore(redis, BOARDS, Archive(vault_at(str(tmp_path))))
    assert reader.load(GAME).state == game.state
    assert list(reader.entries(GAME, 1, 2)) == entries[1:2]
    assert list(reader.entries(GAME, game.state.version)) == []
    assert reader.whole([GAME, "g_" + "1" * 20]) == [entries, []]
    assert (reader.ends(GAME), reader.heads([GAME])) == (ends, head)
    assert (list(reader.ids()), reader.has(GAME)) == ([GAME], True)
    assert reader.at(GAME, 2).state.version == 2
    with pytest.raises(Conflict):
        act(reader, game, 0, game.state.deciding() and _first(game))
    with pytest.raises(Conflict):
        begin(reader)
    assert not reader.put(game, entries)
    assert not reader.locate(GAME, place, False)
    assert reader.load(GAME).state == game.state


def _first(game):
    from domain.game.legal import legal_actions

    return legal_actions(game.state, 0)[0]


def test_a_process_without_the_archive_says_so_of_archived_games_alone(redis, tmp_path):
    store = GameStore(redis, BOARDS, Archive(vault_at(str(tmp_path))))
    begin(store)
    other = begin(store, "g_" + "1" * 20)
    writer = Writer()
    writer.add(GAME, BOARDS["usa"], list(store.entries(GAME)), False)
    (row, place), = store.archive.put(writer)
    store.remove(GAME, (row.version, row.hash), place)
    without = GameStore(redis, BOARDS)
    with pytest.raises(ArchiveDown):
        without.load(GAME)
    assert without.load(other.state.id).state == other.state
    assert without.has(GAME)
