"""The tables and views on docs/database.md are those of the code."""

from tools.generators.database_page import PAGE, written


def test_the_page_is_up_to_date():
    text = PAGE.read_text()
    assert written(text) == text, "run python -m tools.generators.database_page"
