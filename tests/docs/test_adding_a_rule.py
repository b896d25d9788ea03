"""The recipe for adding a rule in docs/architecture.md, followed in a copy of the project: the
generated files can still be made."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from tests.outside import FOLDER, MODULES
from tests.programs import output

pytestmark = pytest.mark.deep
ROOT = Path(__file__).parents[2]
COPIED = ("domain", "service", "cli", "workers", "client", "docs", "tests", "tools", "benchmarks")
LEFT_OUT = shutil.ignore_patterns(
    "node_modules", ".venv", "__pycache__", "*.gz", "*.png", "openapi_generator", "typescript"
)
# `make openapi`, but for the text of openapi.yaml, which takes half a minute to write
MAKE = """
import json
from tools.generators import board_schema, client_types, committed, events_page, openapi
committed.FILE.write_text(json.dumps(openapi.described({})))  # JSON is YAML
print(json.dumps({"spec": committed.description()["components"]["schemas"],
                  "types": client_types.written(), "table": json.loads(board_schema.written()),
                  "events": events_page.written(events_page.PAGE.read_text())}))
"""


def generated_in(copy: Path) -> dict:
    """Return the generated files of a project to which the rules of tests/outside were added."""
    for name in COPIED:
        shutil.copytree(ROOT / name, copy / name, ignore=LEFT_OUT)
    shutil.copy(ROOT / "openapi.yaml", copy)
    rules = copy / "domain" / "rules"
    listed = (rules / "__init__.py").read_text()
    for module in MODULES:
        name = module.RULE.name
        shutil.copytree(FOLDER / name, rules / name)
        listed = listed.replace("    longest_path,\n", f"    longest_path,\n    {name},\n")
        listed = listed.replace("    flags.RULE,\n", f"    flags.RULE,\n    {name}.RULE,\n")
    (rules / "__init__.py").write_text(listed)
    return json.loads(output(sys.executable, "-c", MAKE, cwd=copy, timeout=240))


def test_members_events_and_actions_that_rules_add_are_in_all_generated_files(tmp_path):
    made = generated_in(tmp_path)
    route, board = (made["spec"][name]["properties"] for name in ("Route", "Board"))
    assert route["mountains"]["type"] == "integer"
    assert (route["lines"]["type"], route["lines"]["items"]["type"]) == ("array", "string")
    assert made["spec"]["Ticket"]["properties"]["countries"]["type"] == "object"
    assert board["shares"]["additionalProperties"]["type"] == "integer"
    assert made["spec"]["Seat"]["properties"]["crossed"]["type"] == "integer"
    for member in (
        "    mountains: NotRequired[int]\n",
        "    lines: NotRequired[list[str]]\n",
        "    shares: NotRequired[dict[str, int]]\n",
        "class TakeShareAction(TypedDict)",
    ):
        assert member in made["types"]
    assert "TakeShareAction" in made["spec"]
    for event in ("mountains_crossed", "share_dealt", "share_offered", "share_taken"):
        assert f"| **`{event}`** |" in made["events"]
        assert f'{{"type": "{event}", ' in made["events"]
    assert made["table"]["properties"]["shares"]["additionalProperties"]["minimum"] == 1
    tickets = made["table"]["properties"]["tickets"]["items"]["properties"]
    assert tickets["countries"]["additionalProperties"]["minimum"] == 1
    route = made["table"]["properties"]["routes"]["items"]["properties"]
    assert route["lines"]["type"] == "array"
    assert {"mountains", "shares"} <= set(made["table"]["properties"]["rules"]["items"]["enum"])
