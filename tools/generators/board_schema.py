"""docs/board.schema.json: the common members of all tables, and the members of each rule.

``python -m tools.generators.board_schema`` writes it.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from domain.board.reading import ENTRIES, LETTERS, OFFERED, WILDS
from domain.rules import RULES
from domain.rules.rule import Rule

PAGE = Path(__file__).parents[2] / "docs" / "board.schema.json"
BASE = Path(__file__).with_name("board_schema_base.json")


def schema(rules: Iterable[Rule] = RULES) -> dict:
    """The JSON Schema of the tables of boards that may name these rules."""
    rules, described = [*rules], json.loads(BASE.read_text())
    members = described["properties"]
    members["rules"]["items"]["enum"] = [rule.name for rule in rules if not rule.common]
    members["tie_breaks"]["items"]["enum"] = [
        number.name for rule in rules for number in rule.numbers if number.breaks_ties
    ]
    for name, most in ENTRIES.items():
        members[name]["maxProperties" if name == "cards" else "maxItems"] = most
    members["cards"] |= {
        "propertyNames": {"maxLength": LETTERS},
        "properties": {"wild": {"type": "integer", "minimum": 1, "maximum": WILDS}},
    }
    members["locations"]["items"]["properties"]["id"]["maxLength"] = LETTERS
    for name in ("tickets_at_start", "tickets_on_a_turn"):
        members[name]["properties"]["deal"]["maximum"] = OFFERED
    for part, where in (
        (members, "members"),
        (members["locations"], "location"),
        (members["routes"], "route"),
        (members["tickets"], "ticket"),
    ):
        known = part if where == "members" else part["items"]["properties"]
        known |= {
            name: shape.schema
            for rule in rules
            for name, shape in getattr(rule.table, where).items()
        }
    return described


def written() -> str:
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PAGE.write_text(written())
