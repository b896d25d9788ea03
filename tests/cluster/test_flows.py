"""The main flows, over a cluster: what is said of one server is said again of six."""

# ruff: noqa: F401, F403

import pytest

from tests.service.accounts.test_players import (
    test_an_account_is_made_once_for_one_key,
    test_several_processes_share_a_limit,
)
from tests.service.games.test_batches import *
from tests.service.games.test_clocks import (
    test_a_pause_of_the_service_costs_no_time,
    test_or_the_service_acts_for_them_once,
)
from tests.service.games.test_invitations import (
    test_an_invitation_expires_once,
    test_an_invited_player_gets_a_notice_and_starts_the_game_by_joining,
)
from tests.service.games.test_life import (
    test_a_creator_starts_with_those_who_are_there,
    test_a_game_is_aborted_by_its_creator_before_the_first_turn,
    test_a_game_is_created_once_for_one_key,
    test_a_rematch_seats_everybody_one_further_once_all_have_asked,
)
from tests.service.games.test_live import (
    test_a_game_has_messages_at_its_beginning_its_moves_and_its_end,
)
from tests.service.games.test_playing import *
from tests.service.games.test_streams import *
from tests.service.games.test_sweep import *
from tests.service.pool.test_pool import (
    pool,
    test_missing_games_of_a_pairing_are_created_by_the_next_sweep,
    test_two_ready_accounts_are_paired_once_and_notified,
)
from tests.service.ratings.test_leaderboards import (
    swept,
    test_a_history_is_paged_and_of_one_board_if_wished,
)
from tests.service.records.test_out_of_redis import (
    leave,
    no_database,
    test_a_finished_game_stays_in_all_lists,
    test_a_key_creates_one_game_also_after_it_has_left,
    test_a_tournament_whose_standings_are_final_is_recorded_and_stays_as_it_was,
    test_notices_of_a_game_come_also_after_it_has_left,
)
from tests.service.statistics.test_board_statistics import (
    played,
    test_a_finished_game_is_counted_with_its_seats_routes_and_tickets,
)
from tests.service.tournaments.test_tournaments import (
    test_a_round_is_paired_played_and_recorded,
    test_a_tournament_starts_by_time,
    test_entrants_and_the_creator_get_notices_of_a_tournament,
    test_indexes_are_made_anew_from_the_histories,
    test_missing_games_of_a_round_are_created_by_the_next_check,
    test_two_directors_at_a_time_create_and_pair_nothing_twice,
)

pytestmark = [pytest.mark.usefixtures("prompt_recorder"), pytest.mark.deep]
