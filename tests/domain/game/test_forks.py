"""Forks: a game that goes on from a position of another."""

from collections import Counter
from functools import reduce
from random import Random

import orjson
import pytest

from domain.chance import Chance
from domain.codec import from_json
from domain.errors import Refused
from domain.game.commands import CreateGame, Fork, Player, Resign
from domain.game.fold import create, evolve, play
from domain.game.legal import legal_actions
from domain.game.state import FINISHED, LOBBY, State
from domain.game.view import redacted, view
from domain.rules import EVENTS
from domain.rules.forking import FIELDS, position_of
from tests.domain.given import BOARDS, after

SEATS = tuple((Player(f"p{seat}", f"P{seat}"), None) for seat in range(3))


def moved(state: State, chance: Random, steps: int = 10_000) -> State:
    """A game after so many random actions, or at its end."""
    for _ in range(steps):
        if not (deciding := state.deciding()):
            break
        seat = deciding[0][0]
        state = after(state, (seat, chance.choice(legal_actions(state, seat))))
    return state


def played(board, steps: int, seed: int = 1) -> State:
    """A game of three after so many random actions."""
    state = create(board, CreateGame("g", "p0", SEATS, Random(seed).randbytes(32)))
    return moved(state, Random(seed), steps)


def wish(state: State, cards="kept", seats=SEATS) -> CreateGame:
    position = orjson.loads(orjson.dumps(position_of(state)))
    return CreateGame(
        "h", "p0", seats, bytes(32), fork=Fork(state.id, state.version, cards, position)
    )


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("steps", [0, 1, 20, 40])
def test_a_fork_with_its_cards_kept_stands_where_its_origin_stood(name, steps):
    origin = played(BOARDS[name], steps)
    fork = create(BOARDS[name], wish(origin))
    for field in (*FIELDS, *origin.board.ruleset.attributes, "open", "closed"):
        assert getattr(fork, field) == getattr(origin, field), field
    ours, theirs = view(fork, 1, sealed=False), view(origin, 1, sealed=False)
    told = {"id", "version", "commitment", "fork"}
    assert {k: v for k, v in ours.items() if k not in told} == {
        k: v for k, v in theirs.items() if k not in told
    }
    assert ours["fork"] == {"game": "g", "version": origin.version, "cards": "kept"}


@pytest.mark.parametrize("name", BOARDS)
def test_the_same_actions_lead_to_the_same_end_until_a_shuffle(name):
    origin = played(BOARDS[name], 30)
    fork, chance = create(BOARDS[name], wish(origin)), Random(5)
    while origin.deciding() and origin.shuffles == fork.shuffles == 1:
        seat = origin.deciding()[0][0]
        actions = legal_actions(origin, seat)
        assert legal_actions(fork, seat) == actions
        action = chance.choice(actions)
        events, origin = play(origin, seat, action)
        again, fork = play(fork, seat, action)
        if origin.shuffles > 1:
            return
        assert again == events


@pytest.mark.parametrize("name", BOARDS)
def test_a_reshuffled_fork_has_the_same_cards_in_an_order_of_its_own(name):
    origin = played(BOARDS[name], 25)
    fork = create(BOARDS[name], wish(origin, "reshuffled"))
    for field in ("deck", "ticket_deck", "long_deck"):
        assert Counter(getattr(fork, field)) == Counter(getattr(origin, field))
    assert fork.deck != origin.deck
    assert fork.ticket_deck != origin.ticket_deck
    assert fork.hands == origin.hands
    board, cards = BOARDS[name], sorted(origin.deck)
    names = [board.colors[card] for card in cards]
    shuffled = Chance(bytes(32), ["", "", ""]).shuffled("fork/cards", names)
    assert list(board.names(fork.deck)) == shuffled


@pytest.mark.parametrize("name", BOARDS)
def test_a_fork_is_played_to_its_end_and_folded_from_its_own_entries(name):
    origin = played(BOARDS[name], 50)
    events, state = play(State(BOARDS[name]), None, wish(origin, "reshuffled"))
    entries, chance = [events], Random(9)
    while deciding := state.deciding():
        seat = deciding[0][0]
        events, state = play(state, seat, chance.choice(legal_actions(state, seat)))
        entries.append(events)
    assert state.status == FINISHED
    assert len(state.results) == 3
    stored = [
        [
            from_json(EVENTS, event)
            for event in orjson.loads(orjson.dumps([event.as_json() for event in events]))
        ]
        for events in entries
    ]
    again = reduce(evolve, stored, State(BOARDS[name]))
    assert (again.results, again.version) == (state.results, state.version)


def test_a_fork_waits_for_its_seats_and_keeps_its_position_to_itself():
    origin = played(BOARDS["usa"], 40)
    events, state = play(State(BOARDS["usa"]), None, wish(origin, seats=(SEATS[0], None, None)))
    assert state.status == LOBBY
    shown = redacted({"version": 1, "events": [event.as_json() for event in events]}, 0, False)
    assert [event["type"] for event in shown["events"]] == [
        "game_created",
        "game_forked",
        "seat_taken",
    ]
    assert "position" not in shown["events"][1]
    assert "hand" not in view(state, 0, sealed=False)["you"]


def test_only_a_game_under_way_has_a_position_and_seats_are_as_many():
    board = BOARDS["usa"]
    for state in (
        create(board, CreateGame("g", "p0", (SEATS[0], None), bytes(32))),
        played(board, 10_000),
    ):
        with pytest.raises(Refused, match="under way"):
            position_of(state)
    with pytest.raises(Refused) as refused:
        create(board, wish(played(board, 9), seats=SEATS[:2]))
    assert refused.value.code == "wrong-number-of-seats"


def test_a_seat_that_had_left_stays_away():
    fork = create(BOARDS["usa"], wish(after(played(BOARDS["usa"], 30), (1, Resign()))))
    assert fork.left == (None, "resigned", None)
    assert moved(fork, Random(2)).results[1]["rank"] == 3
