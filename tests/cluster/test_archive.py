"""Finished games leave a cluster for the archive as they leave one server."""

# ruff: noqa: F401
from tests.service.projections.test_archiving import (
    store,
    test_a_game_that_nobody_has_played_is_removed,
    test_a_redis_that_has_lost_everything_learns_of_archived_games_again,
    test_games_go_when_they_are_old_and_can_be_read_as_before,
    test_one_run_at_a_time,
    test_the_oldest_games_go_sooner_once_finished_games_take_too_much_memory,
)
from tests.service.projections.test_shelves import (
    archive,
    small,
    test_a_game_in_a_page_is_counted_once,
    test_a_late_game_is_counted_in_its_place,
    test_a_rebuild_loses_no_game_that_went_to_the_archive_meanwhile,
    test_ratings_are_read_from_pages_as_from_redis,
)
