"""That the worlds of ``worlds.py`` differ in every secret, or 9.6 would be tested with nothing."""

from random import Random

from domain.game import replay
from tests.domain.games import events_of, random_game
from tests.domain.given import USA
from tests.domain.worlds import another_world

SECRETS = ("seed", "deck", "hands", "tickets", "offered", "removed", "ticket_deck")


def test_9_6_other_worlds_differ_in_every_secret_but_the_viewers_own():
    differ = set()
    for seed in range(10):
        game = random_game(3, seed, claiming=0.3, leaving=0.01)
        for version in range(1, len(game.entries), 10):
            other = replay(USA, map(events_of, another_world(
                game.entries[:version], 0, Random(version))))
            real = game.states[version - 1]
            differ |= {name for name in SECRETS if getattr(other, name) != getattr(real, name)}
            assert (other.hands[0], other.tickets[0], other.offered[0]) == (
                real.hands[0], real.tickets[0], real.offered[0])
    assert differ == set(SECRETS)
