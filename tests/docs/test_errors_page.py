"""docs/errors.md lists what the service can answer with."""

import re

import pytest

from service.http.problems import PROBLEMS
from tools.generators import errors_page
from tools.generators.committed import description
from tools.generators.errors_page import PAGE, codes, names, of_operations
from tools.generators.openapi import operations

TEXT = PAGE.read_text()


def test_every_code_has_a_row_with_a_sentence():
    rows = re.findall(r"^\| (\d{3}) \| `([a-z-]+)` \| .*? \| .+ \|$", TEXT, re.MULTILINE)
    assert [(int(status), code) for status, code in rows] == [*codes()]
    assert sorted({code for _, code in rows}) == names()
    assert set(PROBLEMS) - {status for status, _ in codes()} == {406}  # no code answers with it


def test_every_operation_with_404_or_409_has_codes_for_it():
    described = {
        operation["operationId"]: {
            int(status) for status in operation["responses"] if status in ("404", "409")
        }
        for _, operation in operations(description())
    }
    listed = {name: set(statuses) for name, statuses in of_operations().items()}
    assert {name: statuses for name, statuses in described.items() if statuses} == listed


def test_every_code_of_404_and_409_is_one_of_some_operation():
    listed = {
        (status, code)
        for statuses in of_operations().values()
        for status, these in statuses.items()
        for code in these
    }
    internal = {
        (409, "already-recorded"),
        (409, "round-not-due"),
        (409, "round-not-over"),
        (409, "tournament-not-running"),
    }  # only between the service and itself
    nowhere = {(404, "not-found")}  # there is no operation at this path
    assert {key for key in codes() if key[0] in (404, 409)} == listed | internal | nowhere


def test_an_error_whose_code_cannot_be_read_from_the_source_is_reported(tmp_path, monkeypatch):
    source = tmp_path / "raising.py"
    source.write_text("raise Refused(some_code(), None, 'no')")
    monkeypatch.setattr(errors_page, "ROOT", tmp_path)
    monkeypatch.setattr(errors_page, "SOURCES", [source])
    with pytest.raises(ValueError, match=r"^raising.py:1: add the values of some_code"):
        list(errors_page._of_calls())
