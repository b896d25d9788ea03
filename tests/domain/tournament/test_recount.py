"""Standings agree with what a program that shares no code with ours counts from histories."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.tournament.events import FORMATS, KNOCKOUT
from domain.tournament.fold import disqualify, record_table, reinstate, withdraw
from domain.tournament.rounds import last_round
from domain.tournament.standings import standings
from domain.tournament.state import Table, Tournament
from tests.domain.tournament.test_tournament import FINAL, NOON, Cup, cup, names
from tools.recount import differences, recount


def record(held: Cup, table: Table, chance: random.Random) -> None:
    """Record a table at which some leave, and one never comes."""
    games = []
    for rotation in table.under_way:
        who = table.seated(rotation)
        left = [
            "time" if e == "p1" else chance.choice(["", "", "", "", "time", "resigned"])
            for e in who
        ]
        if all(left):
            left[who.index(max(who))] = ""
        keys = [(not why, chance.randrange(60)) for why in left]
        games.append(
            tuple(
                {"total": total, "rank": 1 + sum(other > key for other in keys)}
                | ({"left": why} if why else {})
                for key, why, (_, total) in zip(keys, left, keys, strict=True)
            )
        )
    held.do(record_table, len(held.state.rounds), table.number, tuple(games))


def shown(state: Tournament) -> tuple[dict, dict]:
    """A tournament as the API shows it, and the histories of its games."""
    rounds, histories = [], {}
    for paired in state.rounds:
        tables = []
        for table in paired.tables:
            tables.append({"games": [{"game": game} for game in table.games]})
            deals = {
                game: table.games[deal] for deal in table.by_deal for game in table.games[deal]
            }
            for rotation, (game, results) in enumerate(
                zip(table.games, table.results, strict=False)
            ):
                events = [{"type": "game_created", "tournament": {"games": list(deals[game])}}]
                events += [
                    {"type": "seat_taken", "seat": seat, "player": {"id": entrant}}
                    for seat, entrant in enumerate(table.seated(rotation))
                ]
                events += [
                    {"type": "resigned", "seat": seat, "reason": row["left"]}
                    for seat, row in enumerate(results)
                    if "left" in row
                ]
                events.append({"type": "game_ended", "results": results})
                histories[game] = [{"events": events}]
        rounds.append({"byes": paired.byes, "tables": tables})
    settings = {"seats": state.settings.seats, "rounds": last_round(state)}
    return {
        "format": state.settings.format,
        "rounds": rounds,
        "standings": standings(state),
        "settings": settings,
        "entrants": [
            {"entrant": e.id, "absent": e.is_absent, "withdrawn": e.withdrawn}
            for e in state.entrants.values()
        ],
        "disqualified": [{"entrant": entrant} for entrant in state.disqualified],
    }, histories


@pytest.mark.parametrize("deals", ["independent", "duplicate"])
@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("format", ["round_robin", "swiss"])
def test_standings_are_those_counted_from_the_histories(format, seats, deals):
    for number in range(4):
        chance = random.Random(number)
        held = cup(6 + number, format=format, seats=seats, deals=deals, rounds=3)
        for _ in range(3):
            held.pair()
            for table in held.state.rounds[-1].tables:
                record(held, table, chance)
            if "p2" in held.state.active and chance.random() < 0.3:
                held.do(withdraw, "p2")
        tournament, histories = shown(held.state)
        counted = recount(tournament, histories.__getitem__)
        assert differences(tournament, counted) == []
        assert set(names(6 + number)) == {row["entrant"] for row in counted}


def of_the_others(held: Cup, gone: str) -> list[tuple]:
    """The standings without an entrant, as far as they are about the others; counted as well."""
    if held.state.settings.format != KNOCKOUT:
        tournament, histories = shown(held.state)
        assert differences(tournament, recount(tournament, histories.__getitem__)) == []
    return [
        (row["entrant"], row["points"], row["opponents_points"], row.get("margin"))
        for row in standings(held.state)
        if row["entrant"] != gone
    ]


@given(
    format=st.sampled_from(FORMATS),
    seats=st.integers(2, 3),
    count=st.integers(3, 7),
    rounds=st.sampled_from([0, 1, 2, 3, 4, 1000]),
    seed=st.integers(0, 999),
)
def test_after_the_end_no_judgement_changes_anything_for_others(format, seats, count, rounds, seed):
    held, chance = cup(count, format=format, seats=seats), random.Random(seed)

    def play(rounds: int) -> None:
        while not held.state.ending and len(held.state.rounds) < rounds:
            held.pair()
            while waiting := [t for t in held.state.rounds[-1].tables if not t.is_over]:
                record(held, waiting[0], chance)

    play(rounds)
    gone = chance.choice(names(count))
    before = of_the_others(held, gone) if held.state.ending else None
    held.do(disqualify, gone, "Two programs", "p", NOON)
    play(1000)
    disqualified = of_the_others(held, gone)
    assert before in (None, disqualified)
    held.do(reinstate, gone, "p", NOON, FINAL)
    assert of_the_others(held, gone) == disqualified
