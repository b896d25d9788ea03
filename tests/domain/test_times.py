"""Times as histories have them."""

import pytest

from domain.times import in_ms, is_time
from tests.histories.written import written


@pytest.mark.parametrize("at", ["1970-01-01T00:00:00.000Z", "2024-02-29T23:59:59.999Z",
                                "2000-03-01T12:00:00.001Z", "1969-12-31T23:59:59.999Z"])
def test_times_are_read_as_they_are_written(at):
    assert is_time(at)
    assert written(in_ms(at)) == at


@pytest.mark.parametrize("at", ["2023-02-29T00:00:00.000Z", "2024-01-01T24:00:00.000Z", 5, None,
                                "2024-01-01T00:00:00Z", "2024-01-01T00:00:00.000+00:00",
                                "\u0662024-01-01T00:00:00.000Z", "2024-13-01T00:00:00.000Z"])
def test_what_is_no_time_is_none(at):
    assert not is_time(at)
