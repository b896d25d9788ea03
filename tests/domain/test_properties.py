"""Rules 9.1 to 9.7: what must hold in every position of every game."""

import json
from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.board import Route
from domain.commands import ClaimRoute, Command, DrawCard, DrawTickets, KeepTickets, Pass
from domain.errors import Refused
from domain.game import EVOLVES, decide, evolve, replay
from domain.legal import legal_actions
from domain.rules.scoring import PARTS
from domain.state import FINISHED, PLAYING, State
from domain.view import redacted, view
from tests.domain.games import Game, events_of, random_game
from tests.domain.given import USA, names
from tests.domain.worlds import another_world, tickets_known

games = st.builds(
    random_game,
    seats=st.integers(2, 5),
    seed=st.integers(0, 2**32),
    claiming=st.sampled_from([1, 0.5, 0.1, 0.02, 0]),
    leaving=st.sampled_from([0, 0, 0.004, 0.02, 0.1]),
)
moments = st.floats(0, 1)
randoms = st.integers(0, 2**32).map(Random)


def moment_of(game: Game, moment: float) -> int:
    """A version at which the game was not over, as a part of the whole."""
    return 1 + int(moment * (len(game.states) - 2))


def after_every_event(game: Game) -> Iterable[State]:
    """The states after each event from the first shuffle on, also those inside an entry."""
    state = State(USA)
    for entry in game.entries:
        for event in events_of(entry):
            EVOLVES[type(event)](state, event)
            if state.shuffles:
                yield state


def as_text(value: object) -> str:
    """JSON to compare to the byte."""
    return json.dumps(value)


@given(games)
def test_9_1_the_cards_are_those_of_the_board_after_every_event(game):
    for state in after_every_event(game):
        held = (sum(column) for column in zip(state.discards, *state.hands, strict=True))
        lying = Counter(state.deck) + Counter(state.row)
        assert [n + lying[color] for color, n in enumerate(held)] == list(USA.cards.values())
        assert min(map(min, state.hands)) >= 0
        assert len(state.row) <= 5


@given(games)
def test_9_1_the_row_is_full_and_not_too_wild_while_cards_allow_it(game):
    wild = len(USA.colors) - 1
    for state in game.states:
        if len(state.row) < 5:
            assert not state.deck
            assert not any(state.discards)
        plain = sum(state.discards[:wild]) + sum(c != wild for c in (*state.deck, *state.row))
        assert state.row.count(wild) < 3 or plain < 3


@given(games)
def test_9_2_the_tickets_are_all_there_once_after_every_event(game):
    for state in after_every_event(game):
        held = state.tickets + state.offered + state.refused + state.removed
        assert sorted([*state.ticket_deck, *(t for tickets in held for t in tickets)]) == list(
            range(len(USA.tickets)))


@given(games)
def test_9_2_trains_are_on_the_board_or_left_and_a_route_has_one_owner(game):
    for state in game.states:
        claimed = [route for routes in state.routes for route in routes]
        assert len(claimed) == len(set(claimed))
        for seat in state.seats:
            laid = sum(USA.lengths[route] for route in state.routes[seat])
            assert laid + state.trains[seat] == USA.trains
            assert state.trains[seat] >= 0


@given(games)
def test_4_2_no_double_is_owned_twice_by_one_seat_nor_at_all_with_few_seats(game):
    for seat in game.state.seats:
        taken = game.state.routes if len(game.state.seats) < 4 else [game.state.routes[seat]]
        owned = {route for routes in taken for route in routes}
        assert not any(USA.routes[route].twin in owned for route in owned)


@given(games)
def test_9_3_the_score_during_play_is_that_of_the_routes_and_the_parts_add_up(game):
    for state in game.states:
        assert state.points == tuple(
            sum(USA.points[USA.lengths[route]] for route in routes) for routes in state.routes)
    assert game.state.status == FINISHED
    for points, result in zip(game.state.points, game.state.results, strict=True):
        assert result["routes"] == points
        assert sum(result[part] for part in PARTS) == result["total"]


def payments(route: Route) -> Iterable[dict[str, int]]:
    """Every payment with one colour and wilds of up to eight cards, and a few with two colours."""
    colors = USA.colors[:-1]
    for color in colors:
        for count in range(9):
            for wilds in range(9 - count):
                yield {name: n for name, n in ((color, count), ("wild", wilds)) if n}
    for one, other in combinations(colors, 2):
        yield {one: 1, other: max(1, route.length - 1)}


def written(action: Command) -> str:
    """An action as text, the same for the same cards in any order."""
    return json.dumps(action.json, sort_keys=True)


NO_CLAIMS = [DrawCard("deck"), DrawTickets(), Pass(), *(DrawCard("row", c) for c in USA.colors)]
CLAIMS = [ClaimRoute(route.id, cards) for route in USA.routes for cards in payments(route)]
FIXED = {written(action): action for action in [*NO_CLAIMS, *CLAIMS]}


def universe(state: State, seat: int) -> dict[str, Command]:
    """Every well-formed action as text, but resigning, which is always legal, and of the choices
    of tickets only those of the seat's offered (or kept) ones and of two others."""
    own = (state.offered[seat] or state.tickets[seat])[:3]
    some = names([*own, *[t for t in range(len(USA.tickets)) if t not in own][:2]])
    choices = [c for count in range(len(some) + 1) for c in combinations(some, count)]
    return FIXED | {written(action): action for action in map(KeepTickets, choices)}


def accepted(state: State, seat: int, action: Command) -> bool:
    """Whether the rules let a seat do this."""
    try:
        decide(state, seat, action)
    except Refused:
        return False
    return True


@given(games, moments)
def test_9_4_exactly_the_listed_actions_are_accepted(game, moment):
    state = game.states[moment_of(game, moment) - 1]
    for seat in state.seats:
        listed = [written(action) for action in legal_actions(state, seat)]
        assert len(set(listed)) == len(listed)
        assert set(listed) == {
            text for text, action in universe(state, seat).items() if accepted(state, seat, action)
        }


@given(games)
def test_9_4_somebody_has_a_legal_action_until_the_game_is_over(game):
    for state in game.states:
        waits_for = {seat for seat, _ in state.deciding()}
        assert bool(waits_for) == (state.status == PLAYING)
        for seat in state.seats:
            assert bool(legal_actions(state, seat)) == (seat in waits_for)


@given(games)
def test_9_5_folding_the_stored_history_gives_the_state_that_was_played(game):
    assert replay(USA, map(events_of, game.entries)) == game.state


@given(games)
def test_9_5_every_entry_leads_from_one_state_to_the_next_and_changes_neither(game):
    for before, after, entry in zip(game.states, game.states[1:], game.entries[1:], strict=False):
        copy = before.copy()
        assert evolve(before, events_of(entry)) == after
        assert before == copy
    assert [entry["version"] for entry in game.entries] == [s.version for s in game.states]


@settings(max_examples=15)
@given(games, moments, randoms)
def test_9_6_what_a_viewer_may_not_know_changes_nothing_for_it(game, moment, random):
    version = moment_of(game, moment)
    for viewer in (None, *game.state.seats):
        entries = game.entries[:version]
        others = another_world(entries, viewer, random)
        state = State(USA)
        for real, entry, other in zip(game.states, entries, others, strict=False):
            state = evolve(state, events_of(other))
            shown = redacted(entry, viewer, finished=False)
            assert as_text(redacted(other, viewer, finished=False)) == as_text(shown)
            assert as_text(view(state, viewer)) == as_text(view(real, viewer))


@given(games, moments)
def test_9_6_no_secret_is_anywhere_in_what_a_viewer_sees(game, moment):
    version = moment_of(game, moment)
    entries, state = game.entries[:version], game.states[version - 1]
    for viewer in (None, *state.seats):
        history = [redacted(entry, viewer, finished=False) for entry in entries]
        seen = as_text([view(state, viewer), history])
        unknown = USA.ticket_index.keys() - tickets_known(entries, viewer)
        assert not [secret for secret in (state.seed, *unknown) if secret in seen]


@given(games)
def test_9_6_once_the_game_is_over_there_are_no_secrets(game):
    shown = [view(game.state, viewer) for viewer in (None, *game.state.seats)]
    assert all(one["seats"] == shown[0]["seats"] for one in shown)
    assert {one["seed"] for one in shown} == {game.state.seed}
    assert all(redacted(entry, None, finished=True) == entry for entry in game.entries)


@settings(max_examples=50)
@given(games)
def test_9_7_a_game_ends_within_a_bound(game):
    """In 20 000 random games the longest took 261, 340, 389, 463 entries with 2, 3, 4, 5 seats."""
    assert len(game.entries) <= 250 + 55 * len(game.state.seats)
