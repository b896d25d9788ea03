"""Trying again after a conflict."""

import pytest

from service.store.conflicts import Conflict, retry


def attempts(*outcomes):
    """Return an attempt that has these outcomes, in order, and the list of those left."""
    left = [*outcomes]

    def attempt():
        outcome = left.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return attempt, left


def test_an_attempt_is_repeated_until_there_is_no_conflict():
    attempt, left = attempts(Conflict(), Conflict(), "done", "never")
    assert retry(attempt) == "done"
    assert left == ["never"]


def test_the_last_attempt_s_conflict_is_raised():
    attempt, left = attempts(*[Conflict()] * 3, "never")
    with pytest.raises(Conflict):
        retry(attempt, tries=3)
    assert left == ["never"]


def test_another_error_ends_the_attempts():
    attempt, left = attempts(KeyError("other"), "never")
    with pytest.raises(KeyError, match="other"):
        retry(attempt)
    assert left == ["never"]
