"""Old histories live for ever: each still verifies, and still leads to what it led to."""

import json

import pytest

from domain.entry import text_of
from domain.game.proof import Proof, Wrong, check, finished, fold
from domain.game.scoring import results
from domain.game.view import view_with_terms
from tools.histories.__main__ import GAMES
from tools.histories.kept import EXPECTED, FORMER_USA, HERE, LARGEST, expected, led_to, read
from tools.histories.written import BOARDS, BY_DIGEST

NAMES = sorted(expected())


def test_every_board_has_a_history_that_lives_for_ever():
    assert {row["board"] for row in expected().values()} >= BOARDS.keys()
    assert GAMES.keys() <= expected().keys()


@pytest.mark.parametrize("name", NAMES)
def test_a_history_leads_to_what_it_has_always_led_to(name):
    assert led_to(read(name)) == expected()[name]


@pytest.mark.parametrize("name", NAMES)
def test_a_history_folds_to_its_recorded_results_without_the_rules(name):
    state = list(fold(BY_DIGEST, read(name)))[-1]
    assert list(state.results) == expected()[name]["results"]
    if state.results:
        assert results(state) == tuple(state.results)


@pytest.mark.parametrize("name", NAMES)
def test_a_view_of_a_played_state_is_written_like_that_of_the_state_read(name):
    played, entries = Proof(BY_DIGEST), read(name)
    stored = [json.loads(text_of(entry)) for entry in entries]
    for entry, state in zip(entries, fold(BY_DIGEST, stored), strict=True):
        played.add(json.loads(json.dumps(entry), object_pairs_hook=lambda row: dict(row[::-1])))
        for viewer in (None, *state.seats):
            here, there = [
                json.dumps(view_with_terms(each, viewer, sealed=False))
                for each in (played.state, state)
            ]
            assert here == there, state.version


def test_7_4_a_game_keeps_the_ranks_that_its_own_table_gave_it():
    state = list(fold(BY_DIGEST, read("former-usa")))[-1]
    assert state.board.digest == FORMER_USA != BOARDS["usa"].digest
    assert state.board.tie_breaks == ("tickets_completed", "longest_path_length")
    equals = [
        (result["total"], result["tickets_completed"], result["longest_path"])
        for result in state.results
    ]
    assert equals[0] == equals[1] == (-8, 0, 0)
    assert [result["longest_path_length"] for result in state.results][:2] == [10, 25]
    assert [result["rank"] for result in state.results] == [3, 2, 4, 1, 5]
    assert finished(BY_DIGEST, read("former-usa")).wrong is None
    state.board = BOARDS["usa"]
    assert [result["rank"] for result in results(state)] == [2, 2, 4, 1, 5]


def test_kept_histories_are_small():
    assert all(path.stat().st_size <= LARGEST for path in HERE.glob("*.gz"))
    assert {path.name.partition(".")[0] for path in HERE.glob("*.gz")} == set(NAMES)
    assert EXPECTED.stat().st_size < LARGEST


def test_they_hold_all_that_happens_before_a_game_and_every_way_to_leave_one():
    events = [event for name in NAMES for entry in read(name) for event in entry["events"]]
    kinds = {event["type"] for event in events}
    assert kinds >= {
        "seat_taken",
        "seat_left",
        "open_seats_closed",
        "game_aborted",
        "resigned",
        "tunnel_withdrawn",
        "station_built",
        "row_discarded",
        "game_ended",
    }
    assert {event["reason"] for event in events if "reason" in event} >= {
        "aborted",
        "expired",
        "resigned",
        "time",
        "final_turns",
        "one_seat_left",
    }
    timed = [entry for name in NAMES for entry in read(name) if entry.get("timed_out")]
    assert {"action" in entry for entry in timed} == {True, False}


def test_an_entry_that_cannot_be_folded_is_named():
    entries = read("usa")
    entries[3]["events"][0]["type"] = "card_eaten"
    with pytest.raises(Wrong, match="entry 4: cannot be folded"):
        list(fold(BY_DIGEST, entries))


def test_a_history_is_right_up_to_where_it_ends():
    entries = json.loads(json.dumps(read("usa")[:50]))
    assert check(BY_DIGEST, entries).wrong is None
    assert check(BY_DIGEST, entries).version == 50
    assert finished(BY_DIGEST, entries).wrong.code == "unfinished"
