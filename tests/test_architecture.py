"""Imports run domain <- service and domain <- workers; only the command line joins the two."""

import ast
import json
import sys
from pathlib import Path

import pytest

from domain import board, events
from domain.game import DECIDES, EVOLVES
from service import bots
from workers.bots import BOTS

ROOT = Path(__file__).parents[1]
MAY_IMPORT = {
    "domain": {"domain"}, "service": {"domain", "service"}, "workers": {"domain", "workers"},
}
DOMAIN_NEEDS = {"networkx", "openskill"}
WORKERS = ROOT / "workers"
COPIED = ("client.py", "bot.py", "run.py")
JOINS_THEM = ROOT / "service" / "cli"


def imported(path: Path) -> set[str]:
    """The top-level names of all modules that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module.split(".")[0])
    return names


def files_of(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_imports_only_what_lies_below_it(room):
    for path in files_of(room):
        ours = imported(path) & MAY_IMPORT.keys()
        allowed = MAY_IMPORT[room] | ({"workers"} if JOINS_THEM in path.parents else set())
        assert ours <= allowed, f"{path} imports {ours - allowed}"


def test_what_is_meant_to_be_copied_needs_nothing_of_ours_but_its_neighbours():
    for path in (*map(WORKERS.joinpath, COPIED), *(WORKERS / "bots").rglob("*.py")):
        assert imported(path) & MAY_IMPORT.keys() <= {"workers"}, path
    assert imported(WORKERS / "client.py") - sys.stdlib_module_names == {"urllib3"}


def test_the_domain_needs_nothing_but_python_networkx_and_openskill():
    for path in files_of("domain"):
        foreign = imported(path) - sys.stdlib_module_names - {"domain"}
        assert foreign <= DOMAIN_NEEDS, f"{path} imports {foreign}"


def test_the_domain_knows_no_clock_no_randomness_and_no_network():
    for path in files_of("domain"):
        assert not imported(path) & {"random", "secrets", "time", "datetime", "socket", "os"}, path


def test_no_rule_asks_which_board_it_is_on():
    ids = [json.loads(path.read_text())["board"] for path in board.FOLDER.glob("*.json")]
    for path in files_of("domain"):
        text = path.read_text()
        assert not [name for name in ids if f'"{name}"' in text], path


def test_every_event_has_one_change_and_every_action_one_rule():
    assert set(EVOLVES) == set(events.EVENTS.values())
    from domain.commands import ACTIONS

    assert set(ACTIONS.values()) <= set(DECIDES)


def test_the_bots_that_the_service_offers_are_those_that_the_workers_play():
    assert list(bots.BOTS) == list(BOTS)
