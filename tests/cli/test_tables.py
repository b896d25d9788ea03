"""Printed tables: whole names in 80 columns in a terminal, and one line for each row in a pipe.
Names of players with any characters are printed as they are."""

import io
import os
import pty

import pytest
from rich.console import Console
from rich.text import Text

from cli.commands import leaderboard
from cli.commands.collusion import collusion_table
from cli.commands.common import WIDE, terminal
from cli.views import game, tournament
from cli.views.game import lines_about
from cli.views.replay import _keys
from cli.views.tables import table
from tests.outside import BOARDS as OUTSIDE

NAME = "Passepartout of the Reform Club, Esq."


def printed(width: int, *things) -> str:
    console = Console(file=io.StringIO(), width=width)
    console.print(*things)
    return console.file.getvalue()


def plain(*things) -> str:
    """Return the words that a terminal shows."""
    console = terminal()
    console.width = 200
    with console.capture() as captured:
        console.print(*things)
    return Text.from_ansi(captured.get()).plain


def standings(names: list[str]):
    rows = [
        {
            "entrant": name,
            "rank": 10,
            "points": 12.5,
            "opponents_points": 11.5,
            "margin": -105.5,
            "margin_interval": [-110.5, -100.5],
            "mean_total": 101.5,
            "wins": 12,
            "games": 24,
            "forfeits": 11,
            "byes": 1,
        }
        for name in names
    ]
    return tournament.standings(
        {
            "name": "Cup",
            "status": "finished",
            "rounds": [],
            "standings": rows,
            "entrants": [{"entrant": name, "player": {"name": name}} for name in names],
        }
    )


def test_names_are_folded_in_80_columns_and_no_number_is_cut():
    shown = printed(80, standings([NAME]))
    assert max(map(len, shown.splitlines())) <= 80
    assert "…" not in shown
    heading, _, *rows = shown.splitlines()[2:]
    place = slice(heading.index("entrant"), heading.index("points"))
    assert "".join(row[place] for row in rows).replace(" ", "") == NAME.replace(" ", "")
    for number in ("12.5", "11.5", "-105.5", "±5.0", "101.5", "24", "11"):
        assert f" {number} " in shown


def test_a_piped_table_has_a_line_for_each_row(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert terminal().width == WIDE
    assert f" {NAME * 9} " in printed(WIDE, standings([NAME * 9]))


def test_a_column_with_nothing_in_it_is_left_out():
    assert "byes" not in printed(80, table(("who", "byes"), [("a", ""), ("b", "")], ["who"]))


@pytest.mark.timeout(60)
def test_every_key_of_a_burst_is_read(monkeypatch):
    here, there = pty.openpty()
    stdin = os.fdopen(there)
    monkeypatch.setattr("sys.stdin", stdin)
    os.write(here, b"ll\x1b[C")  # typed before anybody has asked
    with stdin, _keys() as key:
        os.write(here, b"\x1b[D\x1b[Bh x\x1bOAq")
        assert [key(5) for _ in range(3)] == [1, 1, 1]
        assert [key(5) for _ in range(7)] == [-1, "down", -1, "run", None, "up", "quit"]
    os.close(here)


def test_the_games_of_a_tournament_say_why_a_game_was_lost():
    entrants = [{"entrant": name, "player": {"name": name}} for name in ("quick", "slow", "gone")]
    entrants[2]["withdrawn"] = True
    games = [
        {
            "game": "g_1",
            "seats": ["quick", "slow"],
            "results": [{"total": 7}, {"total": 9, "left": "time"}],
        },
        {
            "game": "g_2",
            "seats": ["gone", "quick"],
            "results": [{"total": 3, "left": "resigned"}, {"total": 0}],
        },
    ]
    cup = {
        "entrants": entrants,
        "disqualified": [{"entrant": "slow"}],
        "rounds": [
            {
                "round": 1,
                "board": "usa",
                "byes": [],
                "tables": [
                    {"table": number, "games": [one]} for number, one in enumerate(games, 1)
                ],
            }
        ],
    }
    shown = printed(WIDE, tournament.games(cup))
    assert "quick 7, slow (disqualified) 9 (lost on time)" in shown
    assert "gone (out) 3 (resigned), quick 0" in shown


def test_events_are_sentences_with_the_names_of_places():
    claim = {
        "type": "route_claimed",
        "seat": 1,
        "route": "hill--mine",
        "cards": {"red": 3},
        "points": 4,
        "trains": 5,
    }
    crossed = {"type": "mountains_crossed", "seat": 1, "crossed": 2, "points": 4}
    turn = {"type": "turn_began", "seat": 0}
    lines = lines_about({"events": [claim, crossed, turn]}, OUTSIDE["mountains"].described)
    assert [line.plain for line in lines] == [
        "seat 2 claims Hill to Mine with 3 red and 5 trains: 4 points",
        "seat 2 leaves 2 trains on the mountains: 4 points",
    ]


@pytest.fixture(params=["[/x]", "[red]Ada", "[link=https://a.b]c[/link]", ":bomb:", "[/"])
def name(request):
    return request.param


def cup_of(name: str) -> dict:
    """A tournament of two, both of this name, who have played one game."""
    standing = {
        "points": 1,
        "opponents_points": 0,
        "wins": 1,
        "games": 1,
        "forfeits": 0,
        "byes": 0,
        "rank": 1,
    }
    played = {"game": "g_1", "seats": ["a", "b"], "results": [{"total": 7}, {"total": 5}]}
    return {
        "name": name,
        "status": "finished",
        "round": 1,
        "entrants": [{"entrant": entrant, "player": {"name": name}} for entrant in ("a", "b")],
        "standings": [standing | {"entrant": entrant} for entrant in ("a", "b")],
        "rounds": [
            {"round": 1, "board": "usa", "byes": ["a"], "tables": [{"table": 1, "games": [played]}]}
        ],
    }


def test_names_with_any_characters_are_printed_as_they_are(name):
    row = {
        "id": "c_1",
        "name": name,
        "status": "open",
        "format": "swiss",
        "boards": ["usa"],
        "entered": 2,
        "round": 0,
    }
    count = {"count": 2, "of": 2, "expected": 1.0, "p": 0.5}
    pair = {"giver_name": name, "taker_name": name, "tables": 2, "suspect": True, "wins": count}
    rated = {
        "player": {"name": name},
        "rank": 1,
        "rating": 1.0,
        "provisional": False,
        "mu": 1.0,
        "sigma": 1.0,
        "games": 1,
        "wins": 1,
    }
    result = {"rank": 1, "routes": 7, "total": 7, "tickets_completed": 1, "longest_path_length": 3}
    view = {
        "board": "usa",
        "version": 9,
        "seats": [
            {
                "seat": 0,
                "player": {"name": name},
                "result": result,
                "revealed": {"tickets": ["a--b"]},
            }
        ],
    }
    cup = cup_of(name)
    assert plain(tournament.standings(cup), tournament.games(cup)).count(name) == 6
    assert plain(tournament.listed([row])).count(name) == 1
    assert plain(collusion_table([pair], 2)).count(name) == 2
    assert name in plain(leaderboard._table("usa", [rated]))
    for shown in (game.result_table(view), game.winners(view)):
        assert name in plain(shown)
        assert "seat 1" in plain(shown)
