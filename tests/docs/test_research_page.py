"""The commands and programs of docs/research.md, as they stand."""

import json
import os
import re
import sys
from pathlib import Path

import pytest
from fogg_client import Client

from cli.recorded.verdicts import verdicts
from tests.programs import output
from tests.waiting import until
from tools.generators.readme import BLOCK, ROOT

pytestmark = pytest.mark.deep

PAGE = ROOT / "docs" / "research.md"
SERVER = "http://127.0.0.1:8000"
FEWER_GAMES = (
    ("--board usa --games 40", "--board paris --games 2 --jobs 1"),
    ("--games 200 --duplicate", "--games 2 --duplicate"),
)


def test_the_commands_of_the_page_run_one_after_the_other(stack, tmp_path):
    """With two games to learn from, and an arena of two short games for each pair."""

    def run(commands: str) -> str:
        for shown, meant in (
            (".venv/bin", str(Path(sys.executable).parent)),
            (SERVER, stack.url),
            ("fogg import", f"fogg import --data {stack.data}"),
            *FEWER_GAMES,
        ):
            commands = commands.replace(shown, meant)
        environment = os.environ | {"FOGG_SERVER": stack.url, "PYTHONPATH": str(ROOT)}
        return output("sh", "-e", input=commands, cwd=tmp_path, env=environment)

    blocks = BLOCK.findall(PAGE.read_text())
    tables, play, bring, download, learn = [text for language, text in blocks if language == "sh"]
    [imitation] = [text for language, text in blocks if language == "python"]
    (tmp_path / "imitation.py").write_text(imitation)
    assert "2 games" in run(play)
    assert "2 of 2 games are new here" in run(bring)
    played = [verdict["game"] for verdict in verdicts([str(tmp_path / "games.ndjson")])]
    until(
        lambda: (
            {*played}
            <= {
                json.loads(line)["game"]
                for line in Client(stack.url).download("/v1/histories")
                if line
            }
        ),
        60,
    )
    run(download)
    run(tables)
    told = run(learn)
    alike = re.match(
        r"\d+ decisions: it would decide alike in (\d+)% of them, "
        r"and in \d+% of \d+ new ones\n",
        told,
    )
    assert int(alike[1]) > 40, told  # chance would in some 13 %
    assert {"imitation.npz", "planner", "greedy", "random"} <= set(told.split())
