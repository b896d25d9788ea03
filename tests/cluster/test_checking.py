"""Checks and losses, with games and lists on different servers."""

# ruff: noqa: F401
import pytest

from service.eventlog.failovers import Failovers
from tests.service.games.test_rollbacks import (
    test_a_game_that_was_over_and_is_not_is_listed_as_under_way,
)
from tests.service.records.test_checking import (
    check,
    made,
    test_all_is_right,
    test_another_head_is_found,
    test_other_lists_and_deadlines_are_found_and_made_anew,
)


@pytest.fixture
def url(cluster):
    return cluster.url


@pytest.fixture
def lagging():
    """Nothing: what is lost is of one game."""


def test_each_of_the_masters_has_a_life_of_its_own(redis):
    failovers = Failovers(redis, ())
    failovers.check()
    assert len(failovers._runs) == 3
