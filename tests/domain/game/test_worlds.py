"""That the worlds of ``worlds.py`` differ in every secret, or 9.6 would be tested with nothing."""

from functools import reduce
from random import Random

import pytest

from domain.game.fold import evolve
from domain.game.state import State
from tests.domain.games import events_of, random_game
from tests.domain.given import BOARDS, cards_in
from tests.domain.worlds import another_world

SECRETS = {"seed", "deck", "hands", "tickets", "offered", "refused", "removed", "ticket_deck"}
OPEN = (
    "discards",
    "row",
    "tunnel",
    "stations",
    "flags",
    "routes",
    "trains",
    "points",
    "turn",
    "step",
    "passes",
    "final",
    "left",
    "leavers",
    "open",
    "closed",
)
SAMPLES = 10


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_9_6_other_worlds_differ_in_every_secret_but_the_viewers_own(board):
    differ, kinds = set(), set()
    unseen = {"unseen"} if board.refused_at_start == "removed" else set()
    for seed in range(4):
        game = random_game(3, seed, claiming=0.3, leaving=0.01, board=board)
        versions = range(5, len(game.entries), max(1, len(game.entries) // SAMPLES))
        for version in (1, 2, 3, 4, *versions):
            entries = game.entries[:version]
            world = another_world(entries, 0, Random(version))
            other = reduce(evolve, map(events_of, world), State(board))
            real = game.states[version - 1]
            differ |= {
                name for name in SECRETS | unseen if getattr(other, name) != getattr(real, name)
            }
            for name in ("hands", "tickets", "offered", "refused", "removed"):
                assert getattr(other, name)[0] == getattr(real, name)[0]
            for name in OPEN:
                assert getattr(other, name) == getattr(real, name)
            kinds |= {event["type"] for entry in entries for event in entry["events"]}
    assert differ == SECRETS | unseen
    assert kinds >= {
        f"tunnel_{what}"
        for what in ("attempted", "card_turned", "withdrawn")
        if "tunnels" in board.rules
    }
    assert ("station_built" in kinds) == ("stations" in board.rules)
    assert ("flag_completed" in kinds) == ("flags" in board.rules)


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_9_6_another_world_has_all_the_cards_and_tickets_and_lets_long_ones_be_long(board):
    game = random_game(3, 1, leaving=0.01, board=board)
    for version in range(1, len(game.entries), max(1, len(game.entries) // SAMPLES)):
        world = another_world(game.entries[:version], 1, Random(1))
        state = reduce(evolve, map(events_of, world), State(board))
        assert cards_in(state) == list(board.cards.values())
        held = state.tickets + state.offered + state.refused + state.removed
        assert sorted(
            [*state.ticket_deck, *state.unseen, *(t for seat in held for t in seat)]
        ) == list(range(len(board.tickets)))
        assert not any(board.tickets[t].long for t in state.ticket_deck)
