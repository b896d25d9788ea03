"""Tournaments: pairing, the value of a table, and the commands allowed at each stage."""

from collections import Counter
from dataclasses import replace
from functools import reduce
from itertools import combinations

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import Refused
from domain.game.commands import Player
from domain.tournament.events import (
    FORMATS,
    RULES_VERSION,
    TournamentCreated,
    event_from_json,
)
from domain.tournament.fold import (
    create,
    disqualify,
    edit,
    end,
    enter,
    evolve,
    pair_round,
    record_table,
    reinstate,
    start,
    withdraw,
)
from domain.tournament.pairing import Past, grouped, set_aside
from domain.tournament.rounds import next_round_at, past_of
from domain.tournament.standings import annulled, scores, standings
from domain.tournament.state import FINISHED, Table, Tournament

LATER = "9999-12-31T23:59:59.999Z"  # when a tournament waits for nothing


class Cup:
    """A tournament in a test: does commands, keeps its entries as they would be stored."""

    def __init__(self, **wish):
        self.state, self.entries = Tournament(), []
        self.keep(
            create(
                TournamentCreated(
                    **{
                        "tournament": "c",
                        "creator": "p",
                        "name": "Cup",
                        "boards": ("usa",),
                        "seats": 2,
                        "least": 2,
                        "format": "round_robin",
                        "deals": "independent",
                        "clock": {"per_decision": 10},
                        "on_timeout": "resign",
                        "entry": "open",
                        "most": 128,
                        "rules_version": RULES_VERSION,
                        "lots": "5eed",
                    }
                    | wish
                )
            )
        )

    def do(self, rule, *given) -> None:
        self.keep(rule(self.state, *given))

    def start(self, at: str = LATER) -> None:
        self.do(start, {}, at)

    def pair(self, at: str = LATER) -> None:
        self.do(pair_round, at)

    def keep(self, events: list) -> None:
        self.entries.append(orjson.dumps([event.as_json() for event in events]))
        self.state = evolve(self.state, events)

    def enter(self, *names: str) -> "Cup":
        for name in names:
            self.do(enter, name, Player(name, name))
        return self

    def record(self, table: Table, strength=None) -> None:
        """Record a table. The strong player wins it, or the first seat if nobody is strong."""
        strength = strength or {}
        games = []
        for rotation in table.under_way:
            who = table.seated(rotation)
            best = sorted(who, key=lambda name: -strength.get(name, 0))
            games.append(
                tuple(
                    {"total": 100 - 10 * best.index(name), "rank": best.index(name) + 1}
                    for name in who
                )
            )
        self.do(record_table, len(self.state.rounds), table.number, tuple(games))

    def play(self, strength=None, rounds: int = 10_000) -> "Cup":
        """Play so many rounds, or until it is over."""
        for _ in range(rounds):
            self.pair()
            if self.state.status == FINISHED:
                break
            while tables := [t for t in self.state.rounds[-1].tables if not t.is_over]:
                for table in tables:
                    self.record(table, strength)
        return self


def cup(count: int, **wish) -> Cup:
    started = Cup(**wish).enter(*names(count))
    started.start()
    return started


def names(count: int) -> list[str]:
    return [f"p{i}" for i in range(count)]


def owned(name: str, owner: str) -> tuple:
    return enter, name, Player(name, name, "external", owner)


def built_in(name: str) -> tuple:
    return enter, name, Player(f"bot_{name}_0", name, name)


def rows_of(held: Cup) -> dict[str, dict]:
    return {row["entrant"]: row for row in standings(held.state)}


def refused(cup: Cup, rule, *given) -> str:
    with pytest.raises(Refused) as caught:
        cup.do(rule, *given)
    return caught.value.code


# Pairing

sizes = st.integers(2, 24)


@given(count=sizes, seats=st.integers(2, 5), format=st.sampled_from(FORMATS), data=st.data())
def test_nobody_sits_at_two_tables_and_byes_go_round(count, seats, format, data):
    wish = {} if format == "knockout" else {"rounds": 3}
    played = cup(count, seats=seats, format=format, **wish)
    strength = {name: data.draw(st.integers(0, 3)) for name in names(count)}
    played.play(strength, rounds=12)
    for paired in played.state.rounds:
        everybody = [e for table in paired.tables for e in table.entrants] + list(paired.byes)
        assert len(set(everybody)) == len(everybody)
        assert all(2 <= len(table.entrants) <= seats for table in paired.tables)
        if format != "knockout":
            assert len(everybody) == count
    if format != "knockout":
        byes = Counter(dict.fromkeys(names(count), 0))
        for paired in played.state.rounds:
            byes.update(paired.byes)
        assert max(byes.values()) - min(byes.values()) <= 1


@pytest.mark.parametrize(("count", "rounds"), [(2, 1), (4, 2), (5, 3), (9, 4), (16, 4)])
def test_a_swiss_has_as_many_rounds_as_a_knockout_unless_it_says_how_many(count, rounds):
    assert len(cup(count, format="swiss").play().state.rounds) == rounds


@given(count=sizes, seats=st.integers(2, 5))
def test_a_knockout_ends_with_one_who_is_the_strongest(count, seats):
    played = cup(count, seats=seats, format="knockout")
    played.play({name: i for i, name in enumerate(names(count))})
    assert played.state.ending == "complete"
    assert len(played.state.rounds[-1].tables) == 1
    best = standings(played.state)[0]
    assert (best["entrant"], best["rank"]) == (names(count)[-1], 1)


@given(st.integers(2, 12), st.integers(2, 4), st.integers(1, 6))
def test_in_duplicate_deals_every_entrant_sits_on_every_seat_alike(count, seats, rounds):
    played = cup(count, seats=seats, deals="duplicate", format="swiss", rounds=rounds).play()
    for paired in played.state.rounds:
        for table in paired.tables:
            sat = Counter(
                (entrant, seat)
                for rotation in range(len(table.games))
                for seat, entrant in enumerate(table.seated(rotation))
            )
            assert set(sat.values()) == {1}
            assert len(sat) == len(table.entrants) ** 2


def test_an_entrant_who_sat_late_sits_early():
    past = Past()
    past.add([("a", "b", "c")], [])
    assert grouped(["a", "b", "c"], 3, past) == [("c", "b", "a")]


def test_nine_at_tables_of_three_meet_everybody_once():
    """This is a Kirkman system, although the search is heuristic."""
    played = cup(9, seats=3).play()
    met = Counter(
        frozenset(pair)
        for paired in played.state.rounds
        for table in paired.tables
        for pair in combinations(table.entrants, 2)
    )
    assert met == {frozenset(pair): 1 for pair in combinations(names(9), 2)}


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("count", range(5, 13))
def test_in_a_round_robin_of_larger_tables_seats_and_opponents_are_shared_out(count, seats):
    played = cup(count, seats=seats, rounds=3).play()
    past = past_of(played.state)
    first = [past.sat[name, 0] for name in names(count)]
    assert max(first) - min(first) <= 2
    met = [past.met[pair] for pair in combinations(names(count), 2)]
    assert min(met) >= 1
    assert max(met) - min(met) <= 4
    if (count, seats) in ((8, 3), (9, 3), (5, 5), (6, 5)):
        assert len(set(met)) == 1


def test_leftovers_make_a_smaller_table_if_the_board_is_for_so_few():
    assert set_aside(list("abcdef"), 4, 2, Past()) == (list("abcdef"), [])
    there, out = set_aside(list("abcdef"), 4, 3, Past())
    assert (there, out) == (list("abcd"), ["f", "e"])
    past = Past()
    past.add([], ["e"])
    assert set_aside(list("abcde"), 4, 2, past) == (list("abce"), ["d"])


def test_a_round_is_not_paired_before_its_time():
    cup = Cup(rounds=2, round_times=("2026-01-02T18:00:00.000Z",)).enter("a", "b")
    cup.start()
    assert refused(cup, pair_round, "2026-01-02T17:59:59.999Z") == "round-not-due"
    cup.pair("2026-01-02T18:00:00.000Z")
    cup.record(cup.state.rounds[0].tables[0])
    cup.pair("2026-01-02T18:00:00.001Z")  # the second round has no time
    assert len(cup.state.rounds) == 2


# Settings that are fixed

CHANGES = {
    "boards": ("europe",),
    "seats": 3,
    "format": "swiss",
    "deals": "duplicate",
    "rounds": 2,
    "clock": {"per_decision": 0.5},
    "on_timeout": "act",
    "entry": "invitation",
    "most": 2,
    "per_owner": 3,
    "visibility": "unlisted",
    "starts_at": "2026-01-01T18:00:00.000Z",
    "round_times": ("2026-01-01T18:00:00.000Z",),
}
TEXTS = {"name": "Another", "description": "On Sunday", "rules": "Be fair."}


def edited(held: Cup, **changes) -> tuple:
    return edit, replace(held.state.settings, **changes)


@pytest.mark.parametrize("name", [name for name in CHANGES if name != "entry"])
def test_a_setting_is_fixed_once_somebody_else_has_entered(name):
    held = Cup().enter("p")  # the creator
    held.do(*owned("bot", "p"))
    held.do(*built_in("planner"))
    held.do(*edited(held, **{name: CHANGES[name]}))
    assert getattr(held.state.settings, name) == CHANGES[name]
    other = Cup().enter("p", "a")
    with pytest.raises(Refused) as caught:
        other.do(*edited(other, **{name: CHANGES[name]}))
    field = {"most": "max_entrants"}.get(name, name)
    assert (caught.value.code, caught.value.field) == ("tournament-fixed", field)
    assert field in str(caught.value)
    other.do(*edited(other, **TEXTS))
    other.do(withdraw, "a")
    other.do(*edited(other, **{name: CHANGES[name]}))
    other.do(withdraw, "p")


def test_texts_may_change_until_the_end_and_other_settings_until_the_start():
    held = cup(2, creator="p0")
    assert refused(held, *edited(held, seats=3)) == "tournament-started"
    held.do(*edited(held, **TEXTS))
    assert held.state.settings.name == "Another"
    held.play()
    assert refused(held, *edited(held, name="Cup")) == "tournament-finished"


def test_a_tournament_that_others_have_entered_does_not_start_before_its_time():
    noon = "2026-01-01T12:00:00.000Z"
    held = Cup(starts_at=noon).enter("p", "a")
    with pytest.raises(Refused) as caught:
        held.start("2026-01-01T11:59:59.999Z")
    assert (caught.value.code, caught.value.field) == ("tournament-fixed", "starts_at")
    held.start(noon)
    own = Cup(starts_at=noon).enter("p")
    own.do(*owned("bot", "p"))
    own.start("2026-01-01T11:59:59.999Z")


def test_who_may_enter_may_change_until_the_start():
    held = Cup().enter("p", "a")
    held.do(*edited(held, entry="closed"))
    for one in (owned("bot", "p"), (enter, "b", Player("b", "b"))):
        assert refused(held, *one) == "entry-closed"
    held.do(*built_in("planner"))
    held.do(withdraw, "p")
    held.enter("p")
    held.do(*edited(held, entry="open"))
    held.enter("b").start()
    assert refused(held, *edited(held, entry="closed")) == "tournament-started"


def test_it_is_by_invitation_as_long_as_one_of_the_others_entered_so():
    held = Cup(entry="invitation").enter("p")
    held.do(*edited(held, entry="open"))
    assert not held.state.is_by_invitation
    held.enter("a")
    held.do(*edited(held, entry="invitation"))
    assert held.state.is_by_invitation
    held.do(*edited(held, entry="closed"))
    assert not held.state.is_by_invitation
    held.do(*edited(held, entry="invitation"))
    held.enter("b")
    held.do(*edited(held, entry="open"))
    assert held.state.is_by_invitation
    held.do(withdraw, "b")
    assert not held.state.is_by_invitation


def test_an_entrant_who_is_kept_out_may_enter_again_once_that_is_lifted():
    held = Cup().enter("a", "b")
    held.do(*owned("bot", "ada"))
    held.keep(withdraw(held.state, "bot", "p", NOON, keep_out=True))
    for one in (owned("bot", "ada"), owned("other", "ada"), (enter, "ada", Player("ada", "A"))):
        assert refused(held, *one) == "kept-out"
    held.do(reinstate, "bot", "p", NOON)
    assert refused(held, reinstate, "bot", "p", NOON) == "not-disqualified"
    assert [(row.keeps_out, row.lifted_at) for row in held.state.removed.values()] == [
        (False, NOON)
    ]
    held.do(*owned("bot", "ada"))
    held.start()
    with pytest.raises(Refused, match="has begun"):
        withdraw(held.state, "a", "p", NOON, keep_out=True)


def test_an_entrant_who_comes_again_and_again_is_among_the_removed_once():
    held = Cup()
    for why in ("first", "second", "third"):
        held.enter("a")
        held.do(withdraw, "a", "p", NOON, why)
    assert [row.reason for row in held.state.removed.values()] == ["third"]


# Disqualifications

NOON, FINAL = "2026-01-01T12:00:00.000Z", "2026-01-04T12:00:00.000Z"


def test_a_disqualification_is_lifted_without_a_trace_in_the_standings():
    held = cup(4, format="swiss", rounds=3).play({"p0": 1}, rounds=1)
    honest = cup(4, format="swiss", rounds=3).play({"p0": 1}, rounds=1)
    held.do(disqualify, "p0", "Two programs", "p", NOON)
    assert standings(held.state)[-1]["entrant"] == "p0"
    assert "p0" not in held.state.active
    assert refused(held, reinstate, "p1", "p", NOON) == "not-disqualified"
    held.do(reinstate, "p0", "p", NOON)
    assert standings(held.state) == standings(honest.state)
    assert held.play({"p0": 1}).state.rounds == honest.play({"p0": 1}).state.rounds
    assert not held.state.disqualified
    assert [(row.reason, row.lifted_at) for row in held.state.lifted] == [("Two programs", NOON)]


def test_a_second_disqualification_stands():
    held = cup(4)
    held.do(disqualify, "p0", "Two programs", "p", NOON)
    held.do(reinstate, "p0", "p", NOON)
    held.do(disqualify, "p0", "Again", "p", NOON)
    assert refused(held, reinstate, "p0", "p", NOON) == "already-reinstated"
    held.do(disqualify, "p1", "Late", "p", NOON)
    held.do(reinstate, "p1", "p", NOON)


def test_an_opponent_has_a_bye_for_a_round_that_a_reinstated_entrant_missed():
    held = cup(4).play({"p0": 1}, rounds=1)
    held.do(disqualify, "p0", "Two programs", "p", NOON)
    held.play({"p0": 1}, rounds=1)
    held.do(reinstate, "p0", "p", NOON)
    held.play({"p0": 1})
    rows = rows_of(held)
    assert annulled(held.state) == set()
    assert (rows["p0"]["tables"], rows["p0"]["points"]) == (2, 2)
    assert sorted(row["byes"] for row in rows.values()) == [0, 0, 0, 1]
    assert not any("walkovers" in row for row in rows.values())


def test_an_entrant_reinstated_before_the_start_may_enter_again():
    held = Cup().enter("a", "b", "c")
    held.do(disqualify, "a", "Two programs", "p", NOON)
    assert refused(held, enter, "a", Player("a", "a")) == "disqualified"
    held.do(reinstate, "a", "p", NOON)
    assert [*held.state.entrants] == ["b", "c"]
    held.enter("a")


def test_an_entrant_who_had_withdrawn_before_stays_withdrawn():
    held = cup(4).play(rounds=1)
    held.do(withdraw, "p0")
    held.do(disqualify, "p0", "Two programs", "p", NOON)
    held.do(reinstate, "p0", "p", NOON)
    assert held.state.entrants["p0"].withdrawn


def test_nobody_is_disqualified_or_reinstated_once_standings_are_final():
    held = cup(3).play()
    held.do(disqualify, "p0", "Two programs", "p", "2026-01-04T11:59:59.999Z", FINAL)
    assert refused(held, reinstate, "p0", "p", FINAL, FINAL) == "standings-final"
    assert refused(held, disqualify, "p1", "Late", "p", FINAL, FINAL) == "standings-final"


# Former tournaments


def test_settings_of_a_former_tournament_are_left_out_also_where_they_were_changed():
    held = cup(5, format="swiss", rounds=4, seats=3).play({"p0": 2, "p1": 1})
    entries = [orjson.loads(entry) for entry in held.entries]
    entries[2:2] = [
        [{"type": "team_changed", "entrant": "p0", "team": "Blues"}],
        [{"type": "team_changed", "entrant": "p0"}],
        [
            {
                "type": "tournament_edited",
                "changes": {"organisers": ["x"], "team_best": 3, "qualification": None},
            }
        ],
    ]
    state = reduce(evolve, (map(event_from_json, entry) for entry in entries), Tournament())
    assert state.version == held.state.version + 3
    assert state.settings == held.state.settings
    assert standings(state) == standings(held.state)


def test_a_former_ladder_that_runs_ends_after_its_round():
    held = cup(4, format="swiss", rounds=5)
    held.play(rounds=3)
    entries = [orjson.loads(entry) for entry in held.entries]
    entries[0][0]["format"] = "ladder"
    del entries[0][0]["rounds"]
    state = reduce(evolve, (map(event_from_json, entry) for entry in entries), Tournament())
    [ended] = pair_round(state, LATER)
    assert ended.as_json() == {"type": "tournament_ended", "reason": "complete"}


# Standings


LOTS = {name: str(place) for place, name in enumerate("abcd")}


def table(*results, entrants="ab", deals=1) -> Table:
    return Table(
        1, tuple(entrants), tuple(f"g{i}" for i in range(len(results))), LOTS, results, deals
    )


def row(total: int, rank: int, left: str = "") -> dict:
    return {"total": total, "rank": rank} | ({"left": left} if left else {})


def parts(held: Table, *names: str) -> list[tuple]:
    by_entrant = scores(held)
    return [tuple(getattr(by_entrant[e], name) for name in names) for e in held.entrants]


@pytest.mark.parametrize(
    ("held", "names", "expected"),
    [
        # a table is worth one point however many games it has; 90 and 70 against a mean of 75
        (
            table((row(90, 1), row(60, 2)), (row(80, 1), row(70, 2))),
            ("points", "margin", "wins"),
            [(0.5, 5, 1), (0.5, -5, 1)],
        ),
        # points are the share of others left behind, ties counting half
        (
            table((row(9, 1), row(7, 2), row(7, 2), row(1, 4)), entrants="abcd"),
            ("points",),
            [(1,), (0.5,), (0.5,), (0,)],
        ),
        # a game that was left is lost, and is in nobody's margin
        *(
            (
                table((row(10, 1), row(25, 2, reason))),
                ("points", "margin", "wins", "forfeits"),
                [(1, None, 1, 0), (0, None, 0, 1)],
            )
            for reason in ("resigned", "time")
        ),
        # nor is a deal of which one game was left
        (
            table((row(10, 1), row(25, 2, "resigned")), (row(40, 2), row(120, 1))),
            ("points",),
            [(1,), (0,)],
        ),
        (
            table((row(10, 1), row(25, 2, "resigned")), (row(120, 1), row(40, 2))),
            ("points", "margin"),
            [(0.5, None), (0.5, None)],
        ),
        # at a larger table those who stay are compared with each other
        (
            table((row(50, 1), row(90, 3, "time"), row(30, 2)), entrants="abc"),
            ("margin", "points"),
            [(10, 1), (None, 0), (-10, 0.5)],
        ),
    ],
)
def test_a_table_is_scored_by_those_left_behind_and_deals_played_out(held, names, expected):
    assert parts(held, *names) == expected


def test_a_bye_counts_half_a_point():
    played = cup(3).play({"p0": 2, "p1": 1})
    assert [(r["entrant"], r["points"], r["byes"]) for r in standings(played.state)] == [
        ("p0", 2.5, 1),
        ("p1", 1.5, 1),
        ("p2", 0.5, 1),
    ]


def test_a_table_does_not_count_before_its_results_are_in():
    started = cup(4)
    started.pair()
    assert {r["points"] for r in standings(started.state)} == {0}
    assert {r["rank"] for r in standings(started.state)} == {1}
    assert "margin" not in standings(started.state)[0]


# Which commands are allowed when


def test_one_entry_each_while_there_is_room_and_it_has_not_begun():
    held = Cup(most=2).enter("a")
    assert refused(held, enter, "a", Player("a", "A")) == "already-entered"
    held.enter("b")
    assert refused(held, enter, "c", Player("c", "C")) == "tournament-full"
    held.start()
    assert refused(held, enter, "c", Player("c", "C")) == "tournament-started"
    assert refused(held, start, {}, LATER) == "tournament-started"
    held.play()
    for command in ((enter, "c", Player("c", "C")), (withdraw, "a"), (end,)):
        assert refused(held, *command) == "tournament-finished"


def test_it_takes_two_to_start():
    held = Cup().enter("a")
    assert refused(held, start, {}, LATER) == "too-few-entrants"
    assert refused(held, pair_round, LATER) == "tournament-not-running"
    assert refused(held, withdraw, "b") == "not-entered"


def test_an_owner_and_his_bots_enter_as_often_as_the_organiser_lets_them():
    held = Cup(per_owner=1).enter("ada")
    assert refused(held, *owned("bot", "ada")) == "owner-entered"
    held.do(*owned("one", "grace"))
    assert refused(held, *owned("two", "grace")) == "owner-entered"
    assert refused(held, enter, "grace", Player("grace", "Grace")) == "owner-entered"
    held.do(*built_in("planner"))
    held.do(*built_in("greedy"))
    held.do(withdraw, "one")
    held.do(*owned("two", "grace"))
    free = Cup().enter("ada")
    for name in "abc":
        free.do(*owned(name, "ada"))
    assert len(free.state.active) == 4


@given(
    format=st.sampled_from(FORMATS),
    count=st.integers(2, 9),
    seats=st.integers(2, 4),
    data=st.data(),
)
def test_nothing_depends_on_who_entered_first(format, count, seats, data):
    wish = {} if format == "knockout" else {"rounds": 2}
    strength = {name: data.draw(st.integers(0, 1)) for name in names(count)}

    def held(entrants: list[str]) -> Tournament:
        cup = Cup(format=format, seats=seats, **wish).enter(*entrants)
        cup.start()
        return cup.play(strength, rounds=6).state

    one, other = held(names(count)), held(data.draw(st.permutations(names(count))))
    assert one.rounds == other.rounds
    assert standings(one) == standings(other)


def timed_out(held: Cup, *absent: str, played: int = 0) -> None:
    """Record a round in which some entrants lose by the clock, after so many games of each table
    that all play to a draw."""
    held.pair()
    while tables := [table for table in held.state.rounds[-1].tables if not table.is_over]:
        for table in tables:
            games = tuple(
                tuple(
                    row(0, 2, "time") if e in absent and rotation >= played else row(50, 1)
                    for e in table.seated(rotation)
                )
                for rotation in table.under_way
            )
            held.do(record_table, len(held.state.rounds), table.number, games)


def test_an_entrant_who_loses_three_tables_in_a_row_on_time_is_withdrawn():
    held = cup(6)
    for number in range(1, 4):
        timed_out(held, "p0")
        assert held.state.entrants["p0"].withdrawn == (number == 3)
    assert held.state.entrants["p0"].is_absent
    held.play()
    assert held.state.ending == "complete"
    rows = rows_of(held)
    # later opponents of the withdrawn get half a point, before and after the withdrawal
    assert all(rows[name]["byes"] == 1 for name in names(6)[1:])
    assert (rows["p0"]["points"], rows["p0"]["tables"]) == (0, 0)


@pytest.mark.parametrize("met", [1, 2, 3])
def test_nobody_gains_more_than_others_by_an_entrant_who_leaves_before_half(met):
    held = cup(8)
    for _ in range(met):
        held.play({"p0": -1}, rounds=1)
    held.do(withdraw, "p0")
    held.play()
    rows = rows_of(held)
    assert annulled(held.state) == {"p0"}
    assert all(rows[name]["byes"] == 1 and rows[name]["tables"] == 6 for name in names(8)[1:])
    assert (rows["p0"]["points"], rows["p0"]["tables"]) == (0, 0)


def test_an_entrant_who_leaves_after_half_loses_the_rest_and_keeps_earlier_results():
    held = cup(8)
    for _ in range(4):
        held.play({"p0": 9}, rounds=1)
    held.do(withdraw, "p0", "p", "2026-11-23T12:00:00.000Z", "asked for it")
    held.play()
    rows = rows_of(held)
    assert annulled(held.state) == set()
    assert rows["p0"]["points"] == 4
    met_later = [row for row in rows.values() if "walkovers" in row]
    assert [(row["byes"], row["walkovers"], row["tables"]) for row in met_later] == [(1, 1, 6)] * 3
    assert sum(row["points"] for row in rows.values()) == 28
    [trace] = held.state.removed.values()
    assert (trace.entrant.id, trace.by, trace.reason) == ("p0", "p", "asked for it")


def test_an_entrant_who_returns_before_the_third_loss_on_time_stays():
    held = cup(2, rounds=9)
    for absent in (("p0",), ("p0",), (), ("p0",), ("p0",)):
        timed_out(held, *absent)
    assert sorted(held.state.active) == ["p0", "p1"]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_one_outage_loses_one_table_of_any_size(seats):
    held = cup(2 * seats, format="swiss", rounds=9, seats=seats, deals="duplicate")
    for absent in (("p0",), (), ("p0",), ("p0",)):
        timed_out(held, *absent)
        assert "p0" in held.state.active
    timed_out(held, "p0")
    assert held.state.entrants["p0"].is_absent


def test_who_plays_one_game_of_a_deal_was_there():
    held = cup(2, rounds=9, deals="duplicate")
    for played in (0, 0, 1, 0, 0):
        timed_out(held, "p0", played=played)
    assert "p0" in held.state.active


def test_all_deals_of_a_table_are_one_absence():
    held = cup(3, format="knockout", seats=3, deals="duplicate")
    timed_out(held, "p0")
    assert held.state.rounds[0].tables[0].deals == 3
    assert "p0" in held.state.active


def test_built_in_bots_are_never_absent():
    held = Cup(rounds=9).enter("a")
    held.do(*built_in("planner"))
    held.start()
    for _ in range(4):
        timed_out(held, "planner")
    assert held.state.active == ["a", "planner"]


def test_the_next_round_waits_for_the_last():
    held = cup(4)
    held.pair()
    first, second = held.state.rounds[0].tables
    assert refused(held, pair_round, LATER) == "round-not-over"
    held.record(first)
    with pytest.raises(Refused):
        held.record(held.state.rounds[0].tables[0])
    assert refused(held, pair_round, LATER) == "round-not-over"
    held.record(second)
    held.pair()


def test_an_entrant_who_withdraws_is_removed_before_the_start_and_not_paired_later():
    held = Cup().enter("a", "b", "c", "d")
    held.do(withdraw, "b")
    assert list(held.state.entrants) == ["a", "c", "d"]
    held.start()
    held.play(rounds=1)
    held.do(withdraw, "c")
    held.play()
    assert held.state.ending == "complete"
    later = [e for paired in held.state.rounds[1:] for t in paired.tables for e in t.entrants]
    assert "c" not in later + [e for paired in held.state.rounds[1:] for e in paired.byes]
    assert held.state.entrants["c"].withdrawn


@pytest.mark.parametrize("format", ["round_robin", "swiss"])
def test_with_too_few_left_it_ends(format):
    held = cup(3, format=format, rounds=9).play(rounds=1)
    held.do(withdraw, "p0")
    held.do(withdraw, "p1")
    assert held.play(rounds=1).state.ending == "too_few"


# Ended by the creator


@pytest.mark.parametrize("is_between", [False, True])
@pytest.mark.parametrize(("number", "last"), [(1, 2), (2, 2), (3, 4), (5, 5)])
def test_with_two_seats_an_even_round_is_the_last_if_there_are_enough(number, last, is_between):
    held = cup(6, format="swiss", rounds=5).play(rounds=number - 1)
    held.pair()
    for under_way in held.state.rounds[-1].tables if is_between else ():
        held.record(under_way)
    held.do(end, "ended", "p", NOON)
    assert (held.state.status == FINISHED) is (is_between and number == last)
    if held.state.status != FINISHED:
        assert refused(held, end) == refused(held, enter, "q", Player("q", "q"))
        for under_way in held.state.rounds[-1].tables if not is_between else ():
            held.record(under_way)
        held.play()
    assert (held.state.ending, len(held.state.rounds)) == ("ended", last)
    assert held.state.ended == {"by": "p", "at": NOON}


@pytest.mark.parametrize(("count", "seats", "last"), [(2, 2, 1), (4, 2, 2), (8, 2, 2), (9, 3, 1)])
def test_a_knockout_for_two_ends_after_an_even_round_or_its_final(count, seats, last):
    held = cup(count, seats=seats, format="knockout")
    held.pair()
    held.do(end)
    assert held.state.last_round == last
    for under_way in held.state.rounds[-1].tables:
        held.record(under_way)
    assert (held.play().state.ending, len(held.state.rounds)) == ("ended", last)


def test_it_ends_at_once_before_the_first_round_and_when_too_few_are_left():
    held = cup(4)
    held.do(end)
    assert held.state.ending == "ended"
    held = cup(4, format="swiss").play(rounds=1)
    held.do(end)
    for name in names(3):
        held.do(withdraw, name)
    assert held.play().state.ending == "too_few"


def test_the_round_that_is_left_keeps_its_time():
    times = tuple(f"2026-01-0{day}T18:00:00.000Z" for day in (1, 2, 3))
    held = cup(4, round_times=times).play(rounds=1)
    held.do(end)
    assert next_round_at(held.state) == times[1]
    assert refused(held, pair_round, times[0]) == "round-not-due"
    held.pair(times[1])
    assert next_round_at(held.state) is None


def test_boards_are_used_in_turn():
    played = cup(4, boards=("usa", "europe")).play()
    assert [paired.board for paired in played.state.rounds] == ["usa", "europe", "usa"]


@given(st.sampled_from(FORMATS), st.sampled_from(["independent", "duplicate"]), st.integers(2, 9))
def test_a_stored_history_folds_to_the_same_state(format, deals, count):
    played = cup(count, format=format, deals=deals).play(rounds=4)
    again = reduce(
        evolve, (map(event_from_json, orjson.loads(raw)) for raw in played.entries), Tournament()
    )
    assert again.version == len(played.entries)
    assert standings(again) == standings(played.state)
    assert [t.games for r in again.rounds for t in r.tables] == [
        t.games for r in played.state.rounds for t in r.tables
    ]


def test_no_two_games_have_the_same_id():
    played = cup(6, deals="duplicate", rounds=2).play()
    ids = [game for r in played.state.rounds for t in r.tables for game in t.games]
    assert len(set(ids)) == len(ids) == 60


@pytest.mark.parametrize(
    "entries",
    [
        [
            {"type": "entrant_withdrew", "entrant": "a"},
            {"type": "game_recorded", "round": 1, "table": 1, "rotation": 0, "results": []},
        ],
        [{"type": "entrant_entered", "entrant": "a", "player": {"id": "a", "name": "a"}}],
    ],
    ids=lambda entries: entries[-1]["type"],
)
def test_a_history_that_does_not_begin_with_a_tournaments_creation_is_broken(entries):
    with pytest.raises((LookupError, ValueError, TypeError, AttributeError)):
        reduce(evolve, ([event_from_json(event)] for event in entries), Tournament())


def test_a_history_of_unknown_rules_is_broken():
    with pytest.raises(ValueError, match="rules version 2 is unknown"):
        evolve(Tournament(), [replace(Cup().state.settings, rules_version=2)])
