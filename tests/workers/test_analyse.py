"""The analysis of a finished game, made by the processes of ``fogg up`` and by ``fogg analyse``."""

import gzip
import json
import subprocess
import sys

import pytest
from fogg_client.client import Client

from domain.boards import FOLDER, parse
from tests.cli.inside import run as fogg
from tests.waiting import until
from tools.histories.kept import HERE
from tools.histories.written import BOARDS, begun

pytestmark = pytest.mark.timeout(900)  # the expert may have to be compiled first
DRAW = {"type": "draw_card", "from": "deck"}


@pytest.fixture(scope="module")
def game(stack):
    ann, bob = (Client(stack.url).sign_up(name) for name in ("Ann", "Bob"))
    made = ann.post(
        "/v1/games",
        {
            "board": "london",
            "options": {"first_seat": 0},
            "seats": [{"player": "me"}, {"open": True}],
        },
    )
    bob.post(f"/v1/games/{made['id']}/seats", {})
    for caller in (ann, bob):
        view = caller.view(made["id"])
        keep = view["you"]["legal_actions"][-1]
        caller.play(view, keep | {"tickets": keep["tickets"][::-1]})  # in any order
    for _ in range(2):
        ann.play(ann.view(made["id"]), DRAW | {"note": "let us see"})
    bob.play(bob.view(made["id"]), {"type": "resign"})
    return ann, made["id"]


@pytest.mark.deep
def test_workers_and_the_command_judge_the_same_decisions(stack, game):
    ann, game_id = game
    path = f"/v1/games/{game_id}/analysis"
    assert ann.post(path, {})["status"] in ("queued", "running")
    until(lambda: ann.get(path)["status"] in ("done", "failed"), 800)
    made = ann.get(path)
    assert made["status"] == "done"
    done = fogg("analyse", game_id, "--server", stack.url, "--worlds", 16, "--json")
    assert done.returncode == 0, done.stderr
    here = json.loads(done.stdout)
    for analysis in (made, here):
        assert set(analysis) >= {"status", "progress", "decisions", "turning_point", "costliest"}
        assert [row["played"]["type"] for row in analysis["decisions"]] == [
            "keep_tickets",
            "keep_tickets",
            "draw_card",
            "draw_card",
            "resign",
        ]
        resigned = analysis["decisions"].pop()
        assert "cost" not in resigned
        assert resigned["best"]["type"] in ("claim_route", "draw_card", "draw_tickets")
        compared = [row for row in analysis["decisions"] if "cost" in row]
        assert len(compared) >= 3
        for row in compared:
            assert row["interval"][0] <= row["cost"] <= row["interval"][1]
            assert 0 <= row["win"] <= 1
    assert [row["played"] for row in made["decisions"]] == [
        row["played"] for row in here["decisions"]
    ]


def test_the_command_shows_a_row_for_each_decision_judged_by_what_its_seat_knew(monkeypatch):
    seats = []

    def judged(board, version, view, action, rng, **_):
        assert all("revealed" not in seat for seat in view["seats"])
        assert "seed" not in view
        seats.append(view["you"]["seat"])
        return {
            "version": version,
            "seat": seats[-1],
            "played": action,
            "best": view["you"]["legal_actions"][0],
            "cost": 2.5,
            "interval": [0.5, 4.5],
            "win": 0.2 + 0.1 * seats[-1],
        }

    monkeypatch.setattr("workers.judgement.judged", judged)
    done = fogg("analyse", HERE / "europe.ndjson.gz")
    assert done.returncode == 0, done.stderr
    rows = [line for line in done.stdout.splitlines() if line.lstrip()[:1].isdigit()]
    assert len(rows) == len(seats)
    words = [
        "   6  seat 3  build station Frankfurt 1 black",
        "draw from the deck",
        "2.5 *",
        "0.5 to 4.5     40",
    ]
    assert [word for word in words if word not in rows[4]] == []
    assert sum("*" in row for row in rows) == 9
    assert "draw purple" in done.stdout
    assert "claim Dieppe to Paris with 1 purple" in done.stdout


WITHOUT = """
import sys
sys.modules["numba"] = sys.modules["numpy"] = None  # as if they were not there
from cli import main
main()
"""


def test_the_command_says_in_a_sentence_that_expert_is_not_installed():
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, "analyse", HERE / "europe.ndjson.gz"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "Error: expert is not installed: pip install 'fogg-server[expert]'\n"


def test_the_command_says_in_a_sentence_that_it_cannot_play_a_board(tmp_path, monkeypatch):
    table = json.loads((FOLDER / "usa.json").read_text())
    table |= {
        "board": "thirteen",
        "players": {"least": 2, "most": 2},
        "tickets_at_start": {"deal": 13, "keep": 2},
    }
    path = tmp_path / "thirteen.json"
    path.write_text(json.dumps(table))
    monkeypatch.setitem(BOARDS, "thirteen", parse(path.read_text()))
    entries = begun("thirteen", 2, 4).play_on().entries
    (tmp_path / "history.ndjson").write_text("".join(json.dumps(row) + "\n" for row in entries))
    done = fogg("analyse", tmp_path / "history.ndjson", "--boards", tmp_path)
    assert done.returncode == 1
    assert "13 tickets are offered at once; the simulator takes 12 at most" in done.stderr


@pytest.mark.parametrize(
    ("instead", "reason"),
    [([], "is version 11, should be 10"), ([b'{"version": 10, "events": 7}\n'], "entry 10: ")],
)
def test_the_command_says_what_is_wrong_in_a_history(tmp_path, instead, reason):
    lines = gzip.decompress((HERE / "paris.ndjson.gz").read_bytes()).splitlines(keepends=True)
    (tmp_path / "history.ndjson").write_bytes(b"".join([*lines[:9], *instead, *lines[10:]]))
    done = fogg("analyse", tmp_path / "history.ndjson")
    assert (done.returncode, done.stdout) == (1, "")
    assert reason in done.stderr


def test_the_command_finds_one_game_of_many(tmp_path):
    wanted = json.loads(gzip.decompress((HERE / "demo.ndjson.gz").read_bytes()).splitlines()[0])
    both = tmp_path / "both.ndjson.gz"
    both.write_bytes(
        b"".join((HERE / f"{name}.ndjson.gz").read_bytes() for name in ("aborted", "demo"))
    )
    [game] = [event["game"] for event in wanted["events"] if "game" in event]
    done = fogg("analyse", both)
    assert done.returncode == 0
    assert game in done.stdout
    done = fogg("analyse", both, "--game", game, "--worlds", 8, "--json")
    assert json.loads(done.stdout)["game"] == game


@pytest.mark.parametrize("worlds", [0, 7])
def test_the_command_refuses_too_few_worlds(worlds):
    done = fogg("analyse", HERE / "europe.ndjson.gz", "--worlds", worlds)
    assert done.returncode == 2
    assert "not in the range" in done.stderr


@pytest.mark.parametrize(
    ("source", "reason"),
    [("aborted.ndjson.gz", "was not played to its end"), ("nothing", "No such file")],
)
def test_the_command_refuses_what_is_no_whole_game(source, reason):
    done = fogg("analyse", HERE / source)
    assert done.returncode == 1
    assert reason in done.stderr
