"""``fogg verify --log``: right histories against the log of finished games."""

import json

import pytest

from domain.log import EMPTY, Head, line_after
from tests.cli.inside import run
from tools.histories.edits import chained
from tools.histories.written import game


@pytest.fixture
def files(tmp_path):
    """Three games and their log; the second is not public, the third began after the first was
    over, and says so. ``files.verify`` is the command."""
    histories, lines, head = [], [], EMPTY
    for number in range(3):
        entries = game("paris", 2, number)
        if number == 2:
            entries[0]["log_head"] = Head(1, lines[0]["hash"])._asdict()
            entries = chained(entries)
        created = entries[0]["events"][0]["game"]
        lines.append(line_after(head, entries[-1]["hash"], None if number == 1 else created))
        head = Head(lines[-1]["n"], lines[-1]["hash"])
        histories.append(entries)
    return Files(tmp_path, histories, lines)


class Files:
    """A file of histories and one of a log, and what is said of them."""

    def __init__(self, folder, histories, lines):
        self.folder, self.histories, self.lines = folder, histories, lines

    def verify(self, *more: str) -> tuple[int, list[dict], str]:
        """Return the exit code, a row for each game, and all that was said."""
        said = {
            "games": [entry for entries in self.histories for entry in entries],
            "log": self.lines,
        }
        for name, rows in said.items():
            (self.folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
        done = run(
            "verify",
            self.folder / "games",
            "--jobs",
            1,
            "--json",
            "--log",
            self.folder / "log",
            *more,
        )
        rows = [json.loads(row) for row in done.stdout.splitlines() if row.startswith("{")]
        return done.returncode, rows, done.stdout + done.stderr


def test_games_that_are_in_the_log_are_right(files):
    code, rows, _ = files.verify("--head", files.lines[1]["hash"])
    assert (code, [row["ok"] for row in rows]) == (0, [True] * 3)
    files.lines, files.histories = files.lines[1:], files.histories[1:]  # it may begin later
    assert files.verify()[0] == 0


def test_an_edit_that_a_history_alone_does_not_show_is_found(files):
    for number, wrong in enumerate(
        (
            "the log has another last hash of this game, in line 1",
            "the log, up to line 3, has no game with this last hash",
        )
    ):
        files.histories[number][0]["events"][0]["creator"] += "x"
        files.histories[number] = chained(files.histories[number])
        code, rows, _ = files.verify()
        assert code == 1
        assert (rows[number]["code"], rows[number]["reason"]) == ("not-in-log", wrong)
    assert rows[2]["ok"]


def test_a_log_that_was_written_anew_is_found_by_games_and_by_heads_from_before(files):
    kept, later = files.lines[0]["hash"], files.histories[2]
    first = line_after(EMPTY, files.lines[0]["last"])  # without its id
    files.lines = [first]
    for entries in files.histories[1:]:
        head = Head(files.lines[-1]["n"], files.lines[-1]["hash"])
        files.lines.append(line_after(head, entries[-1]["hash"]))
    code, rows, _ = files.verify()
    assert (code, [row["ok"] for row in rows]) == (1, [True, True, False])
    assert rows[2]["reason"].startswith("as the game was created, line 1 of the log had the hash")
    files.histories.remove(later)
    assert files.verify()[0] == 0
    code, _, said = files.verify("--head", kept)
    assert code == 1
    assert f"no line has the hash {kept}" in said


def test_a_file_that_is_no_log_is_refused(files):
    for wrong, why in (
        ([files.lines[0], files.lines[2]], "line 2 does not follow"),
        ([{"status": 404}], "line 1 is none of the log"),
    ):
        files.lines = wrong
        code, rows, said = files.verify()
        assert (code, rows) == (1, [])
        assert why in said
    code, _, said = files.verify("--log", str(files.folder / "none"))
    assert (code, "No such file" in said) == (1, True)
