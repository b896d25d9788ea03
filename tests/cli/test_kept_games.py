"""Games that bots play offline are kept as histories, which all other commands read."""

import json
import sqlite3
from contextlib import closing

import pytest
from fogg_client import Bot, Client

from cli.offline.arena import Arena, results
from cli.recorded.games import read
from domain.boards import load_folder
from domain.times import in_ms
from tests.cli import faulty
from tests.cli.inside import files_of_at_most, report, run
from tests.domain.game.test_proof import chained
from tests.waiting import until

FIRST, RAISES = f"{faulty.__name__}:First", f"{faulty.__name__}:Raises"
NOTES = f"{__name__}:Notes"
PARIS = ("--board", "paris", "--games", 2, "--jobs", 1, "--seed", 5)


class Notes(Bot):
    """Says with a note what it does."""

    def choose(self, view):
        action = view["you"]["legal_actions"][0]
        return action | {"note": f"{action['type']} \N{TRAM}"}


class NotesNothing(Bot):
    def choose(self, view):
        return view["you"]["legal_actions"][0] | {"note": "\ud800"}


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A file with the games of an arena, in one of which a bot has a fault, and of a trial."""
    out = tmp_path_factory.mktemp("kept") / "games.ndjson"
    told = report("arena", FIRST, RAISES, "--against", "greedy", "--out", out, *PARIS)
    assert len(told["faults"]) == 2
    report("bot", "try", NOTES, "--against", "random", "--seats", 3, "--out", out, *PARIS)
    return out


def verdicts(*words: object) -> list[dict]:
    done = run("verify", *words, "--json")
    return [json.loads(line) for line in done.stdout.splitlines()]


def entries_of(out) -> list[list[dict]]:
    return [[*game.entries()] for game in read(str(out))]


def test_every_game_is_proved_and_names_its_bots(kept):
    rows = verdicts(kept)
    assert [row["ok"] for row in rows] == [True] * 7
    assert len({row["game"] for row in rows}) == 7
    games = entries_of(kept)
    seated = [
        [event["player"] for event in game[0]["events"] if event["type"] == "seat_taken"]
        for game in games
    ]
    assert [[player["name"] for player in players] for players in seated[:4]] == [
        [FIRST, "greedy"],
        [RAISES, "greedy"],
        ["greedy", FIRST],
        ["greedy", RAISES],
    ]
    assert seated[0] == [
        {"id": "p_0", "name": FIRST, "bot": "external", "owner": "p_me"},
        {"id": "bot_greedy_1", "name": "greedy", "bot": "greedy"},
    ]
    left = [
        [
            event["seat"]
            for entry in game
            for event in entry["events"]
            if event["type"] == "resigned"
        ]
        for game in games
    ]
    assert left == [[], [0], [], [1], [], [], []]
    notes = {entry.get("note") for game in games for entry in game} - {None}
    assert "draw_card \N{TRAM}" in notes


def test_in_a_history_nothing_but_the_bots_own_time_passes(tmp_path):
    out = tmp_path / "games.ndjson"
    arena = Arena(("planner", "random"), ("paris",), games=2, out=out)
    seconds = sum(sum(game.seconds) for game in results(arena))
    passed = [in_ms(entries[-1]["at"]) - in_ms(entries[0]["at"]) for entries in entries_of(out)]
    assert sum(passed) == pytest.approx(1000 * seconds, abs=2)


def test_all_processes_keep_their_games(tmp_path):
    out = tmp_path / "games.ndjson"
    report("arena", "greedy", "random", "--board", "paris", "--games", 4, "--jobs", 2, "--out", out)
    assert [row["ok"] for row in verdicts(out)] == [True] * 4


def test_games_on_a_board_of_ones_own_are_read_with_its_table(tmp_path):
    out, table = tmp_path / "games.ndjson", load_folder()["paris"].table
    (tmp_path / "mine.json").write_text(json.dumps(table | {"board": "mine", "trains": 9}))
    report(
        "arena",
        "greedy",
        "random",
        "--board",
        tmp_path / "mine.json",
        "--games",
        2,
        "--jobs",
        1,
        "--out",
        out,
    )
    assert {row["code"] for row in verdicts(out)} == {"unknown-board"}
    assert [row["ok"] for row in verdicts(out, "--boards", tmp_path)] == [True] * 2
    tables = ("export", "--sqlite", tmp_path / "games.sqlite3", out)
    assert "(unknown-board)" in run(*tables).stderr
    assert report(*tables, "--boards", tmp_path)["games"] == 2


def test_a_game_of_many_is_replayed(kept):
    game = verdicts(kept)[1]["game"]
    shown = report("replay", kept, "--game", game)
    assert (shown["id"], shown["status"], shown["seats"][0]["left"]) == (
        game,
        "finished",
        "resigned",
    )


def test_games_are_not_added_to_a_file_of_something_else(tmp_path):
    out = tmp_path / "mine"
    for text in ("SQLite format 3\n", '{"half": "a li'):
        out.write_text(text)
        done = run("arena", "random", "greedy", "--out", out, *PARIS)
        assert (done.returncode, out.read_text()) == (2, text)
        assert "name a new file" in done.stderr


def test_a_name_in_a_file_does_not_control_the_terminal(tmp_path, kept):
    [entries, *_] = entries_of(kept)
    [seat] = [
        one
        for one in entries[0]["events"]
        if one["type"] == "seat_taken" and one["player"]["bot"] == "external"
    ][:1]
    seat["player"]["name"] = "one\x1b[2J\n\u202eother \N{TRAM}"
    forged = tmp_path / "forged.ndjson"
    forged.write_text("".join(f"{json.dumps(entry)}\n" for entry in chained(entries)))
    assert [row["ok"] for row in verdicts(forged)] == [True]
    shown = run("replay", forged, "--to", 3).stdout
    assert shown.count("one[2Jother \N{TRAM}") == 2  # in the table and in a sentence
    assert not {"\x1b", "\u202e"} & {*shown}


@pytest.mark.parametrize("command", ["replay", "analyse"])
def test_the_games_of_a_file_are_listed(command, kept, tmp_path):
    many = tmp_path / "many.ndjson"
    many.write_bytes(4 * kept.read_bytes())
    done = run(command, many)
    assert (done.returncode, done.stderr) == (0, "")
    ends = [(entries[0]["events"][0], entries[-1]["events"][-1]) for entries in entries_of(kept)]
    rows = report(command, many)["games"]
    assert len(rows) == 4 * len(ends)
    for row, line, (created, over) in zip(
        rows, done.stdout.strip().splitlines()[2:], 4 * ends, strict=True
    ):
        assert row["game"] == created["game"]
        totals = [player["total"] for player in row["players"]]
        assert totals == [result["total"] for result in over["results"]]
        players = ", ".join(f"{player['name']} {player['total']}" for player in row["players"])
        assert line.strip().split(maxsplit=2) == [row["game"], "paris", players]


def test_a_broken_game_is_listed_by_its_id(tmp_path, kept):
    lines, broken = kept.read_bytes().splitlines(keepends=True), tmp_path / "broken.ndjson"
    broken.write_bytes(b"".join([*lines[:9], b"[1\n", *lines]))
    [first, second, *_] = report("replay", broken)["games"]
    assert first == {"game": second["game"], "board": None, "players": []}
    assert "broken: see fogg verify" in run("replay", broken).stdout


def test_a_file_becomes_tables_once(kept, tmp_path):
    out = tmp_path / "games.sqlite3"
    for _ in range(2):
        told = report("export", "--sqlite", out, kept)
        assert (told["games"], told["complete"]) == (7, True)
    with closing(sqlite3.connect(out)) as db:
        assert [
            *db.execute(
                "SELECT name, count(*), count(reason_left) FROM seats GROUP BY name ORDER BY name"
            )
        ] == sorted(
            [(FIRST, 2, 0), (RAISES, 2, 2), (NOTES, 3, 0), ("greedy", 4, 0), ("random", 6, 0)]
        )
        [[games, first, claims]] = db.execute(
            "SELECT count(*), (SELECT count(*) FROM seats WHERE is_first), "
            "(SELECT count(*) FROM claims) FROM games WHERE board = 'paris' AND cursor IS NULL"
        )
    assert (games, first) == (7, 7)
    assert claims == sum(
        event["type"] == "route_claimed"
        for game in entries_of(kept)
        for entry in game
        for event in entry["events"]
    )


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            lambda lines: [*lines[:5], lines[5].replace(b'"at":"2', b'"at":"1')],
            "entry 6 is wrong (chain)",
        ),
        (lambda lines: lines[:9], "entry 10 is wrong (unfinished)"),
        (lambda lines: [b"a,b\n"], ": this is another format"),
    ],
)
def test_a_file_with_anything_wrong_becomes_no_tables(kept, tmp_path, change, says):
    wrong = tmp_path / "wrong.ndjson"
    wrong.write_bytes(b"".join(change(kept.read_bytes().splitlines(keepends=True))))
    done = run("export", "--sqlite", tmp_path / "games.sqlite3", wrong)
    assert (done.returncode, says in done.stderr, str(wrong) in done.stderr) == (1, True, True)
    assert not (tmp_path / "games.sqlite3").exists()
    done = run("export", "--sqlite", tmp_path / "games.sqlite3", kept, wrong)
    assert (done.returncode, "; 7 games before it are in" in done.stderr) == (1, True)


def test_a_game_that_does_not_fit_on_the_disk_is_left_out_as_a_whole(tmp_path):
    out = tmp_path / "games.ndjson"
    with files_of_at_most(30_000):
        done = run("arena", FIRST, "greedy", "--out", out, *PARIS)
    assert (done.returncode, f"{out}: no room for another game" in done.stderr) == (1, True)
    assert [row["ok"] for row in verdicts(out)] == [True]


@pytest.mark.parametrize("size", [30_000, 50_000])
def test_tables_that_do_not_fit_on_the_disk_are_made_later(kept, tmp_path, size):
    out = tmp_path / "games.sqlite3"
    with files_of_at_most(size):
        done = run("export", "--sqlite", out, kept)
    assert (done.returncode, "the SQLite file cannot be used" in done.stderr) == (1, True)
    assert report("export", "--sqlite", out, kept)["games"] == 7


@pytest.mark.parametrize(
    "change",
    [
        {"version": [1]},
        {"events": [{"type": "seat_taken", "seat": 0, "player": {"id": "p_0", "name": 5}}]},
    ],
)
def test_a_history_with_odd_values_is_replayed_as_far_as_they_can_be_shown(kept, tmp_path, change):
    odd, first = tmp_path / "odd.ndjson", entries_of(kept)[0][0]
    odd.write_text(
        json.dumps(
            first
            | change
            | {"events": first["events"][:1] + change.get("events", first["events"][1:])}
        )
    )
    done = run("replay", odd)
    assert (done.returncode, "fogg verify finds what is wrong" in done.stderr) == (1, True)


def test_a_missing_file_is_named_before_tables_are_made(kept, tmp_path):
    done = run("export", "--sqlite", tmp_path / "games.sqlite3", kept, "no.ndjson")
    assert (done.returncode, "no.ndjson: No such file" in done.stderr) == (1, True)
    assert not (tmp_path / "games.sqlite3").exists()


@pytest.mark.parametrize(
    "options",
    [
        ("--histories", "--out", "x"),
        ("--sqlite", "x", "--games", 3),
        ("--sqlite", "x", "--bot", "greedy"),
    ],
)
def test_of_files_only_tables_of_all_games_are_made(kept, options):
    done = run("export", *options, kept)
    assert (done.returncode, "by --sqlite alone, and all of them" in done.stderr) == (2, True)


def test_a_service_takes_the_games_shows_them_and_does_not_rate_them(kept, stack):
    rows = run("import", "--data", stack.data, kept, "--json").stdout.splitlines()
    games = [json.loads(row)["game"] for row in rows]
    assert [json.loads(row)["ok"] for row in rows] == [True] * 7
    anybody = Client(stack.url)
    view = anybody.get(f"/v1/games/{games[4]}", at=5)
    assert NOTES in [seat["player"]["name"] for seat in view["seats"]]
    exported = until(
        lambda: [
            line
            for line in map(json.loads, anybody.download("/v1/histories"))
            if line["game"] in games
        ],
        60,
    )
    assert not any("ratings" in line for line in exported)


def test_a_note_that_is_no_text_is_a_fault(tmp_path):
    done = run("bot", "try", f"{__name__}:NotesNothing", "--out", tmp_path / "x", *PARIS)
    assert (done.returncode, "this is no action" in done.stderr) == (1, True)
