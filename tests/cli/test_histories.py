"""Reading histories from any source: faults are reported with their line, and never crash."""

import functools
import gzip
import io
import json
import os
import sys
import time

import pytest

from cli.recorded.games import MAX_GAME_LINES, games_in
from cli.recorded.recording import recording_of
from cli.recorded.sources import MAX_LINE_BYTES
from cli.recorded.verdicts import verdict_row
from cli.recorded.verdicts import verdicts as verdicts_on
from domain.boards import FOLDER, load
from domain.drawing.picture import draw
from domain.game.proof import finished
from domain.game.view import view
from tests import servers
from tests.cli.inside import report
from tests.cli.inside import run as fogg
from tests.domain.game.test_proof import chained
from tools.histories.kept import HERE, expected, read
from tools.histories.written import BOARDS, BY_DIGEST, begun

FOGG = [sys.executable, "-m", "cli"]
PARIS = HERE / "paris.ndjson.gz"


def lines(entries: list[dict]) -> bytes:
    return b"".join(json.dumps(entry).encode() + b"\n" for entry in entries)


@pytest.fixture(scope="module")
def paris():
    return lines(read("paris"))


def verdicts(data: bytes) -> list[dict]:
    return [
        verdict_row(game, finished(BY_DIGEST, game.entries()))
        for game in games_in("it", io.BytesIO(data))
    ]


def only(data: bytes) -> dict:
    [row] = verdicts(data)
    return row


def test_a_file_may_hold_many_games(paris):
    london = lines(read("london"))
    rows = verdicts(paris + b"\n" + london + paris)
    assert [row["game"] for row in rows] == [
        expected()[name]["game"] for name in ("paris", "london", "paris")
    ]
    assert all(row["ok"] and row["source"] == "it" for row in rows)
    assert [row["hash"] for row in rows[1:]] == [
        read(name)[-1]["hash"] for name in ("london", "paris")
    ]


def test_a_history_may_be_compressed_and_its_lines_written_otherwise(paris):
    assert only(gzip.compress(paris))["ok"]
    assert only(gzip.compress(paris[:999]) + gzip.compress(paris[999:]))["ok"]
    written = [
        json.dumps(
            json.loads(line),
            ensure_ascii=i % 2 == 0,
            indent=None,
            separators=(" , ", " : "),
            sort_keys=i % 3 == 0,
        ).encode()
        for i, line in enumerate(paris.splitlines())
    ]
    assert only(b"\r\n\r\n".join(written))["ok"]


def edited(data: bytes, number: int, *change: tuple[bytes, bytes]) -> bytes:
    rows = data.splitlines(keepends=True)
    for was, becomes in change:
        assert was in rows[number - 1]
        rows[number - 1] = rows[number - 1].replace(was, becomes, 1)
    return b"".join(rows)


@pytest.mark.parametrize(("was", "becomes", "code"), [
    (b'{"', b'{"salt": "x", "', "duplicate-member"),
    (b'"seat": ', b'"seat": 0, "seat": ', "duplicate-member"),
    (b'{"', b'{"a": NaN, "', "not-json"), (b'{"', b'{"a": -Infinity, "', "not-json"),
    (b'{"', b'{"a": 1e999, "', "malformed"), (b'{"', b'{"a": "\\ud800", "', "malformed"),
    (b'{"', b'{"a": "\xff", "', "not-json"), (b'{"', b"{", "not-json"),
    (b'{"', b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b', "', "not-json"),
    (b'{"', b'{"a": ' + b"[" * 500 + b"]" * 500 + b', "', "chain"), (b'{"', b'{"a": 1, "', "chain"),
    (b'{"', b'{"a": ' + b"9" * 10_000 + b', "', "not-json"),
    (b'{"', b'{"a": ' + b"9" * 1000 + b', "', "chain"),
    (b'{"', b'\xef\xbb\xbf{"', "not-json"), (b'{"', b'\x00{"', "not-json"),
    (b'"salt": "', b'"salt": "0', "malformed"), (b'"at": "2', b'"at": "3', "chain"),
    (b'"version": 4', b'"version": 5', "version"), (b'"version": 4', b'"version": 1', "version"),
    (b'"version": 4', b'"version": 1e0', "malformed"), (b'"version": 4', b'"v": 4', "malformed"),
    (b'"schema_version": 1', b'"schema_version": 7', "unknown-schema"),
])  # fmt: skip
def test_hostile_lines_are_refused_by_their_number(paris, was, becomes, code):
    row = only(edited(paris, 4, (was, becomes)))
    assert (row["ok"], row["line"], row["version"], row["code"]) == (False, 4, 4, code)
    assert len(row["reason"]) < 500


def test_members_of_a_later_version_are_named(tmp_path):
    entries = read("paris")
    entries[3] |= {"mood": "good", "\x1b[2J": 1}
    later = chained(entries)
    (tmp_path / "later.ndjson").write_bytes(lines(later))
    row = only(lines(later))
    assert (row["ok"], row["hash"], row["unknown"]) == (
        True,
        later[-1]["hash"],
        ["\x1b[2J", "mood"],
    )
    done = fogg("verify", tmp_path / "later.ndjson")
    assert done.returncode == 0
    assert done.stdout.splitlines()[0].endswith(
        "members that this Fogg does not know, covered by the hashes and not checked otherwise: "
        "\N{REPLACEMENT CHARACTER}[2J, mood"
    )
    assert "1 of 1 game is right" in done.stdout
    assert "unknown" not in only(lines(read("paris")))


CHANGES = {
    "truncated": lambda rows: rows[:-1],
    "no start": lambda rows: rows[1:],
    "reordered": lambda rows: [*rows[:3], rows[4], rows[3], *rows[5:]],
    "left out": lambda rows: [*rows[:3], *rows[4:]],
    "twice": lambda rows: [*rows[:4], *rows[3:]],
    "beyond the end": lambda rows: [*rows, rows[-1]],
    "in a line": lambda rows: [*rows[:-1], rows[-1][:-9]],
    "null": lambda rows: [*rows[:9], b"null"],
    "array": lambda rows: [*rows[:9], b"[]"],
    "spliced": lambda rows: [*rows[:9], *lines(read("london")).splitlines()[9:]],
    "one array": lambda rows: [b"[", b",".join(rows), b"]"],
}


@pytest.mark.parametrize("change", CHANGES)
def test_truncated_reordered_and_spliced_histories_are_refused(paris, change):
    changed = CHANGES[change](paris.splitlines())
    assert not any(row["ok"] for row in verdicts(b"\n".join(changed)))


def test_empty_sources_pages_of_entries_and_corrupt_gzip_are_refused(paris):
    for data in (b"", b"\n\n", gzip.compress(b"")):
        assert only(data)["code"] == "empty"
    row = only(json.dumps({"items": read("paris"), "next": None}).encode())
    assert "application/x-ndjson" in row["reason"]
    packed = gzip.compress(paris)
    for data in (packed[:-9], packed[:50], packed[:100] + b"\0" * 50 + packed[150:]):
        assert not any(row["ok"] for row in verdicts(data))


class Endless(io.RawIOBase):
    """A source that has so many bytes, all the same."""

    def __init__(self, size: int, start: bytes = b""):
        self.left, self.start, self.largest = size, start, 0

    def read(self, size: int = -1) -> bytes:
        self.largest = max(self.largest, size)
        if self.start:
            start, self.start = self.start, b""
            return start
        size = min(size, self.left)
        self.left -= size
        return b"x" * size


def test_a_line_of_a_gigabyte_is_never_held():
    source = Endless(1 << 30)
    [game] = games_in("it", source)
    assert source.left == 0
    assert source.largest <= MAX_LINE_BYTES
    assert game.size == 0
    assert game.wrong[0] == "too-large"


def test_a_broken_game_and_a_too_long_line_do_not_hide_the_next_game(paris):
    rows = verdicts(paris[: len(paris) // 2] + b"\n" + paris)
    assert [row["ok"] for row in rows] == [False, True]
    rows = verdicts(paris + b"x" * (MAX_LINE_BYTES + 5) + b"\n" + paris)
    assert [(row["ok"], row.get("code"), row.get("line")) for row in rows] == [
        (False, "too-large", len(paris.splitlines()) + 1),
        (True, None, None),
    ]


def test_a_game_without_end_is_not_held(monkeypatch, paris):
    monkeypatch.setattr("cli.recorded.games.MAX_GAME_BYTES", 100_000)
    [game] = games_in("it", io.BytesIO(paris + b"{}" * 40_000 + b"\n" + paris[3000:]))
    assert game.size > 100_000
    assert sum(map(len, game.lines)) <= 100_000
    assert finished(BY_DIGEST, game.entries()).wrong.code == "too-large"


def test_endless_short_lines_are_not_held_and_a_gzip_bomb_is_not_unpacked():
    [game] = games_in("it", io.BytesIO(b"{}\n" * 200_000))
    assert (len(game.lines), game.wrong[0]) == (MAX_GAME_LINES, "too-large")
    bomb = gzip.compress(b"\n" * (64 << 20))
    start = time.process_time()
    [row] = verdicts(bomb)
    assert row["code"] == "too-large"
    assert time.process_time() - start < 20


def test_a_player_may_be_called_as_events_are(paris):
    entries = read("paris")
    entries[0]["events"][1]["player"]["name"] = '"type":"game_created"'
    assert only(lines(chained(entries)))["ok"]


def test_games_are_checked_on_many_processors(tmp_path, paris):
    for i in range(5):
        (tmp_path / f"{i}.ndjson").write_bytes(
            paris * 40 + edited(paris, 7, (b'"at": "2', b'"at": "3'))
        )
    rows = list(verdicts_on([str(path) for path in sorted(tmp_path.iterdir())], jobs=2))
    assert len(rows) == 205
    assert [i for i, row in enumerate(rows) if not row["ok"]] == [40, 81, 122, 163, 204]


def test_verify_prints_faults_and_exits_with_1_or_prints_json_a_line_for_each_game(tmp_path, paris):
    bad = tmp_path / "bad.ndjson"
    bad.write_bytes(edited(paris, 7, (b'"at": "2', b'"at": "3')))
    done = fogg("verify", PARIS, bad, tmp_path / "none", tmp_path, "--jobs", "1")
    assert done.returncode == 1
    assert f"{bad}:7, {expected()['paris']['game']}: entry 7 is wrong (chain)" in done.stdout
    assert f"{tmp_path / 'none'}: No such file" in done.stdout
    assert "1 of 2 games are right" in done.stdout
    assert "2 sources could not be checked" in done.stdout
    assert "Traceback" not in done.stderr
    done = fogg("verify", PARIS, HERE / "aborted.ndjson.gz", "--json")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert rows == [
        {
            "source": str(path),
            "ok": True,
            "game": expected()[name]["game"],
            "version": len(read(name)),
            "hash": read(name)[-1]["hash"],
        }
        for path, name in ((PARIS, "paris"), (HERE / "aborted.ndjson.gz", "aborted"))
    ]


def test_a_board_of_ones_own_is_found_in_its_folder(tmp_path):
    table = json.loads((FOLDER / "paris.json").read_text())
    table |= {"board": "my-paris", "name": "My Paris", "trains": table["trains"] - 1}
    (tmp_path / "boards").mkdir()
    path = tmp_path / "boards" / "my-paris.json"
    path.write_text(json.dumps(table))
    mine = load(path)
    BOARDS["my-paris"] = mine
    try:
        entries = begun("my-paris", 2, 4).play_on().entries
    finally:
        del BOARDS["my-paris"]
    (tmp_path / "game.ndjson").write_bytes(lines(entries))
    done = fogg("verify", tmp_path / "game.ndjson")
    assert "unknown-board" in done.stdout
    done = fogg("verify", tmp_path / "game.ndjson", "--boards", tmp_path / "boards", "--jobs", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    path.write_text("{")
    done = fogg("verify", tmp_path / "game.ndjson", "--boards", tmp_path / "boards")
    assert (done.returncode, "line 1" in done.stderr) == (1, True)


@pytest.fixture
def elsewhere(paris):
    """A service, of a kind, that has a finished game, one that goes on, and nothing else."""
    answers = {
        "/v1/games/g_1?legal_actions=false": b'{"status": "finished"}',
        "/v1/games/g_1/events": paris,
        "/v1/games/g_2?legal_actions=false": b'{"status": "playing"}',
        "/v1/games/g_3?legal_actions=false": b"[" * 100_000,
        "/games.ndjson.gz": gzip.compress(paris * 3),
    }

    class Handler(servers.Handler):
        def do_GET(self):
            self.answer(200 if self.path in answers else 404, answers.get(self.path, b""))

    with servers.listening(Handler) as url:
        yield url


@pytest.mark.parametrize(
    ("path", "codes"),
    [
        ("/v1/games/g_1", [None]),
        ("/v1/games/g_1/events", [None]),
        ("/games.ndjson.gz", [None, None, None]),
        ("/v1/games/g_2", ["unfinished"]),
        ("/v1/games/g_3", ["unreadable"]),
        ("/v1/games/g_4", ["unreadable"]),
        ("/nothing", ["unreadable"]),
    ],
)
def test_a_history_is_fetched_from_an_address(elsewhere, path, codes):
    rows = list(verdicts_on([elsewhere + path]))
    assert [row.get("code") for row in rows] == codes


@pytest.mark.parametrize(
    "address",
    ["http://127.0.0.1:9/v1/games/g_1", "http://", "http://[x/", "http://127.0.0.1:99999/"],
)
def test_an_unreachable_address_is_reported(address):
    [row] = verdicts_on([address])
    assert row["code"] == "unreadable"


# replaying


@functools.cache
def recording():
    return recording_of(BY_DIGEST, read("europe"))


def test_a_position_of_a_recorded_game_is_printed_or_is_the_view_at_that_version():
    words = ["replay", HERE / "europe.ndjson.gz", "--to", 100]
    done = fogg(*words, env={"COLUMNS": "150"})
    assert done.returncode == 0, done.stderr
    assert "version 100 of 301" in done.stdout
    assert "face up:" in done.stdout
    state = recording().at(100)
    position = view(state, 1, sealed=False) | {"creator": state.terms.creator}
    assert report(*words, "--seat", 1) == json.loads(json.dumps(position))


def test_a_position_is_drawn_as_the_service_draws_it(tmp_path):
    svg, png = tmp_path / "p.svg", tmp_path / "p.png"
    for picture in (svg, png):
        words = ["replay", HERE / "europe.ndjson.gz", "--to", 77, "--picture", picture]
        assert fogg(*words).returncode == 0
    state = recording().at(77)
    assert svg.read_text() == draw(state.board, view(state, None, sealed=False))
    assert png.read_bytes().startswith(b"\x89PNG\r\n")
    assert png.stat().st_size > 100_000


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--to", "302"], "there is no version 302; the last is 301"),
        (["--picture", "p.gif"], ".png"),
        (["--json", "--seat", "7"], "there is no seat 7"),
    ],
)
def test_an_impossible_option_is_reported(args, told):
    done = fogg("replay", HERE / "europe.ndjson.gz", *args)
    assert done.returncode != 0
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_replaying_an_invalid_source_is_reported(tmp_path):
    path = tmp_path / "x"
    for data in (b"", b"{}", b"\x1f\x8b\x08", b"[1]", b"\n".join(PARIS.read_bytes().split(b"\n"))):
        path.write_bytes(data)
        done = fogg("replay", path)
        assert (done.returncode == 0) == (data == PARIS.read_bytes())
        assert "Traceback" not in done.stderr


def test_an_incomplete_game_is_shown_up_to_its_last_entry(tmp_path, paris):
    path = tmp_path / "x"
    path.write_bytes(b"\n".join([*paris.splitlines()[:20], b"{"]))
    done = fogg("replay", path)
    assert "version 20 of 20" in done.stdout
    assert "entry 21" in done.stderr
    assert done.returncode == 1


def test_keys_step_run_and_end():
    """A terminal of its own: the game is stepped through, run to its end, and left."""
    import pty
    import select
    import signal

    pid, terminal = pty.fork()
    if pid == 0:
        os.environ |= {"COLUMNS": "150", "LINES": "40", "TERM": "xterm"}
        os.execv(FOGG[0], [*FOGG, "replay", str(PARIS)])
    seen = b""

    def until(words: bytes) -> None:
        nonlocal seen
        end = time.monotonic() + 60
        while words not in seen and time.monotonic() < end:
            if select.select([terminal], [], [], 0.2)[0]:
                try:
                    seen += os.read(terminal, 65536)
                except OSError:
                    break
        assert words in seen, seen[-2000:]
        seen = b""

    try:
        for version, key in ((1, b"\x1b[C"), (2, b"\x1b[D"), (1, b" "), (4, b"G"), (46, b"q")):
            until(b"version %d of 46" % version)
            os.write(terminal, key)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    except BaseException:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        raise
    finally:
        os.close(terminal)
