"""The mutants fit the rules as they are now, and the search for differences works."""

from __future__ import annotations

from tests.simulator.mutants import MUTANTS, Mutant, is_found, path


def test_each_mutant_changes_a_place_of_its_own_in_the_rules():
    assert len(set(MUTANTS)) == len(MUTANTS) >= 30
    for mutant in MUTANTS:
        assert path(mutant).read_text().count(mutant.text) == 1, mutant
        assert mutant.text != mutant.becomes


def test_every_file_of_rules_has_a_mutant():
    helpers = {"__init__.py", "legal.py", "outcomes.py", "paying.py"}
    rules = {file.name for file in path(MUTANTS[0]).parent.glob("*.py")}
    assert {path(mutant).name for mutant in MUTANTS} == rules - helpers


def test_a_mutant_is_found():
    assert is_found(Mutant("flags", "POINTS = 4", "POINTS = 5"))
