"""Standings agree with what a program that shares no code with ours counts from histories."""

import random

import pytest

from domain.tournament.fold import record_table, withdraw
from domain.tournament.rounds import last_round
from domain.tournament.standings import standings
from domain.tournament.state import Table, Tournament
from tests.domain.tournament.test_tournament import Cup, cup, names
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
