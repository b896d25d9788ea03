"""Rules 9.1 to 9.7: what must hold in every position of every game, on every board."""

import json
import re
from collections.abc import Callable, Iterable
from functools import reduce
from itertools import combinations
from random import Random

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.board.board import Board
from domain.errors import Refused
from domain.game.commands import (
    ClaimRoute,
    Command,
    DrawCard,
    DrawTickets,
    KeepTickets,
    Pass,
    Resign,
)
from domain.game.fold import decide, evolve, evolve_from_json
from domain.game.legal import legal_actions
from domain.game.state import FINISHED, PLAYING, State
from domain.game.view import redacted, view
from domain.rules import EVOLVES, PARTS, event_from_json
from domain.rules.stations import BuildStation
from domain.rules.tunnels import PayTunnel, WithdrawTunnel
from tests.domain.games import Game, events_of, random_game
from tests.domain.given import BOARDS, USA, cards_in, names
from tests.domain.worlds import another_world, tickets_known


@st.composite
def games(draw, board: Board) -> Game:
    """A random game to its end, at times with resignations."""
    return random_game(
        draw(st.sampled_from(board.players)),
        draw(st.integers(0, 2**32)),
        claiming=draw(st.sampled_from([1, 0.5, 0.1, 0.02, 0])),
        leaving=draw(st.sampled_from([0, 0, 0.004, 0.02, 0.1])),
        board=board,
    )


moments = st.floats(0, 1)
randoms = st.integers(0, 2**32).map(Random)
every_board = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)


def on_every_board(examples: int, **others: st.SearchStrategy) -> Callable:
    """Run a test with a few random games on every board, if it is deep with so many, and with its
    other strategies."""

    def decorate(test: Callable) -> Callable:
        def on_board(board: Board, count: int) -> None:
            def once(data: st.DataObject) -> None:
                drawn = {name: data.draw(strategy) for name, strategy in others.items()}
                test(data.draw(games(board)), **drawn)

            once.__name__ = test.__name__  # which also decides which games it gets
            settings(max_examples=count)(given(data=st.data())(once))()

        on_board.__name__ = test.__name__
        counts = [2, pytest.param(examples, marks=pytest.mark.deep)]
        return every_board(pytest.mark.parametrize("count", counts)(on_board))

    return decorate


def moment_of(game: Game, moment: float) -> int:
    """A version at which the game was not over, as a part of the whole."""
    return 1 + int(moment * (len(game.states) - 2))


def after_every_event(game: Game) -> Iterable[State]:
    """The states after each event from the first shuffle on, also those inside an entry."""
    state = State(game.board)
    for entry in game.entries:
        for event in events_of(entry):
            EVOLVES[type(event)](state, event)
            if state.shuffles:
                yield state


@on_every_board(6)
def test_9_1_the_cards_are_those_of_the_board_after_every_event(game):
    for state in after_every_event(game):
        assert cards_in(state) == list(game.board.cards.values())
        assert min(map(min, state.hands)) >= 0
        assert min(state.discards) >= 0
        assert len(state.row) <= 5


@on_every_board(6)
def test_9_1_the_row_is_full_and_not_too_wild_while_cards_allow_it(game):
    wild = len(game.board.colors) - 1
    for state in game.states:
        if len(state.row) < 5:
            assert not state.deck
            assert not any(state.discards)
        plain = sum(state.discards[:wild]) + sum(c != wild for c in (*state.deck, *state.row))
        assert state.row.count(wild) < 3 or plain < 3


@on_every_board(6)
def test_9_2_the_tickets_are_all_there_once_after_every_event(game):
    tickets = game.board.tickets
    dealt = False
    for state in after_every_event(game):
        held = state.tickets + state.offered + state.refused + state.removed
        assert sorted(
            [
                *state.ticket_deck,
                *state.long_deck,
                *state.unseen,
                *(t for seat in held for t in seat),
            ]
        ) == list(range(len(tickets)))
        dealt = dealt or all(state.offered)
        assert not (dealt and any(tickets[t].long for t in state.ticket_deck))


@on_every_board(6)
def test_9_2_trains_and_stations_are_on_the_board_or_left_and_a_route_has_one_owner(game):
    board = game.board
    for state in game.states:
        claimed = [route for routes in state.routes for route in routes]
        assert len(claimed) == len(set(claimed))
        built = [place for stations in state.stations for place in stations]
        assert len(built) == len(set(built))
        for seat in state.seats:
            laid = sum(board.lengths[route] for route in state.routes[seat])
            assert laid + state.trains[seat] == board.trains
            assert state.trains[seat] >= 0
            assert len(state.stations[seat]) <= board.settings.get("stations", 0)


@on_every_board(6)
def test_4_2_no_double_is_owned_twice_by_one_seat_nor_at_all_with_few_seats(game):
    board, state = game.board, game.state
    few = len(state.seats) in board.doubles_closed_for
    for taken in [sum(state.routes, ())] if few else state.routes:
        assert not any(board.routes[route].twin in taken for route in taken)


@on_every_board(6)
def test_4_5_no_flag_is_whole_between_turns_nor_has_a_colour_twice(game):
    for state in game.states:
        for flag in state.flags:
            assert len(flag) == len(set(flag)) < 3
            assert set(game.board.names(flag)) <= {"blue", "white", "red"}


@on_every_board(6)
def test_4_4_a_tunnel_is_open_between_actions_only_while_its_seat_decides(game):
    for state in game.states:
        assert (state.tunnel is not None) == (state.step == "tunnel")
        if state.tunnel:
            assert 0 < state.tunnel.extra <= len(state.tunnel.turned) <= 3


@on_every_board(6)
def test_9_3_the_score_during_play_is_that_of_routes_and_flags_and_the_parts_add_up(game):
    board = game.board
    for state in game.states:
        assert all(points % 4 == 0 for points in state.flag_points)
        assert state.points == tuple(
            sum(board.points[board.lengths[route]] for route in routes) + flags
            for routes, flags in zip(state.routes, state.flag_points, strict=True)
        )
    assert game.state.status == FINISHED
    for points, result in zip(game.state.points, game.state.results, strict=True):
        assert result["routes"] + result["flags"] == points
        assert sum(result.get(part, 0) for part in PARTS) == result["total"]


def sets(board: Board, most: int) -> Iterable[dict[str, int]]:
    """Every set of one colour and wilds of up to so many cards, and some of two colours."""
    for color in board.colors[:-1]:
        for count in range(most + 1):
            for wilds in range(most + 1 - count):
                yield {name: n for name, n in ((color, count), ("wild", wilds)) if n}
    for one, other in combinations(board.colors[:-1], 2):
        for count in {1, 2, 3, most - 1}:
            yield {one: 1, other: count}


def fixed(board: Board) -> dict[bytes, Command]:
    """Every well-formed action that does not depend on the position, as text: every claim, every
    station, with every payment of one colour and wilds up to one card too many."""
    many, few = list(sets(board, max(8, max(board.lengths)))), list(sets(board, 4))
    keeping = (None, True) if "flags" in board.rules else (None,)
    places = board.locations[: 99 if board.ruleset.has("stations") else 2]
    actions = [
        DrawCard("deck"),
        DrawTickets(),
        Pass(),
        WithdrawTunnel(),
        *(DrawCard("row", color) for color in board.colors),
        *(PayTunnel(cards) for cards in few),
        *(BuildStation(place.id, cards) for place in places for cards in few),
        *(
            ClaimRoute(route.id, cards, keep)
            for route in board.routes
            for keep in keeping
            for cards in many
        ),
        *(ClaimRoute(route.id, {route.color: 1}, True) for route in board.routes),
    ]
    return {written(action): action for action in actions}


def choices(state: State, seat: int) -> Iterable[KeepTickets]:
    """Every choice among the seat's offered (or kept) tickets and two others."""
    own = (state.offered[seat] or state.tickets[seat])[:4]
    others = [t for t in range(len(state.board.tickets)) if t not in own][:2]
    some = names([*own, *others], state.board)
    return (KeepTickets(c) for n in range(len(some) + 1) for c in combinations(some, n))


def written(action: Command) -> bytes:
    """An action as text, the same for the same cards in any order."""
    return orjson.dumps(action.json, option=orjson.OPT_SORT_KEYS)


def accepted(state: State, seat: int, action: Command) -> bool:
    try:
        decide(state, seat, action)
    except Refused:
        return False
    return True


@on_every_board(6)
def test_9_4_every_listed_action_is_accepted(game):
    """At every eighth position, and wherever a tunnel is open."""
    for state in game.states:
        if state.status == PLAYING and (state.tunnel or state.version % 8 == 0):
            for seat, _ in state.deciding():
                listed = legal_actions(state, seat)
                assert listed
                assert len({written(action) for action in listed}) == len(listed)
                for action in listed:
                    decide(state, seat, action)


FIXED: dict[str, dict[bytes, Command]] = {}  # by board, made when first asked for


def check_exactly_the_listed_are_accepted(state: State) -> None:
    """Try everything, for every seat."""
    board = state.board
    actions = FIXED.get(board.id) or FIXED.setdefault(board.id, fixed(board))
    for seat in state.seats:
        listed = [written(action) for action in legal_actions(state, seat)]
        assert len(set(listed)) == len(listed)
        tried = actions | {written(action): action for action in choices(state, seat)}
        assert set(listed) == {
            text for text, action in tried.items() if accepted(state, seat, action)
        }


@on_every_board(5, moment=moments)
def test_9_4_exactly_the_listed_actions_are_accepted(game, moment):
    check_exactly_the_listed_are_accepted(game.states[moment_of(game, moment) - 1])


@pytest.mark.parametrize(
    ("board", "step"),
    [
        ("europe", "tunnel"),
        ("europe", "second_card"),
        ("paris", "turn"),
        ("london", "keep_tickets"),
    ],
)
def test_9_4_at_every_kind_of_decision_exactly_the_listed_actions_are_accepted(board, step):
    states = [
        state
        for seed in range(3)
        for state in random_game(3, seed, board=BOARDS[board], leaving=0.002).states
        if state.status == PLAYING and state.step == step
    ]
    for state in Random(1).sample(states, 3):
        assert legal_actions(state, state.turn)
        check_exactly_the_listed_are_accepted(state)


@on_every_board(6)
def test_9_4_somebody_has_a_legal_action_until_the_game_is_over(game):
    for state in game.states:
        waits_for = {seat for seat, _ in state.deciding()}
        assert bool(waits_for) == (state.status == PLAYING)
        for seat in state.seats:
            assert bool(legal_actions(state, seat)) == (seat in waits_for)


@on_every_board(6)
def test_9_4_every_seat_in_play_may_resign_and_no_other(game):
    for state in game.states[::5]:
        for seat in state.seats:
            playing = state.status == PLAYING and state.left[seat] is None
            assert accepted(state, seat, Resign()) == playing


@on_every_board(6)
def test_9_5_folding_the_stored_history_gives_every_state_that_was_played(game):
    assert reduce(evolve, map(events_of, game.entries), State(game.board)) == game.state
    for before, after, entry in zip(game.states, game.states[1:], game.entries[1:], strict=False):
        copy = before.copy()
        assert evolve(before, events_of(entry)) == after
        assert before == copy
    assert [entry["version"] for entry in game.entries] == [s.version for s in game.states]


@on_every_board(6)
def test_9_5_a_state_that_is_changed_in_place_becomes_the_next_one_and_changes_no_other(game):
    state, copies = State(game.board), []
    for entry, after in zip(game.entries, game.states, strict=True):
        copies.append((state.copy(), [*vars(state).items()]))
        evolve_from_json(state, entry["events"])
        assert state == after
    for copy, members in copies:
        assert [*vars(copy).items()] == members


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"type": "fold_map"},
        {"type": None},
        {"type": ["passed"]},
        {"type": "passed"},
        {"type": "passed", "seat": 0, "reason": "bored"},
        [],
        "passed",
        None,
        5,
    ],
)
def test_an_event_that_cannot_be_read_is_refused_in_place_in_the_same_words(value):
    with pytest.raises(ValueError) as expected:  # noqa: PT011 (the other function says which)
        event_from_json(value)
    with pytest.raises(ValueError, match=f"^{re.escape(str(expected.value))}$"):
        evolve_from_json(State(USA), [value])


@on_every_board(5, moment=moments, random=randoms)
def test_9_6_secrets_change_nothing_in_the_view_of_others(game, moment, random):
    version = moment_of(game, moment)
    for viewer in (None, *game.state.seats):
        entries = game.entries[:version]
        others = another_world(entries, viewer, random)
        state = State(game.board)
        for real, entry, other in zip(game.states, entries, others, strict=False):
            state = evolve(state, events_of(other))
            shown = redacted(entry, viewer, finished=False)
            assert json.dumps(redacted(other, viewer, finished=False)) == json.dumps(shown)
            assert json.dumps(view(state, viewer, sealed=False)) == json.dumps(
                view(real, viewer, sealed=False)
            )


def words(value: object) -> Iterable[str]:
    """Every text in a JSON value but the ids of routes, which may be those of tickets."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, member in value.items():
            if name != "route":
                yield from words(member)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from words(item)


@on_every_board(6, moment=moments)
def test_9_6_no_secret_of_another_seat_is_in_a_view_or_in_an_entry(game, moment):
    version = moment_of(game, moment)
    entries, state = game.entries[:version], game.states[version - 1]
    for viewer in (None, *state.seats):
        history = [redacted(entry, viewer, finished=False) for entry in entries]
        seen = set(words([view(state, viewer, sealed=False), history]))
        unknown = game.board.ticket_index.keys() - tickets_known(entries, viewer)
        assert not [secret for secret in (state.seed, *unknown) for word in seen if secret in word]
        for entry in history:
            for event in entry["events"]:
                mine = event.get("seat") == viewer
                if event["type"] == "hand_dealt":
                    assert ("cards" in event) == mine
                if event["type"] == "card_drawn" and event["from"] == "deck":
                    assert ("card" in event) == mine
                if event["type"] == "tickets_drawn":
                    assert ("tickets" in event) == mine
                if event["type"] in ("deck_shuffled", "resigned"):
                    assert ("cards" in event) == (event["type"] == "resigned")
                    assert "tickets" not in event


@on_every_board(6)
def test_9_6_once_the_game_is_over_there_are_no_secrets(game):
    shown = [view(game.state, viewer, sealed=False) for viewer in (None, *game.state.seats)]
    assert all(one["seats"] == shown[0]["seats"] for one in shown)
    assert {one["seed"] for one in shown} == {game.state.seed}
    assert all(redacted(entry, None, finished=True) == entry for entry in game.entries)


@on_every_board(10)
def test_9_7_a_game_ends_within_a_bound(game):
    """In 20 000 random games on the USA board the longest took 261, 340, 389, 463 entries with 2,
    3, 4, 5 seats."""
    assert len(game.entries) <= 250 + 55 * len(game.state.seats)


@every_board
def test_9_7_random_games_end_and_use_all_that_the_board_adds(board):
    kinds = set()
    for seed in range(4 * len(board.players)):
        game = random_game(board.players[seed % len(board.players)], seed, board=board)
        assert len(game.entries) <= 250 + 55 * len(game.state.seats)
        kinds |= {event["type"] for entry in game.entries for event in entry["events"]}
    assert ("station_built" in kinds) == ("stations" in board.rules)
    assert ("tunnel_attempted" in kinds) == ("tunnels" in board.rules)
    assert ("flag_completed" in kinds) == ("flags" in board.rules)
    assert ("tickets_removed" in kinds) == (board.refused_at_start == "removed")
