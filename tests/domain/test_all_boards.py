"""Rules 9.1 to 9.7 on every board: what must hold in every position of every game."""

import json
from collections.abc import Iterable
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.board import GREY, Board
from domain.commands import (
    BuildStation,
    ClaimRoute,
    Command,
    DrawCard,
    DrawTickets,
    KeepTickets,
    Pass,
    PayTunnel,
    Resign,
    WithdrawTunnel,
)
from domain.errors import Refused
from domain.game import EVOLVES, decide, evolve, replay
from domain.legal import legal_actions
from domain.rules.scoring import PARTS
from domain.state import FINISHED, PLAYING, State
from domain.view import redacted, view
from tests.domain.games import Game, events_of, random_game
from tests.domain.given import BOARDS, cards_in, names
from tests.domain.worlds import tickets_known


@st.composite
def any_game(draw, boards: Iterable[Board] = tuple(BOARDS.values())) -> Game:
    """A random game to its end on some board, at times with resignations."""
    board = draw(st.sampled_from(list(boards)))
    return random_game(
        draw(st.sampled_from(board.players)),
        draw(st.integers(0, 2**32)),
        claiming=draw(st.sampled_from([1, 0.5, 0.1, 0.02])),
        leaving=draw(st.sampled_from([0, 0, 0.004, 0.02])),
        board=board,
    )


games = any_game()
moments = st.floats(0, 1)


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


@given(games)
def test_9_1_the_cards_are_those_of_the_board_after_every_event(game):
    for state in after_every_event(game):
        assert cards_in(state) == list(game.board.cards.values())
        assert min(map(min, state.hands)) >= 0
        assert min(state.discards) >= 0
        assert len(state.row) <= 5


@given(games)
def test_9_1_the_row_is_full_and_not_too_wild_while_cards_allow_it(game):
    wild = len(game.board.colors) - 1
    for state in game.states:
        if len(state.row) < 5:
            assert not state.deck
            assert not any(state.discards)
        plain = sum(state.discards[:wild]) + sum(c != wild for c in (*state.deck, *state.row))
        assert state.row.count(wild) < 3 or plain < 3


@given(games)
def test_9_2_the_tickets_are_all_there_once_after_every_event(game):
    tickets = game.board.tickets
    dealt = False
    for state in after_every_event(game):
        held = state.tickets + state.offered + state.refused + state.removed
        assert sorted([*state.ticket_deck, *state.long_deck, *state.unseen,
                       *(t for seat in held for t in seat)]) == list(range(len(tickets)))
        dealt = dealt or all(state.offered)
        assert not (dealt and any(tickets[t].long for t in state.ticket_deck))


@given(games)
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
            assert len(state.stations[seat]) <= board.stations
            taken = claimed if len(state.seats) in board.doubles_closed_for else state.routes[seat]
            assert not any(board.routes[route].twin in taken for route in taken)


@given(games)
def test_4_5_no_flag_is_whole_between_turns_nor_has_a_colour_twice(game):
    for state in game.states:
        for flag in state.flags:
            assert len(flag) == len(set(flag)) < 3
            assert set(game.board.names(flag)) <= {"blue", "white", "red"}


@given(games)
def test_4_4_a_tunnel_is_open_between_actions_only_while_its_seat_decides(game):
    for state in game.states:
        assert (state.tunnel is not None) == (state.step == "tunnel")
        if state.tunnel:
            assert 0 < state.tunnel.extra <= len(state.tunnel.turned) <= 3


@given(games)
def test_9_3_the_score_during_play_is_that_of_routes_and_flags_and_the_parts_add_up(game):
    board = game.board
    for state in game.states:
        assert all(points % 4 == 0 for points in state.flag_points)
        assert state.points == tuple(
            sum(board.points[board.lengths[route]] for route in routes) + flags
            for routes, flags in zip(state.routes, state.flag_points, strict=True))
    assert game.state.status == FINISHED
    for points, result in zip(game.state.points, game.state.results, strict=True):
        assert result["routes"] + result["flags"] == points
        assert sum(result[part] for part in PARTS) == result["total"]


def sets(board: Board, most: int) -> Iterable[dict[str, int]]:
    """Every set of one colour and wilds of up to so many cards, and some of two colours."""
    for color in board.colors[:-1]:
        for count in range(most + 1):
            for wilds in range(most + 1 - count):
                yield {name: n for name, n in ((color, count), ("wild", wilds)) if n}
    for one, other in combinations(board.colors[:-1], 2):
        for count in range(1, most):
            yield {one: 1, other: count}


def fixed(board: Board, random: Random) -> list[Command]:
    """Well-formed actions that do not depend on the position; claims and stations at some places,
    with every payment."""
    routes = random.sample(board.routes, 12)
    routes += [r for r in board.routes if r.ferry or r.color in ("blue", "white", "red")][:8]
    places = random.sample(board.locations, 4)
    few, many = list(sets(board, 4)), list(sets(board, max(board.lengths) + 1))
    return [
        DrawCard("deck"), DrawTickets(), Pass(), WithdrawTunnel(),
        *(DrawCard("row", color) for color in board.colors),
        *(PayTunnel(cards) for cards in few),
        *(BuildStation(place.id, cards) for place in places for cards in few),
        *(ClaimRoute(route.id, cards, keep) for route in routes for keep in (None, True)
          for cards in (many if route.color == GREY else
                        [c for c in many if not keep or c.keys() & {route.color, "wild"}])),
    ]


def choices(state: State, seat: int) -> Iterable[KeepTickets]:
    """Every choice among the seat's offered (or kept) tickets and two others."""
    own = (state.offered[seat] or state.tickets[seat])[:4]
    others = [t for t in range(len(state.board.tickets)) if t not in own][:2]
    some = names([*own, *others], state.board)
    return (KeepTickets(c) for n in range(len(some) + 1) for c in combinations(some, n))


def written(action: Command) -> str:
    """An action as text, the same for the same cards in any order."""
    return json.dumps(action.json, sort_keys=True)


def accepted(state: State, seat: int, action: Command) -> bool:
    """Whether the rules let a seat do this."""
    try:
        decide(state, seat, action)
    except Refused:
        return False
    return True


@given(games)
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


@settings(max_examples=20)
@given(games, moments, st.integers(0, 2**32).map(Random))
def test_9_4_every_other_well_formed_action_is_refused(game, moment, random):
    state = game.states[moment_of(game, moment) - 1]
    actions = fixed(game.board, random)
    for seat in state.seats:
        listed = {written(action) for action in legal_actions(state, seat)}
        for action in (*actions, *choices(state, seat)):
            assert accepted(state, seat, action) == (written(action) in listed), action


@pytest.mark.parametrize(("board", "step"), [("europe", "tunnel"), ("europe", "second_card"),
                                             ("paris", "turn"), ("london", "keep_tickets")])
def test_9_4_at_every_kind_of_decision_exactly_the_listed_actions_are_accepted(board, step):
    random = Random(1)
    actions = fixed(BOARDS[board], random)
    states = [state for seed in range(3) for state in
              random_game(3, seed, board=BOARDS[board], leaving=0.002).states
              if state.status == PLAYING and state.step == step]
    for state in random.sample(states, 3):
        for seat in state.seats:
            listed = {written(action) for action in legal_actions(state, seat)}
            assert len(listed) > 0 or seat != state.turn
            for action in (*actions, *choices(state, seat)):
                assert accepted(state, seat, action) == (written(action) in listed), action


@given(games)
def test_9_4_every_seat_in_play_may_resign_and_no_other(game):
    for state in game.states[::5]:
        for seat in state.seats:
            playing = state.status == PLAYING and state.left[seat] is None
            assert accepted(state, seat, Resign()) == playing


@given(games)
def test_9_5_folding_the_stored_history_gives_every_state_that_was_played(game):
    assert replay(game.board, map(events_of, game.entries)) == game.state
    for before, after, entry in zip(game.states, game.states[1:], game.entries[1:], strict=False):
        copy = before.copy()
        assert evolve(before, events_of(entry)) == after
        assert before == copy


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


@given(games, moments)
def test_9_6_no_secret_of_another_seat_is_in_a_view_or_in_an_entry(game, moment):
    version = moment_of(game, moment)
    entries, state = game.entries[:version], game.states[version - 1]
    for viewer in (None, *state.seats):
        history = [redacted(entry, viewer, finished=False) for entry in entries]
        seen = set(words([view(state, viewer), history]))
        unknown = game.board.ticket_index.keys() - tickets_known(entries, viewer)
        assert seen.isdisjoint({state.seed, *unknown})
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


@given(games, moments)
def test_9_6_the_hands_of_others_change_nothing_in_a_view(game, moment):
    state = game.states[moment_of(game, moment) - 1]
    for viewer in (None, *state.seats):
        other = state.copy()
        other.deck = bytes(reversed(state.deck))
        other.ticket_deck, other.unseen = state.ticket_deck[::-1], state.unseen[::-1]
        other.hands = tuple(
            hand if seat == viewer else (*hand[1:], hand[0])
            for seat, hand in enumerate(state.hands))
        assert view(other, viewer) == view(state, viewer)


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
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
