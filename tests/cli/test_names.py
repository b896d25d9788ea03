"""Names of players with any characters are printed in a terminal as they are."""

import pytest
from rich.text import Text

from cli.commands import leaderboard
from cli.commands.collusion import collusion_table
from cli.commands.common import terminal
from cli.views import game, tournament


@pytest.fixture(params=["[/x]", "[red]Ada", "[link=https://a.b]c[/link]", ":bomb:", "[/"])
def name(request):
    return request.param


def printed(*things) -> str:
    console = terminal()
    console.width = 200
    with console.capture() as captured:
        console.print(*things)
    return Text.from_ansi(captured.get()).plain


def found(name: str) -> dict:
    """A tournament of two, both of this name, who have played one game."""
    standing = {"points": 1, "opponents_points": 0, "wins": 1, "games": 1, "forfeits": 0,
                "byes": 0, "rank": 1}
    played = {"game": "g_1", "seats": ["a", "b"], "results": [{"total": 7}, {"total": 5}]}
    return {
        "name": name, "status": "finished", "round": 1,
        "entrants": [{"entrant": entrant, "player": {"name": name}} for entrant in ("a", "b")],
        "standings": [standing | {"entrant": entrant} for entrant in ("a", "b")],
        "rounds": [{"round": 1, "board": "usa", "byes": ["a"],
                    "tables": [{"table": 1, "games": [played]}]}]}


def test_the_standings_and_games_of_a_tournament(name):
    shown = printed(tournament.standings(found(name)), tournament.games(found(name)))
    assert shown.count(name) == 6


def test_a_list_of_tournaments(name):
    row = {"id": "c_1", "name": name, "status": "open", "format": "swiss", "boards": ["usa"],
           "entered": 2, "round": 0}
    assert printed(tournament.listed([row])).count(name) == 1


def test_pairs_that_may_have_colluded(name):
    count = {"count": 2, "of": 2, "expected": 1.0, "p": 0.5}
    pair = {"giver_name": name, "taker_name": name, "tables": 2, "suspect": True, "wins": count}
    assert printed(collusion_table([pair], 2)).count(name) == 2


def test_a_leaderboard(name):
    row = {"player": {"name": name}, "rank": 1, "rating": 1.0, "provisional": False, "mu": 1.0,
           "sigma": 1.0, "games": 1, "wins": 1}
    assert name in printed(leaderboard._table("usa", [row]))


def test_the_result_of_a_game(name):
    result = {"rank": 1, "routes": 7, "total": 7, "tickets_completed": 1, "longest_path_length": 3}
    view = {"board": "usa", "version": 9, "seats": [
        {"seat": 0, "player": {"name": name}, "result": result, "revealed": {"tickets": ["a--b"]}}]}
    for shown in (game.result_table(view), game.winners(view)):
        assert name in printed(shown)
        assert "seat 1" in printed(shown)
