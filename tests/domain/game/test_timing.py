"""The incremental computation of clocks equals their definition."""

from math import inf
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.game.state import PLAYING, State
from domain.game.timing import thought
from tests.domain.games import random_move
from tools.histories.written import History, begun

CLOCKS = [
    None,
    {"per_decision": 5000.0},
    {"per_decision": 5000.0, "total": 10.0},
    {"bank": 60.0, "increment": 0.5},
    {"bank": 9000.0},
]


def moments(clock: dict | None, seats: int, seed: int):
    """Yield a random game before each entry and after it, and how its times were before."""
    random, options = Random(seed), {"on_timeout": "act"} if clock else {}
    game = begun("usa", seats, seed, clock=clock, **options)
    yield State(game.board), game.state, {}, (), game
    for _ in range(60):
        before, times = game.state, game.times
        if before.status != PLAYING:
            return
        seat, command = random_move(before, random, 0.3, 0.03)
        in_time = clock and seat in times.since
        game.play(seat, command, late=bool(in_time and random.random() < 0.05))
        yield before, game.state, times.since, times.banks, game


def games(test):
    return settings(max_examples=15)(
        given(st.sampled_from(CLOCKS), st.integers(2, 5), st.integers(0, 10_000))(test)
    )


@games
def test_a_decision_is_there_since_the_entry_that_brought_it(clock, seats, seed):
    for before, after, since, _, game in moments(clock, seats, seed):
        entry = game.entries[-1]
        expected = {}
        for seat, decision in after.deciding():
            is_old = (seat, decision) in before.deciding() and seat != entry.get("seat")
            expected[seat] = since[seat] if is_old else entry["at"]
        assert game.times.since == expected


@games
def test_a_bank_loses_what_decisions_take_and_a_clock_for_each_alone_has_none(clock, seats, seed):
    for _, after, _, banks, game in moments(clock, seats, seed):
        entry, now = game.entries[-1], game.times.banks
        if clock is None:
            assert now == ()
        elif not {"bank", "total"} & clock.keys():
            assert now == (0,) * len(after.players)
        else:
            whole = clock.get("bank", clock.get("total"))
            expected = list(banks or [round(whole * 1000)] * seats)
            if "available" in entry:
                left = expected[entry["seat"]]
                most = min(left, 1000 * clock.get("per_decision", inf))
                used = most if "timed_out" in entry else thought(entry)
                added = round(clock.get("increment", 0) * 1000)
                expected[entry["seat"]] = max(0, left - max(0, used)) + added
            assert now == tuple(expected)


@pytest.mark.parametrize("bank", [0.0, 60.0])
def test_nothing_that_a_clock_for_each_decision_allows_depends_on_banks(bank):
    game: History = begun("usa", 2, clock={"per_decision": 1.0, "bank": bank}, on_timeout="act")
    game.play_on(lambda state, seat, random: game.due(seat))
    assert game.state.clock.allowance(0) == game.state.clock.allowance(game.times.banks[0]) == 1000
