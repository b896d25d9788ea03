"""Rules and boards as an outside author writes them, to show that a rule is one folder.

Each rule is a folder here, as it would be in ``domain/rules/``, with a small board that has it.
Nothing else in the project knows them.
"""

import json
from pathlib import Path

from domain.board.board import Board
from domain.boards import load_folder, parse
from domain.rules import RULES
from tests.outside import bare, countries, express, freight, mountains, shares, wilds

FOLDER = Path(__file__).parent
MODULES = (mountains, shares, bare, wilds, freight, countries, express)


def load(name: str, **members: object) -> Board:
    """Return the board of a rule, with some members of its table replaced."""
    table = json.loads((FOLDER / name / "board.json").read_text(encoding="utf-8")) | members
    rules = (*RULES, *(module.RULE for module in MODULES))
    return parse(json.dumps(table), is_new=True, rules=rules)


def odd() -> Board:
    """Return Europe with names that objects of JavaScript inherit, or put first."""
    text = json.dumps(load_folder()["europe"].table | {"board": "odd"})
    for old, new in (
        ("purple", "constructor"),
        ("blue", "7"),
        ("white", "__proto__"),
        ("red", "toString"),
        ("cadiz", "constructor"),
        ("amsterdam", "7"),
    ):
        text = text.replace(f'"{old}"', f'"{new}"')
    return parse(text, is_new=True)


BOARDS = {module.RULE.name: load(module.RULE.name) for module in MODULES} | {"odd": odd()}
