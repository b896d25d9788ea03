"""The commands and programs of docs/research.md, as they stand."""

import os
import re
import sys
from pathlib import Path

import pytest

from tests.programs import output
from tools.generators.readme import BLOCK, ROOT

pytestmark = pytest.mark.deep

PAGE = ROOT / "docs" / "research.md"
SERVER = "http://127.0.0.1:8000"
FEWER_GAMES = "--board usa --games 40", "--board paris --games 2 --jobs 1"
TOURNAMENT = re.compile(r"c_[0-9a-f]{20}")


def test_the_commands_of_the_page_run_one_after_the_other(stack, tmp_path):
    """With one game to learn from, and an arena of two short games for each pair."""
    def run(commands: str) -> str:
        for shown, meant in ((".venv/bin", str(Path(sys.executable).parent)), (SERVER, stack.url),
                             ("--rounds 100", "--rounds 1"), FEWER_GAMES):
            commands = commands.replace(shown, meant)
        environment = os.environ | {"FOGG_SERVER": stack.url, "PYTHONPATH": str(ROOT)}
        return output("sh", "-e", input=commands, cwd=tmp_path, env=environment)

    blocks = BLOCK.findall(PAGE.read_text())
    tables, play, download, export, learn = [text for language, text in blocks if language == "sh"]
    favourite, imitation = [text for language, text in blocks if language == "python"]
    (tmp_path / "favourite.py").write_text(favourite)
    (tmp_path / "imitation.py").write_text(imitation)
    create, watch = play.splitlines()
    [tournament] = TOURNAMENT.findall(run(create))
    run(TOURNAMENT.sub(tournament, watch))
    run(download)
    run(export)
    run(tables)
    assert re.fullmatch(r"The favourite won \d+ of \d+ games\.\n",
                        run(".venv/bin/python favourite.py"))
    told = run(learn)
    alike = re.match(r"\d+ decisions: it would decide alike in (\d+)% of them, "
                     r"and in \d+% of \d+ new ones\n", told)
    assert int(alike[1]) > 40, told  # chance would in some 13 %
    assert {"imitation.npz", "planner", "greedy", "random"} <= set(told.split())
