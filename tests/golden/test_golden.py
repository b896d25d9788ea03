"""The golden game: it replays, everybody sees of it what they saw, and its rules still hold."""

from functools import reduce

from domain.game.fold import decide, evolve
from domain.game.state import FINISHED, State
from domain.rules import action_from_json
from tests.domain.games import events_of, stored
from tests.domain.given import USA, creation
from tools.golden import HISTORY, VIEWS, read, views


def test_9_5_the_golden_game_replays_to_its_end():
    state = reduce(evolve, map(events_of, read(HISTORY)), State(USA))
    assert state.status == FINISHED
    assert [result["total"] for result in state.results] == [106, 107, 76]


def test_9_5_every_viewer_sees_at_every_version_of_the_golden_game_what_it_saw():
    recorded = read(VIEWS)
    for line, was in zip(views(read(HISTORY)), recorded, strict=True):
        assert line == was


def test_the_rules_lead_from_the_golden_actions_to_the_golden_events():
    first, *entries = read(HISTORY)
    state = evolve(State(USA), events_of(first))
    creating = creation(3, seed=bytes.fromhex(state.seed), first_seat=None)
    assert stored(1, None, creating, decide(State(USA), None, creating)) == first
    for entry in entries:
        seat, action = entry["seat"], action_from_json(entry["action"])
        assert stored(entry["version"], seat, action, decide(state, seat, action)) == entry
        state = evolve(state, events_of(entry))
