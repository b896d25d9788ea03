"""What a crash left undone."""

import pytest

from service.api.serving import services
from service.operation.sweep import FORGOTTEN, sweep
from service.times import now_in_ms

GAME = "g_" + 20 * "0"


@pytest.fixture
def games(app):
    return services(app).games


def test_what_was_announced_and_never_created_is_forgotten_after_a_while(games, redis):
    redis.zadd("games:lobby", {GAME: now_in_ms() - FORGOTTEN // 2})
    sweep(games)
    assert redis.zscore("games:lobby", GAME)
    redis.zadd("games:lobby", {GAME: now_in_ms() - 2 * FORGOTTEN})
    sweep(games)
    assert redis.zscore("games:lobby", GAME) is None
