"""docs/errors.md lists what the service can answer with."""

import re

import pytest

from service.api.problems import PROBLEMS
from tests.generators import errors_page
from tests.generators.errors_page import PAGE, codes, names, written

TEXT = PAGE.read_text()


def test_the_page_is_up_to_date():
    assert written(TEXT) == TEXT, "run python -m tests.generators.errors_page"


def test_every_code_has_a_row_with_a_sentence():
    rows = re.findall(r"^\| `([a-z-]+)` \| .*? \| (.+) \|$", TEXT, re.MULTILINE)
    assert [code for code, _ in rows] == [code for _, code in codes()]
    assert sorted({code for code, _ in rows}) == names()


def test_every_status_with_a_title_of_ours_has_codes():
    assert set(PROBLEMS) - {status for status, _ in codes()} == {406}  # no code answers with it


def test_an_error_whose_code_cannot_be_read_from_the_source_is_reported(tmp_path, monkeypatch):
    source = tmp_path / "raising.py"
    source.write_text("raise Refused(some_code(), None, 'no')")
    monkeypatch.setattr(errors_page, "ROOT", tmp_path)
    monkeypatch.setattr(errors_page, "SOURCES", [source])
    with pytest.raises(ValueError, match=r"^raising.py:1: add the values of some_code"):
        list(errors_page._of_calls())
