"""Trying again after a conflict."""

import pytest

from service.store.conflicts import Conflict, retry


def attempts(*outcomes):
    """Return what makes these outcomes, one at each attempt, and the list of those to come."""
    left = [*outcomes]

    def attempt():
        outcome = left.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return attempt, left


def test_an_attempt_is_repeated_until_nobody_was_quicker():
    attempt, left = attempts(Conflict(), Conflict(), "done", "never")
    assert retry(attempt) == "done"
    assert left == ["never"]


def test_after_so_many_attempts_the_conflict_is_raised():
    attempt, left = attempts(*[Conflict()] * 3, "never")
    with pytest.raises(Conflict):
        retry(attempt, tries=3)
    assert left == ["never"]


def test_another_error_ends_the_attempts():
    attempt, left = attempts(KeyError("other"), "never")
    with pytest.raises(KeyError, match="other"):
        retry(attempt)
    assert left == ["never"]
