"""docs/rules.md has every rule that the code and the tests name by its number."""

import re
from collections import Counter
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "rules.md").read_text()
RULES = re.findall(r"^\*\*([1-9]\.[1-9])\*\* ", PAGE, re.MULTILINE)
SECTIONS = re.findall(r"^## ([1-9]) ", PAGE, re.MULTILINE)
NUMBER = r"[1-9](?:\.[1-9])?"
NAMED = re.compile(rf"\(({NUMBER}(?:(?:, |-){NUMBER})*)\)")  # as docstrings and comments do
REFUSING = re.compile(r'(?<!=)"([1-9]\.[1-9])"')  # as Refused is given them
TESTED = re.compile(r"def test_([1-9])_([1-9])_")


def sources(*folders: str) -> list[Path]:
    return list(chain.from_iterable(sorted((ROOT / name).rglob("*.py")) for name in folders))


def test_every_rule_has_its_paragraph_in_the_order_of_the_numbers():
    assert set(re.findall(r"\b[1-9]\.[1-9]\b", PAGE)) == set(RULES)
    assert set(re.findall(r"\(section ([1-9])\)", PAGE)) <= set(SECTIONS)
    assert [*map(str, range(1, 10))] == SECTIONS
    counts = Counter(number[0] for number in RULES)
    assert [
        f"{section}.{n}" for section, count in counts.items() for n in range(1, count + 1)
    ] == RULES
    assert [*counts] == SECTIONS[1:]  # the components have none


def test_refusals_name_rules_of_the_page():
    numbers = {
        number
        for path in sources("domain/game", "domain/rules", "service/games")
        for number in REFUSING.findall(path.read_text())
    }
    assert {"2.2", "3.2", "4.4", "5.1", "8.1"} <= numbers <= set(RULES)


def test_comments_about_rules_name_rules_of_the_page():
    for path in sources("domain", "tests/domain"):
        for match in NAMED.finditer(path.read_text()):
            numbers = set(re.findall(NUMBER, match[1]))
            assert numbers <= {*RULES, *SECTIONS}, f"{path}: {match[0]}"


def test_every_rule_is_tested_and_every_test_of_a_rule_has_its_rule():
    tested = {
        ".".join(match.groups())
        for path in sources("tests")
        for match in TESTED.finditer(path.read_text())
    }
    assert tested == set(RULES)
