"""Ratings cannot be bought: each way that made one before, with what it comes to now."""

import pytest

from domain.skill import PROVEN, rated
from service.projections.standing import RatedGame, Standing
from tests.service.projections.counted import game, standings

PLANNER = "bot_planner_0"


def before(games: list[RatedGame]) -> dict[str, Standing]:
    """Return the standings after the same games with equal weights."""
    return {name: Standing(*rating)
            for name, rating in rated(dict(game.players) for game in games).items()}


def proven(player: str, first: int, days: float = 0.0) -> list[RatedGame]:
    """Games against a built-in bot after which a player is proven: each loses as often."""
    return [game(first + n, *((player, PLANNER) if n % 2 else (PLANNER, player)), days=days)
            for n in range(19)]


def test_accounts_that_resign_at_once_win_nothing_for_anybody():
    games = [game(n, "p_main", f"p_{n}", idle=(0, 1)) for n in range(41)]
    assert before(games)["p_main"].rating > 36
    main = standings(games)["p_main"]
    assert (main.rating, main.wins, main.games) == (0.0, 0, 41)


def test_new_accounts_that_play_and_then_lose_hardly_count():
    games = [game(n, "p_main", f"p_{n}") for n in range(41)]
    assert before(games)["p_main"].rating > 36
    main = standings(games)["p_main"]
    assert main.rating < 8
    assert main.is_provisional


def test_accounts_that_only_meet_each_other_prove_nothing():
    names = [f"p_{n}" for n in range(10)]
    pairs = [(a, b) for a in names for b in names if a != b] * 10
    found = standings(game(n, *pair) for n, pair in enumerate(pairs))
    assert {standing.shown for standing in found.values()} == {0.0}
    assert all(standing.is_provisional for standing in found.values())


def test_a_proven_account_gives_less_and_less_and_more_again_a_month_later():
    helped = proven("p_friend", 0)
    assert standings(helped)["p_friend"].shown > PROVEN
    games = helped + [game(100 + n, "p_main", "p_friend") for n in range(300)]
    shown = [standings(games[: len(helped) + n])["p_main"].shown for n in (1, 2, 11, 300)]
    assert shown == pytest.approx([sum(3 / (3 + n) for n in range(most))
                                   for most in (1, 2, 11, 300)])
    assert shown[-1] < 15
    again = standings([*games, game(500, "p_main", "p_friend", days=31)])
    assert again["p_main"].shown == pytest.approx(shown[-1] + 1)


def test_a_new_version_does_not_make_two_accounts_strangers():
    helped = proven("p_friend", 0)
    games = helped + [game(100 + n, f"p_main@{n}", "p_friend") for n in range(20)]
    found = standings(games)
    assert found["p_main@19"].shown - found["p_main@18"].shown == pytest.approx(3 / 22)


def test_against_built_in_bots_no_game_is_one_too_many():
    assert standings(game(n, "p_main", PLANNER) for n in range(20))["p_main"].shown == 20.0


def test_who_leaves_before_playing_loses_all_the_same_and_proves_nothing():
    games = [game(n, PLANNER, "p_shy", idle=(1,)) for n in range(10)]
    found = standings(games)
    assert found["p_shy"].mu < 20
    assert (found["p_shy"].shown, found[PLANNER].mu) == (0.0, 25.0)


def test_among_several_it_is_as_if_those_who_have_not_played_had_not_been_there():
    of_two = standings([game(1, PLANNER, "p_main")])
    of_three = standings([game(1, PLANNER, "p_main", "p_idle", idle=(2,))])
    assert {name: of_three[name] for name in of_two} == of_two
    assert of_three["p_idle"].mu < 25
