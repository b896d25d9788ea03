"""Counting from entries how long seats took to decide."""

from math import log10

from hypothesis import given
from hypothesis import strategies as st

from domain.game.pace import TIMED_OUT, counted, pace_after
from service.times import as_time

START = 1_790_000_000_000
CENTURIES = 2_000 * 365 * 86_400_000  # milliseconds


@given(
    st.lists(
        st.tuples(
            st.integers(0, 4),
            st.integers(0, 10**7) | st.integers(0, CENTURIES),
            st.booleans(),
            st.sampled_from(["pass", "resign", "timed_out"]),
        )
    )
)
def test_every_decision_is_counted_by_how_long_it_took(decisions):
    pace, expected, since = b"", {}, {seat: (1, as_time(START)) for seat in range(4)}
    for seat, took, is_timed, kind in decisions:
        at = as_time(START + took)
        entry = {"seat": seat, "at": at, "action": {"type": kind}, "events": []}
        if is_timed:
            entry |= {"at": as_time(START + took + 7), "available": as_time(START), "arrived": at}
        if kind == "timed_out":
            entry |= {"available": as_time(START), "timed_out": True}
            del entry["action"]
        pace = pace_after(pace, since, entry)
        if kind != "resign" and seat in since:
            place = TIMED_OUT if kind == "timed_out" else round(10 * log10(max(took, 1)))
            counts = expected.setdefault(seat, {})
            counts[place] = counts.get(place, 0) + 1
    for seat in range(5):
        assert counted(pace, seat) == expected.get(seat, {})


def test_an_entry_of_no_seat_is_no_decision():
    assert pace_after(b"", {0: (1, as_time(START))}, {"at": as_time(START), "events": []}) == b""


def test_the_longest_time_that_can_be_written_has_a_place_of_its_own():
    since = {0: (1, "0001-01-01T00:00:00.000Z")}
    entry = {"seat": 0, "at": "9999-12-31T23:59:59.999Z", "action": {"type": "pass"}, "events": []}
    seat, place = pace_after(b"", since, entry)
    assert seat == 0
    assert place < 150 < TIMED_OUT
