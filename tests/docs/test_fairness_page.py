"""The checks find, and do not find, exactly the frauds that docs/fairness.md names."""

import pytest

from tools.histories import forgeries


@pytest.fixture(scope="module")
def rows():
    return forgeries.measure()


def test_the_page_says_which_forgeries_a_history_alone_shows(rows):
    page = forgeries.PAGE.read_text()
    assert f"<!-- forgeries -->\n{forgeries.table(rows)}<!-- end -->\n" in page


def test_with_the_log_every_forgery_is_found(rows):
    assert all(row["made"] == row["found_with_log"] > 0 for row in rows)
    assert sum(row["found"] == 0 for row in rows) > 15
