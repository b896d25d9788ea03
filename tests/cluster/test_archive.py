"""Finished games leave a cluster for the archive as they leave one server."""

# ruff: noqa: F401
from tests.service.projections.test_archiving import (
    store,
    test_a_redis_that_has_lost_everything_learns_of_archived_games_again,
    test_games_go_when_they_are_old_and_can_be_read_as_before,
    test_one_run_at_a_time,
    test_the_oldest_games_go_sooner_once_finished_games_take_too_much_memory,
    test_what_nobody_ever_played_is_forgotten_wholly,
)
