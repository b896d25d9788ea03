"""Ratings cannot be bought."""

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import orjson
import pytest

from domain.skill import PROVEN, Skill, predicted
from service.ratings.standing import RatedGame
from service.times import as_time
from tests.service.records.counted import MAY, game, standings

PROGRAM = Path(__file__).parents[3] / "tools" / "ratings.py"

PLANNER = "bot_planner_0"
LONG = ({"per_decision": 3600.0}, {"bank": 80_000.0, "increment": 100.0})
CLOCKS = (
    None,
    {"per_decision": 72.0004},  # which runs for 72 seconds
    {"per_decision": 600.0},
    {"per_decision": 3600.0, "total": 9000.0},
    *LONG,
)


def proven(player: str, first: int, days: float = 0.0) -> list[RatedGame]:
    """Games against a built-in bot after which a player is proven: each loses as often."""
    return [
        game(first + n, *((player, PLANNER) if n % 2 else (PLANNER, player)), days=days)
        for n in range(19)
    ]


def test_accounts_that_resign_at_once_win_nothing_for_anybody():
    main = standings(game(n, "p_main", f"p_{n}", idle=(0, 1)) for n in range(41))["p_main"]
    assert (main.rating, main.wins, main.games) == (0.0, 0, 41)


def test_new_accounts_that_play_and_then_lose_hardly_count():
    main = standings(game(n, "p_main", f"p_{n}") for n in range(41))["p_main"]
    assert main.rating < 8
    assert main.is_provisional


def test_accounts_that_only_meet_each_other_prove_nothing():
    names = [f"p_{n}" for n in range(10)]
    pairs = [(a, b) for a in names for b in names if a != b] * 10
    after = standings(game(n, *pair) for n, pair in enumerate(pairs))
    assert {standing.shown for standing in after.values()} == {0.0}
    assert all(standing.is_provisional for standing in after.values())


def test_a_proven_account_gives_less_and_less_and_more_again_a_month_later():
    helped = proven("p_friend", 0)
    assert standings(helped)["p_friend"].shown > PROVEN
    games = helped + [game(100 + n, "p_main", "p_friend") for n in range(300)]
    shown = [standings(games[: len(helped) + n])["p_main"].shown for n in (1, 2, 11, 300)]
    assert shown == pytest.approx(
        [sum(3 / (3 + n) for n in range(most)) for most in (1, 2, 11, 300)]
    )
    assert shown[-1] < 15
    again = standings([*games, game(500, "p_main", "p_friend", days=31)])
    assert again["p_main"].shown == pytest.approx(shown[-1] + 1)


def test_a_new_version_does_not_make_two_accounts_strangers():
    helped = proven("p_friend", 0)
    games = helped + [game(100 + n, f"p_main@{n}", "p_friend") for n in range(20)]
    after = standings(games)
    assert after["p_main@19"].shown - after["p_main@18"].shown == pytest.approx(3 / 22)


def test_against_built_in_bots_no_game_is_one_too_many():
    assert standings(game(n, "p_main", PLANNER) for n in range(20))["p_main"].shown == 20.0


def test_a_player_who_leaves_before_playing_loses_and_proves_nothing():
    games = [game(n, PLANNER, "p_shy", idle=(1,)) for n in range(10)]
    after = standings(games)
    assert after["p_shy"].mu < 20
    assert (after["p_shy"].shown, after[PLANNER].mu) == (0.0, 25.0)


def test_among_several_it_is_as_if_those_who_have_not_played_had_not_been_there():
    of_two = standings([game(1, PLANNER, "p_main")])
    of_three = standings([game(1, PLANNER, "p_main", "p_idle", idle=(2,))])
    assert {name: of_three[name] for name in of_two} == of_two
    assert of_three["p_idle"].mu < 25


# By version 2 of the rules


def newer(games: list[RatedGame]) -> list[RatedGame]:
    return [replace(game, rules=2) for game in games]


def test_games_against_one_built_in_bot_count_less_after_ten_and_again_a_month_later():
    games = [game(n, *(("p_main", PLANNER) if n % 2 else (PLANNER, "p_main"))) for n in range(40)]
    assert standings(games)["p_main"].shown == 40
    assert standings(newer(games[:11]))["p_main"].shown == 11
    shown = standings(newer(games))["p_main"].shown
    assert shown == pytest.approx(11 + sum(3 / (3 + n) for n in range(1, 30)))
    games.append(game(50, "p_main", PLANNER, days=31))
    assert standings(newer(games))["p_main"].shown == pytest.approx(shown + 1)


def test_a_game_whose_result_is_foreseen_is_not_rated():
    games = [game(n, "p_main", f"bot_{n % 7}_0") for n in range(300)]
    assert standings(games)["p_main"].wins == 300
    main = standings(newer(games))["p_main"]
    assert predicted([main[:2], Skill()[:2]])[0] < 0.97
    assert (main.games, main.wins) == (300, round(main.wins))
    assert main.wins < 200
    assert standings(newer([*games, game(301, "bot_0_0", "p_main")]))["p_main"].mu == main.mu


def test_an_earlier_version_goes_on_from_the_last_one():
    games = [game(n, "p_main@good", f"bot_{n}_0") for n in range(9)]
    games += [game(10 + n, f"bot_{n}_0", "p_main@bad") for n in range(9)]
    games.append(game(30, "p_main@good", "bot_1_0"))
    before, after = (standings(newer(games)[: len(games) - less]) for less in (1, 0))
    assert after["p_main@good"].games == before["p_main@good"].games + 1
    assert before["p_main@bad"].mu < after["p_main@good"].mu < before["p_main@good"].mu
    assert standings(games)["p_main@good"].mu > before["p_main@good"].mu  # a gain, as before


def test_two_who_sit_together_often_are_not_rated_at_one_table_with_others():
    games = [game(n, "p_main", f"bot_{n}_0", "p_helper") for n in range(60)]
    shown = [standings(newer(games[:most]))["p_main"].shown for most in (1, 20, 60)]
    assert shown[0] == 0.5  # the helper is not proven
    assert shown[1] < sum(3 / (3 + n) for n in range(20))  # the bot is no newer than the helper
    assert shown[2] == shown[1] < 0.2 * standings(games)["p_main"].shown
    alone = standings(newer([*games, game(70, "p_main", PLANNER)]))["p_main"]
    assert alone.shown == pytest.approx(shown[2] + 1)


def test_the_games_of_a_deal_are_rated_as_one_result():
    first, second = newer([game(1, "p_main", PLANNER), game(2, PLANNER, "p_main")])
    as_one = [replace(first, deal_ranks=(0, 0)), replace(second, deal_ranks=(1, 1))]
    draw = replace(second, players=((PLANNER, 1), ("p_main", 1)))
    main, of_draw = standings(as_one)["p_main"], standings([draw])["p_main"]
    assert main.skill == of_draw.skill
    assert (main.games, main.wins) == (2, 1)
    lost = replace(second, deal_ranks=(2, 1))
    assert standings([as_one[0], lost])["p_main"].skill == standings([first])["p_main"].skill


def test_choosing_the_board_where_a_built_in_bot_is_weak_gains_nothing():
    """``learned`` beats others on USA, and ``planner``'s equals beat it in five of six games on
    London."""

    def gain(rules: int) -> float:
        known = [game(n, "bot_learned_0", f"p_{n % 9}") for n in range(45)]
        ratings = []
        for bot, wins in (("bot_learned_0", 5), (PLANNER, 3)):
            chosen = [
                replace(
                    game(100 + n, *(("p_main", bot) if n * 5 % 6 < wins else (bot, "p_main"))),
                    board="london",
                )
                for n in range(60)
            ]
            games = [replace(one, rules=rules) for one in known + chosen]
            ratings.append(standings(games)["p_main"].rating)
        return ratings[0] - ratings[1]

    assert gain(3) > 5
    assert gain(4) < 1


def histories(count: int) -> tuple[list[dict], list[RatedGame]]:
    """Return random games as ``GET /v1/histories`` has what tools/ratings.py reads of them, and as
    they are counted."""
    chance, rows, games = Random(3), [], []
    names = [*(f"p_{n}" for n in range(5)), "random", "planner"]
    for number in range(0, 2 * count, 2):
        rules, is_deal = chance.choice((1, 2, 3, 4, 4)), chance.random() < 0.2
        clock, board = chance.choice(CLOCKS), chance.choice(("usa", "london", "atlantis"))
        is_long = clock in (LONG if rules < 4 else CLOCKS[2:]) and rules > 2
        seats = chance.sample(names, 2 if is_deal else chance.choice((2, 2, 3)))
        if chance.random() < 0.2:
            seats = names[-2:]  # built-in bots are always new to each other
        players = [
            {"name": name, "bot": name}
            if name[1] != "_"
            else {"id": name, "name": "Ada"}
            | ({"version": chance.choice("12")} if chance.random() < 0.5 else {})
            for name in seats
        ]
        ids = [f"g_{number + n:020}" for n in range(1 + is_deal)]
        rated_as = [
            f"bot_{p['bot']}_0"
            if "bot" in p
            else "@".join(filter(None, map(p.get, ("id", "version"))))
            for p in players
        ]
        both = [tuple(chance.sample(range(1, 1 + len(seats)), len(seats))) for _ in ids]
        sums = [*map(sum, zip(*both, strict=True))]
        as_one = tuple(1 + sum(other < own for other in sums) for own in sums)
        at = MAY + 3_600_000 * number  # through several months
        for place, (one, ranks) in enumerate(zip(ids, both, strict=True)):
            idle = (0,) if chance.random() < 0.1 else ()
            created = (
                {"seed_known": False, "pool": {"games": ids}}
                | ({"rating_rules": rules} if rules > 1 else {})
                | ({"clock": clock} if clock else {})
            )
            rows.append(
                {
                    "game": one,
                    "board": board,
                    "finished": as_time(at),
                    "entries": [
                        {"events": [created]},
                        *(
                            {"action": {}, "seat": seat, "events": []}
                            for seat in range(len(seats))
                            for _ in range(1 if seat in idle else 10)
                        ),
                    ],
                    "seats": [
                        {"player": player, "rank": rank}
                        for player, rank in zip(players, ranks, strict=True)
                    ],
                }
            )
            deal_ranks = (as_one if place else (0, 0)) if is_deal and rules > 1 else ()
            if not is_long or not {"random", "planner"} & {*seats}:
                games.append(
                    RatedGame(
                        one,
                        board,
                        at,
                        tuple(zip(rated_as, ranks, strict=True)),
                        idle=idle,
                        rules=rules,
                        deal_ranks=deal_ranks,
                    )
                )
    return rows, games


def test_the_documented_program_follows_all_rules():
    rows, games = histories(600)
    done = subprocess.run(
        [sys.executable, PROGRAM],
        capture_output=True,
        timeout=60,
        input=b"\n".join(map(orjson.dumps, rows)),
        check=True,
    )
    expected = {
        re.sub("bot_([a-z]+)_0", r"\1", name): [
            f"{x:.4f}" for x in (standing.rating, standing.mu, standing.sigma)
        ]
        for name, standing in standings(games).items()
    }
    printed = {name: row for *row, name in map(str.split, done.stdout.decode().splitlines())}
    assert printed == expected
