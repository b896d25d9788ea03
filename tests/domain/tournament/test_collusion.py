"""Signs of collusion: a planted feeder is found, and honest players are not suspected."""

from math import log
from random import Random

import pytest

from domain.game.commands import Player
from domain.tournament.collusion import SUSPECT, fisher, pairs
from domain.tournament.commands import Enter, PairRound, RecordTable, Start
from domain.tournament.state import FINISHED, Tournament
from tests.domain.tournament.test_tournament import Cup, names

FEEDER, FED = "p1", "p2"


class Players:
    """How entrants of some strengths play: who is on top in a game, and who leaves it.

    Ranks are drawn as Plackett and Luce have it: how a player does depends on nobody's presence.
    """

    def __init__(self, seed: int, count: int):
        self.rng = Random(seed)
        self.strength = {name: self.rng.gauss(0, 1) for name in names(count)}

    def form(self, who: tuple[str, ...]) -> dict[str, float]:
        """Return how well each plays today."""
        return {name: self.strength[name] - log(self.rng.expovariate(1)) for name in who}

    def leaving(self, order: list[str]) -> set[str]:
        """Return who leaves: the last, as often as not."""
        return {order[-1]} if self.rng.random() < 0.5 else set()

    def game(self, who: tuple[str, ...]) -> tuple[dict, ...]:
        """Return the results of a game by seat."""
        form = self.form(who)
        order = sorted(who, key=lambda name: -form[name])
        left = self.leaving(order)
        return tuple({"total": 100 - 10 * order.index(name), "rank": order.index(name) + 1}
                     | ({"left": "resigned"} if name in left else {}) for name in who)


class Resigning(Players):
    """One resigns whenever another is there; nobody else ever does."""

    def form(self, who):
        return super().form(who) | ({FEEDER: -99} if {FEEDER, FED} <= set(who) else {})

    def leaving(self, order):
        return {FEEDER} if {FEEDER, FED} <= set(order) else set()


class Losing(Resigning):
    """One loses on the board to somebody as strong, and does not resign."""

    def __init__(self, seed: int, count: int):
        super().__init__(seed, count)
        self.strength |= {FEEDER: 0, FED: 0}

    def leaving(self, order):
        return set()


class Helping(Players):
    """One, at a table of several, sees to it that another beats the rest."""

    def form(self, who):
        form = super().form(who)
        return form | ({FED: form[FED] + 4} if {FEEDER, FED} <= set(who) else {})


def played(players: Players, seed: int = 0, entries=(), **wish) -> Tournament:
    """Return a whole tournament of these players."""
    cup = Cup(lots=str(seed), **wish).enter(*(set(players.strength) - {e.entrant for e in entries}))
    for entry in entries:
        cup.do(entry)
    cup.do(Start())
    while True:
        cup.do(PairRound())
        if cup.state.status == FINISHED:
            return cup.state
        for table in cup.state.rounds[-1].tables:
            games = tuple(players.game(table.seated(r)) for r in range(len(table.games)))
            cup.do(RecordTable(len(cup.state.rounds), table.number, games))


def suspects(state: Tournament) -> list[tuple[str, str]]:
    return [(row["giver"], row["taker"]) for row in pairs(state) if row["suspect"]]


@pytest.mark.parametrize(("kind", "count", "wish"), [
    (Resigning, 4, {"rounds": 12}),
    (Resigning, 6, {"rounds": 10}),
    (Resigning, 5, {"rounds": 12, "deals": "duplicate"}),
    (Resigning, 8, {"rounds": 40, "format": "swiss"}),
    (Resigning, 8, {"rounds": 30, "seats": 4}),
    (Helping, 8, {"rounds": 40, "seats": 4}),
    (Helping, 6, {"rounds": 40, "seats": 3}),
])
def test_a_planted_feeder_is_found_and_nobody_else(kind, count, wish):
    found = [suspects(played(kind(seed, count), seed, **wish)) for seed in range(4)]
    assert sum((FEEDER, FED) in pairs for pairs in found) >= 3, found
    assert sum(any(pair != (FEEDER, FED) for pair in pairs) for pairs in found) <= 1, found


def test_who_lets_another_win_on_the_board_is_found_by_the_wins_alone():
    found = [played(Losing(seed, 5), seed, rounds=20) for seed in range(4)]
    rows = [pairs(state)[0] for state in found]
    caught = [row for row in rows if (row["giver"], row["taker"], row["suspect"]) == (
        FEEDER, FED, True)]
    assert len(caught) >= 3
    assert all(row["won"]["times"] == row["won"]["of"] == 20 > row["won"]["expected"]
               for row in caught)
    assert not any("left" in row for row in rows)


@pytest.mark.parametrize(("count", "wish"), [
    (4, {"rounds": 12}), (6, {"rounds": 5}), (9, {"rounds": 8, "seats": 3}),
    (8, {"rounds": 30, "seats": 4}), (8, {"rounds": 10, "format": "swiss"}),
])
def test_the_honest_are_left_alone(count, wish):
    """Also those who resign what is lost: if one of fifty tournaments has a false alarm, fifteen
    have three or more in 3 runs of a thousand."""
    alarms = [bool(suspects(played(Players(seed, count), seed, **wish))) for seed in range(15)]
    assert sum(alarms) <= 2


def test_to_be_weak_is_no_offence():
    players = Players(1, 5)
    players.strength |= {FEEDER: -9, FED: 9}
    assert suspects(played(players, rounds=20)) == []


def test_nothing_is_said_of_those_who_met_once():
    assert pairs(played(Resigning(1, 6))) == []


def test_one_owner_is_told():
    entries = [Enter(name, Player(name, name, "external", "ada")) for name in ("p0", "p3")]
    rows = pairs(played(Players(1, 4), entries=entries, rounds=3))
    assert {(row["giver"], row["taker"]) for row in rows if row.get("same_owner")} == {
        ("p0", "p3"), ("p3", "p0")}


def test_the_same_history_is_judged_the_same():
    assert pairs(played(Players(1, 5), rounds=6)) == pairs(played(Players(1, 5), rounds=6))


def test_a_pair_is_compared_with_what_it_did_elsewhere():
    row = next(row for row in pairs(played(Resigning(3, 4), rounds=12)) if row["suspect"])
    assert (row["giver"], row["taker"], row["tables"]) == (FEEDER, FED, 12)
    assert (row["left"]["times"], row["left"]["of"]) == (12, 12)
    assert row["left"]["expected"] < 12
    assert row["left"]["p"] <= SUSPECT


def test_fishers_test_is_exact():
    assert fisher([True] * 3, [False] * 3) == pytest.approx(1 / 20)
    assert fisher([False] * 3, [True] * 3) == 1
    assert fisher([True, True, False], [True, False, False]) == pytest.approx(10 / 20)
