"""Standings that cannot be improved by leaving games, and intervals that say what chance does."""

import random
from statistics import mean

import pytest

from domain.tournament.fold import MOST_DEALS, end, record_table, withdraw
from domain.tournament.noise import noise
from domain.tournament.standings import leaders, standings
from domain.tournament.state import Table
from tests.domain.tournament.test_tournament import Cup, built_in, cup, names, row, table

WON, LOST = row(90, 1), row(60, 2)
LEFT = row(25, 2, "resigned")  # the cards of who left are set aside: no minus


def standing(held: Cup, entrant: str) -> dict:
    return next(row for row in standings(held.state) if row["entrant"] == entrant)


# Who leaves


def test_no_show_without_a_win_does_not_stand_before_those_who_play():
    held = Cup(format="swiss", rounds=1).enter(*names(6))
    held.start()
    held.pair()
    away, *rest = held.state.rounds[0].tables
    held.do(record_table, 1, 1, ((row(-22, 1), row(-6, 2, "time")),))
    for there in rest:
        held.do(record_table, 1, there.number, ((row(80, 1), row(70, 2)),))
    shown = standing(held, away.entrants[1])
    assert (shown["rank"], shown["forfeits"]) == (6, 1)
    assert "margin" not in shown


def test_of_equals_in_points_who_left_fewer_games_stands_before():
    """So nobody gains by leaving what goes badly, though that keeps it out of the margin."""
    held = Cup(rounds=2).enter("a", "b", "c", "d")
    held.start()
    while not held.state.ending:
        held.pair()
        for there in held.state.rounds[-1].tables if not held.state.ending else ():
            first, second = there.entrants
            loses = {"a": 0, "b": 1, "c": 2, "d": 2}
            if {first, second} == {"c", "d"}:
                results = row(50, 1), row(50, 1)
            elif loses[first] < loses[second]:
                results = row(90, 1), (LEFT if second == "c" else row(0, 2))
            else:
                results = (LEFT if first == "c" else row(0, 2)), row(90, 1)
            held.do(record_table, len(held.state.rounds), there.number, (results,))
    c, d = standing(held, "c"), standing(held, "d")
    assert (c["points"], c["opponents_points"]) == (d["points"], d["opponents_points"])
    assert (c["forfeits"], d["forfeits"]) == (4, 0)
    assert c["margin"] > d["margin"]
    assert (d["rank"], c["rank"]) == (3, 4)


# Knockouts


def knockout(**wish) -> Cup:
    held = Cup(format="knockout", **wish).enter("a", "b")
    held.start()
    held.pair()
    return held


def the_table(held: Cup) -> Table:
    return held.state.rounds[-1].tables[0]


def record(held: Cup, *games: dict[str, dict]) -> None:
    """Record a deal, each game by entrant."""
    there = the_table(held)
    held.do(
        record_table,
        len(held.state.rounds),
        1,
        tuple(
            tuple(game[entrant] for entrant in there.seated(rotation))
            for rotation, game in zip(there.under_way, games, strict=True)
        ),
    )


def test_to_resign_one_game_of_a_deal_wins_no_tie():
    """It wins what it can win and leaves the other as soon as the opponent holds tickets."""
    held = knockout(deals="duplicate")
    trick = {"a": row(25, 2, "resigned"), "b": row(-30, 1)}, {"a": row(95, 1), "b": row(90, 2)}
    record(held, *trick)
    assert len(the_table(held).games) == 4
    assert not the_table(held).is_over
    record(held, {"a": row(70, 1), "b": row(60, 2)}, {"a": row(60, 2), "b": row(85, 1)})
    assert the_table(held).is_over
    assert leaders(the_table(held)) == ["b"]  # by the deal that both played out
    held.pair()
    assert [row["entrant"] for row in standings(held.state)] == ["b", "a"]


def test_to_resign_one_game_of_every_deal_loses_the_table():
    held = knockout(deals="duplicate")
    for _ in range(MOST_DEALS):
        record(
            held, {"a": row(25, 2, "time"), "b": row(-30, 1)}, {"a": row(95, 1), "b": row(90, 2)}
        )
    assert the_table(held).is_over
    assert leaders(the_table(held))[0] == "b"
    ids = the_table(held).games
    assert len(set(ids)) == len(ids) == 2 * MOST_DEALS


def test_a_draw_is_played_again_with_seats_changed_and_in_the_end_the_lot_decides():
    held = knockout()
    for deal in range(MOST_DEALS):
        there = the_table(held)
        assert there.seated(there.under_way[0]) == there.entrants[:: (-1) ** deal]
        record(held, {"a": row(50, 1), "b": row(50, 1)})
    assert leaders(the_table(held)) == held.state.drawn
    held.pair()
    assert held.state.ending == "complete"


def test_a_tie_is_not_played_on_with_one_who_has_gone():
    held = knockout(deals="duplicate")
    gone = leaders(table((row(1, 1), row(1, 1))))[0]
    held.do(withdraw, gone)
    record(held, {"a": WON, "b": LOST}, {"a": LOST, "b": WON})
    assert the_table(held).is_over


def test_a_withdrawn_winner_of_a_knockout_is_ranked_by_the_round_it_reached():
    held = cup(4, format="knockout")
    strength = {name: place for place, name in enumerate(names(4))}
    held.play(strength, rounds=1)
    winner = next(
        e
        for t in held.state.rounds[0].tables
        for e in t.entrants
        if e != "p3" and leaders(t)[0] == e
    )
    held.do(withdraw, winner)
    held.play(strength)
    assert [row["rank"] for row in standings(held.state)][:2] == [1, 2]
    assert standings(held.state)[0]["entrant"] == "p3"


# Ending in the middle of a round


def test_a_round_under_way_is_played_out_and_counts_before_the_end():
    held = cup(4, format="swiss").play(rounds=1)
    held.pair()
    first, second = held.state.rounds[-1].tables
    held.record(first)
    held.do(end)
    assert (held.state.status, held.state.last_round) == ("running", 2)
    held.record(second)
    before = standings(held.state)
    held.pair()
    assert (held.state.ending, len(held.state.rounds)) == ("ended", 2)
    assert standings(held.state) == before
    assert {row["tables"] for row in before} == {2}


def test_a_round_that_was_over_at_the_end_counts():
    held = cup(4, format="swiss").play(rounds=2)
    before = standings(held.state)
    held.do(end)
    assert standings(held.state) == before


# Intervals


def test_the_interval_of_two_is_students():
    chance = noise([{"a": value, "b": -value} for value in (1.0, 2.0, 3.0)])
    assert (chance.freedom, round(chance.half_interval([2] * 3), 3)) == (2, 2.484)


def test_the_interval_of_a_winner_of_all_games_is_above_zero():
    """It meets opponents of different strength once each, and wins every time."""
    chance = random.Random(1)
    held = cup(8)
    strength = {name: 15 * place for place, name in enumerate(names(8))}
    held.pair()
    while not held.state.ending:
        for there in held.state.rounds[-1].tables:
            totals = [strength[entrant] + round(chance.gauss(0, 8)) for entrant in there.entrants]
            held.do(
                record_table,
                len(held.state.rounds),
                there.number,
                (tuple(row(total, 1 + (total < max(totals))) for total in totals),),
            )
        held.pair()
    best = standings(held.state)[0]
    low, high = best["margin_interval"]
    assert (best["entrant"], best["margin"] > 20) == ("p7", True)
    assert (low > 15, high - low < 15) == (True, True)


@pytest.mark.deep
@pytest.mark.parametrize("seats", [2, 3])
def test_an_interval_holds_the_truth_19_times_of_20(seats):
    chance, held, count = random.Random(seats), 0, 0
    who = names(6)
    strength = {name: 10 * place for place, name in enumerate(who)}
    tables = [chance.sample(who, seats) for _ in range(20)]
    for _ in range(400):
        margins = []
        for there in tables:
            totals = {entrant: strength[entrant] + chance.gauss(0, 20) for entrant in there}
            margins.append({e: total - mean(totals.values()) for e, total in totals.items()})
        estimate = noise(margins)
        for entrant in who:
            mine = [there for there in tables if entrant in there]
            truth = mean(strength[entrant] - mean(strength[e] for e in there) for there in mine)
            seen = mean(there[entrant] for there in margins if entrant in there)
            held += abs(seen - truth) <= estimate.half_interval([seats] * len(mine))
            count += 1
    assert 0.94 < held / count < 0.96


def test_where_strengths_explain_everything_there_is_no_interval():
    assert noise([]) is None
    assert noise([{"a": 1.0, "b": -1.0}, {"b": 4.0, "c": -4.0}]) is None
    assert noise([{"a": 1.0, "b": -1.0}, {"c": 4.0, "d": -4.0}, {"a": 3.0, "b": -3.0}]).freedom == 1


def test_a_built_in_bot_that_ran_out_of_time_lifts_nobody():
    held = Cup().enter("a")
    held.do(*built_in("planner"))
    held.start()
    held.pair()
    there = held.state.rounds[0].tables[0]
    held.do(
        record_table,
        1,
        1,
        (tuple(row(0, 2, "time") if e == "planner" else row(-30, 1) for e in there.entrants),),
    )
    assert "margin" not in standing(held, "a")
    assert standing(held, "a")["points"] == 1
