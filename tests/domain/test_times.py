"""Times as histories have them."""

import re
from datetime import datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domain.times import Cached, in_ms, is_time
from tools.histories.written import written

MS = timedelta(milliseconds=1)


@pytest.mark.parametrize(
    "at",
    [
        "1970-01-01T00:00:00.000Z",
        "2024-02-29T23:59:59.999Z",
        "2000-03-01T12:00:00.001Z",
        "1969-12-31T23:59:59.999Z",
    ],
)
def test_times_are_read_as_they_are_written(at):
    assert is_time(at)
    assert written(in_ms(at)) == at


@pytest.mark.parametrize(
    "at",
    [
        "2023-02-29T00:00:00.000Z",
        "2024-01-01T24:00:00.000Z",
        "2024-01-01T00:00:00Z",
        "2024-01-01T00:00:00.000+00:00",
        "\u0662024-01-01T00:00:00.000Z",
        "2024-13-01T00:00:00.000Z",
        None,
        5,
        b"2024-01-01T00:00:00.000Z",
        ["2024"],
        {},
    ],
)
def test_a_value_that_is_no_time_is_refused(at):
    assert not is_time(at)
    if not isinstance(at, str):
        with pytest.raises(TypeError):
            in_ms(at)


DATES = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999_000))
FORM = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T"
    r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z"
)


def in_years(moment: datetime) -> str:
    """A moment as histories have it."""
    return f"{moment.isoformat(timespec='milliseconds')}Z"


@given(DATES)
def test_every_time_is_what_the_calendar_makes_of_it(moment):
    at = in_years(moment)
    assert is_time(at)
    assert in_ms(at) == (datetime.fromisoformat(at[:-1]) - datetime(1970, 1, 1)) // MS


@given(DATES, st.integers(0, 23), st.text("0123456789:-.+ TZ\n٢_", max_size=3))
@example(datetime(2016, 12, 31, 23, 59), 17, "60")  # a leap second
@example(datetime(2024, 1, 1), 11, "24")
@example(datetime(2024, 1, 1), 23, "Z\n")
@example(datetime(2024, 1, 1), 20, "00")
@example(datetime(2024, 1, 1), 8, "31")
def test_a_text_is_read_if_it_has_the_form_of_a_time_and_refused_if_not(moment, place, other):
    at = in_years(moment)
    at = at[:place] + other + at[place + len(other) :]
    if FORM.fullmatch(at):
        assert isinstance(in_ms(at), int)
    else:
        assert not is_time(at)
        with pytest.raises(ValueError, match="is no time"):
            in_ms(at)


def test_a_day_that_its_month_does_not_have_is_counted_on():
    assert in_ms("2023-02-30T00:00:00.000Z") == in_ms("2023-03-02T00:00:00.000Z")


@given(st.lists(st.sampled_from(["a", "bb", "ccc", "dddd"])))
def test_a_cache_gives_what_its_function_does_and_never_grows_beyond_its_size(texts):
    cached = Cached(len, 2)
    for text in texts:
        assert cached[text] == len(text)
        assert len(cached) <= 2


def test_a_cache_calls_its_function_once_for_the_same_text():
    texts = []
    cached = Cached(lambda text: texts.append(text) or len(text), 2)
    assert [cached["a"], cached["bb"], cached["a"]] == [1, 2, 1]
    assert texts == ["a", "bb"]


def test_a_cache_keeps_nothing_for_a_text_that_its_function_refuses():
    cached = Cached(in_ms, 2)
    for _ in range(2):
        with pytest.raises(ValueError, match="is no time"):
            cached["soon"]
    assert not cached
