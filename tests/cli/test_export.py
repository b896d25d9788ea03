"""``fogg export``: lines and columns of finished games, resumed wherever they were cut off."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from random import Random

import pytest
from fogg_client.client import Client

from cli.export.columns import COLUMNS, DECISIONS, HISTORIES, rows
from cli.export.download import export as download
from cli.export.files import CONVERTED, LineFile
from domain.game.clock import ACT
from service.operation.stack import Stack
from service.records.views import VIEWS
from tests.cli.inside import run
from tests.proxies import CuttingProxy
from tests.waiting import until

EXPORT = [sys.executable, "-m", "cli", "export"]
KINDS = pytest.mark.parametrize("kind", [DECISIONS, HISTORIES])


@pytest.fixture(scope="module")
def stack(tmp_path_factory):
    """A service with some finished games, and one that runs."""
    with Stack(tmp_path_factory.mktemp("export"), workers=0) as running:
        ada, grace = (Client(running.url).sign_up(name) for name in ("Ada", "Grace"))
        chance = Random(8)
        for number in range(5):
            play(ada, grace, chance, 24 if number % 2 else 0)
        begin(ada, grace)
        until(lambda: ["ratings" in line for line in lines(running, HISTORIES)] == [True] * 5, 120)
        yield running


def begin(ada: Client, grace: Client) -> str:
    game = ada.post(
        "/v1/games",
        {
            "board": "europe",
            "seats": [{"player": "me"}, {"open": True}],
            "options": {"clock": {"bank": 3600}, "on_timeout": ACT},
        },
    )["id"]
    grace.post(f"/v1/games/{game}/seats", {})
    return game


def play(ada: Client, grace: Client, chance: Random, actions: int) -> None:
    game = begin(ada, grace)
    for _ in range(actions):
        seat = ada.view(game)["deciding"][0]["seat"]
        view = (ada, grace)[seat].view(game)
        (ada, grace)[seat].play(view, chance.choice(view["you"]["legal_actions"]))
    grace.post(f"/v1/games/{game}/actions", {"type": "resign"})


def export(url: str, *options: object) -> dict:
    done = run("export", "--server", url, "--json", *options)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return json.loads(done.stdout)


def whole(stack: Stack, kind: str) -> list[bytes]:
    return list(Client(stack.url).download(f"/v1/{kind}"))


def lines(stack: Stack, kind: str) -> list[dict]:
    return [json.loads(line) for line in whole(stack, kind)]


@KINDS
def test_the_lines_of_all_finished_games_are_written(stack, tmp_path, kind):
    out = tmp_path / "out.ndjson"
    told = export(stack.url, f"--{kind}", "--out", out)
    assert out.read_bytes().splitlines() == whole(stack, kind)
    assert (told["games"], told["lines"]) == (5, len(whole(stack, kind)))
    assert told["complete"] is True
    assert "resumed_after" not in told


@KINDS
def test_a_file_is_gone_on_with_wherever_it_was_cut_off(stack, tmp_path, kind):
    text = b"".join(line + b"\n" for line in whole(stack, kind))
    chance = Random(3)
    for end in [0, 1, len(text) - 1, len(text), *chance.sample(range(len(text)), 6)]:
        out = tmp_path / f"{end}.ndjson"
        out.write_bytes(text[:end])
        file = LineFile(out)
        for _ in download(Client(stack.url), kind, file, {}):
            pass
        file.close()
        assert out.read_bytes() == text, end


def test_a_long_line_at_the_end_is_found(tmp_path):
    out = tmp_path / "out.ndjson"
    line = b'{"cursor":"12.g_1","entries":[' + b"1," * 100 + b"1]}\n"
    out.write_bytes(line * 2 + line[:50])
    file = LineFile(out)
    file.close()
    assert (file.cursor, out.read_bytes()) == ("12.g_1", line * 2)


@KINDS
def test_a_network_that_cuts_every_answer_in_half_costs_nothing(stack, tmp_path, kind):
    out = tmp_path / "out.ndjson"
    with CuttingProxy(stack.url, lambda n: "half" if n < 3 else "well") as proxy:
        told = export(proxy.url, f"--{kind}", "--out", out)
        assert proxy.connections == 4
    assert out.read_bytes().splitlines() == whole(stack, kind)
    assert told["games"] == 5


def test_so_many_games_and_no_more_and_then_the_next(stack, tmp_path):
    out = tmp_path / "out.ndjson"
    for count in (2, 2, 1, 0):
        assert export(stack.url, "--histories", "--out", out, "--games", 2)["games"] == count
    assert out.read_bytes().splitlines() == whole(stack, HISTORIES)
    for options, count in (
        (["--board", "usa"], 0),
        (["--bot", "planner"], 0),
        (["--until", "2026-01-01"], 0),
        (["--since", "2020-01-01"], 5),
    ):
        other = tmp_path / f"{options[0]}.ndjson"
        assert export(stack.url, "--histories", "--out", other, *options)["games"] == count


def test_an_interrupted_export_says_so_and_leaves_a_whole_file(stack, tmp_path):
    out = tmp_path / "out.ndjson"
    with CuttingProxy(stack.url, lambda n: "half") as proxy:
        running = subprocess.Popen(
            [*EXPORT, "--server", proxy.url, "--histories", "--out", out, "--json"],
            stdout=subprocess.PIPE,
            text=True,
        )
        until(lambda: (out.exists() and out.stat().st_size) or proxy.connections > 4, 120)
        running.send_signal(signal.SIGINT)
        told = json.loads(running.communicate(timeout=20)[0])
    assert running.returncode == 130
    assert told["complete"] is False
    export(stack.url, "--histories", "--out", out)
    assert out.read_bytes().splitlines() == whole(stack, HISTORIES)


@KINDS
def test_columns_hold_what_the_lines_hold(stack, tmp_path, kind):
    parquet = pytest.importorskip("pyarrow.parquet")
    out = tmp_path / "out.parquet"
    for count in (2, 3, 0):  # gone on with twice
        told = export(
            stack.url, f"--{kind}", "--out", out, "--parquet", "--games", 3 if count != 2 else 2
        )
        assert told["games"] == count
    table = parquet.read_table(out)
    assert table.column_names == [column.name for column in COLUMNS[kind]]
    expected = [row for line in whole(stack, kind) for row in rows(kind, line)]
    told = table.to_pylist()
    assert len(told) == len(expected)
    for row, source in zip(told, expected, strict=True):
        for column in COLUMNS[kind]:
            value = column.value(source)
            if column.type in CONVERTED and value is not None:
                value = CONVERTED[column.type](value)
            assert row[column.name] == value, column.name
    assert {row["action"] for row in told} > {"keep_tickets", "draw_card"}
    assert {row["rank"] for row in told} >= {1, 2}
    assert os.listdir(tmp_path) == ["out.parquet"]


def test_tables_are_gone_on_with_and_hold_what_the_records_hold(stack, tmp_path):
    out = tmp_path / "games.sqlite3"
    for count in (2, 3, 0):
        assert export(stack.url, "--sqlite", out, "--games", count or 9)["games"] == count
    with (
        closing(sqlite3.connect(out)) as file,
        closing(sqlite3.connect(stack.data / "records.sqlite3")) as records,
    ):
        for name, view in VIEWS.items():
            told, known = (
                db.execute(f"SELECT * FROM {name} ORDER BY {view.key}").fetchall()
                for db in (file, records)
            )
            assert told == known, name
        assert file.execute("SELECT count(*) FROM ratings").fetchone() == (10,)
        assert not any(secret in "".join(file.iterdump()) for secret in ("seed", "salt"))


def test_the_rows_of_a_history_say_who_lost_by_the_clock():
    def event(kind: str, **more) -> dict:
        return {"at": "2026-01-01T00:00:00.000Z", "events": [{"type": kind} | more]}

    acted = {"seat": 0, "action": {"type": "draw_tickets"}}
    line = {
        "cursor": "1.g_1",
        "game": "g_1",
        "board": "usa",
        "version": 5,
        "created": "a",
        "finished": "b",
        "seats": [
            {"player": {"id": "p_1"}, "total": 9, "rank": 1},
            {"player": {"id": "p_2"}, "total": 0, "rank": 2},
        ],
        "entries": [
            event(
                "game_created", clock={"per_decision": 5}, pool={"id": "x", "games": ["g_1", "g_2"]}
            ),
            event("game_started"),
            event("tickets_drawn") | acted | {"timed_out": True},
            event("turn_began") | acted,
            event("resigned", seat=1, reason="time") | {"seat": 1, "timed_out": True},
            event("game_ended", reason="one_seat_left", results=[{"tickets_completed": 2}, {}]),
        ],
    }
    [column] = [column for column in COLUMNS[HISTORIES] if column.name == "left"]
    left = [
        (column.value(row), row.get("seat")) for row in rows(HISTORIES, json.dumps(line).encode())
    ]
    assert left == [(None, None), (None, None), (None, 0), (None, 0), ("time", 1), (None, None)]


def test_an_export_that_cannot_be_made_is_refused(stack, tmp_path):
    def fail(*options: object) -> str:
        done = run("export", "--server", stack.url, *options)
        assert done.returncode
        assert "Traceback" not in done.stderr
        return done.stderr

    out = tmp_path / "out"
    for kinds in ((), ("--histories", "--decisions")):
        assert "--decisions, --histories or --sqlite" in fail(*kinds, "--out", out)
    out.write_text("something else\n")
    assert "name a new file" in fail("--histories", "--out", out)
    assert out.read_text() == "something else\n"
    (tmp_path / "line").write_text("no whole line")
    assert "name a new file" in fail("--histories", "--out", tmp_path / "line")
    assert (tmp_path / "line").read_text() == "no whole line"
    if pytest.importorskip("pyarrow"):
        assert "is no Parquet file" in fail("--histories", "--out", out, "--parquet")
    assert "is a directory" in fail("--histories", "--out", tmp_path)
    assert "not a database" in fail("--sqlite", out)
    assert "unable to open" in fail("--sqlite", tmp_path / "nowhere" / "games.sqlite3")
    with closing(sqlite3.connect(tmp_path / "another")) as db:
        db.execute("CREATE TABLE another (n)")
    assert "name a new file" in fail("--sqlite", tmp_path / "another")
    for options in (
        ("--sqlite", out, "--out", out),
        ("--sqlite", out, "--parquet"),
        ("--sqlite", out, "--decisions"),
        ("--decisions",),
    ):
        assert "Usage" in fail(*options)


def test_columns_have_the_players_the_place_and_the_result():
    row = {
        "cursor": "1.g_1.3",
        "game": "g_1",
        "board": "europe",
        "version": 3,
        "seat": 0,
        "decision": "turn",
        "milliseconds": 5,
        "at": "2026-01-01T00:00:00.000Z",
        "action": {"type": "claim_route", "route": "a--b", "cards": {"red": 2}},
        "events": [
            {"type": "tunnel_attempted"},
            {"type": "tunnel_card_turned", "card": "red"},
            {"type": "tunnel_card_turned", "card": "blue"},
            {"type": "tunnel_cost_raised", "extra": 1},
        ],
        "tickets": [{"ticket": "a--c", "completed": True}, {"ticket": "a--d", "completed": False}],
        "deal": ["g_1", "g_2"],
        "left": "time",
        "ratings": [{"rating": 4.5}, {}, {}],
        "view": {
            "seats": [
                {
                    "player": {
                        "id": "p_1",
                        "name": "Ann",
                        "bot": "external",
                        "owner": "p_2",
                        "version": "2.1",
                    }
                },
                {"player": {"id": "p_3"}, "cards": 7},
                {"player": {"id": "p_4"}, "cards": 9},
            ],
            "row": [],
            "deck": 9,
            "claims": [],
            "rules_version": 3,
            "clock": {"bank": 60, "increment": 2},
            "tournament": {"id": "t_1", "round": 2, "table": 3},
            "you": {
                "legal_actions": [
                    {"type": "draw_tickets"},
                    {"type": "claim_route", "route": "a--b", "cards": {"red": 2}},
                ]
            },
        },
    }
    [flat] = rows(DECISIONS, json.dumps(row).encode())
    told = {column.name: column.value(flat) for column in COLUMNS[DECISIONS]}
    assert (
        told.items()
        >= {
            "per_decision": None,
            "bank": 60,
            "increment": 2,
            "rules_version": 3,
            "pool": None,
            "rated": True,
            "rating": 4.5,
            "left": "time",
            "opponents": ["p_3", "p_4"],
            "opponents_cards": [7, 9],
            "player": "p_1",
            "bot": "external",
            "bot_version": "2.1",
            "tournament": "t_1",
            "round": 2,
            "table": 3,
            "deal": ["g_1", "g_2"],
            "at": "2026-01-01T00:00:00.000Z",
            "chosen": 1,
            "tunnel_turned": ["red", "blue"],
            "tunnel_extra": 1,
            "tunnel_outcome": "undecided",
            "final_tickets": ["a--c", "a--d"],
            "completed_tickets": ["a--c"],
        }.items()
    )
    assert [json.loads(action) for action in told["legal"]] == row["view"]["you"]["legal_actions"]
    kinds = {
        "withdrawn": ["tunnel_withdrawn"],
        "claimed": ["route_claimed", "tunnel_cards_discarded"],
        None: [],
    }
    column = next(column for column in COLUMNS[HISTORIES] if column.name == "tunnel_outcome")
    for outcome, events in kinds.items():
        assert column.value({"events": [{"type": kind} for kind in events]}) == outcome


def test_histories_have_a_column_of_sentences():
    column = next(column for column in COLUMNS[HISTORIES] if column.name == "said")
    events = [
        {
            "type": "route_claimed",
            "seat": 1,
            "route": "a--b",
            "cards": {"red": 1, "wild": 1},
            "points": 1,
        },
        {"type": "turn_began", "seat": 0},
    ]
    assert column.value({"events": events}) == ["seat 1 claims a--b with 1 red and 1 wild: 1 point"]
