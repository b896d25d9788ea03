"""What docs/fairness.md says is found, and not found, is what comes out."""

import pytest

from tests.histories import forgeries


@pytest.fixture(scope="module")
def rows():
    return forgeries.measure()


def test_the_page_says_which_forgeries_a_history_alone_shows(rows):
    page = forgeries.PAGE.read_text()
    assert forgeries.START + forgeries.table(rows) + forgeries.END in page


def test_with_the_log_every_forgery_is_found(rows):
    assert all(row["made"] == row["found_with_log"] > 0 for row in rows)
    assert sum(row["found"] == 0 for row in rows) > 15
