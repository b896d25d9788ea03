"""Files next to a bot never shadow a module of a command."""

import json
import os
import sys
from pathlib import Path

import pytest

from tests.programs import output

pytestmark = pytest.mark.deep

SCRIPT = [str(Path(sys.executable).parent / "fogg")]
MODULE = [sys.executable, "-m", "cli"]  # Python itself would find a cli/ here first
OURS = ("domain", "service", "workers", "fogg_client")
BOT = """
from fogg_client import Bot

class First(Bot):
    def choose(self, view):
        return view["you"]["legal_actions"][0]
"""


PYTHONPATH = os.pathsep.join(filter(None, [".", os.environ.get("PYTHONPATH")]))


@pytest.fixture(
    params=[
        (SCRIPT, ("cli", *OURS), {}),
        (MODULE, OURS, {}),
        (SCRIPT, OURS, {"PYTHONPATH": PYTHONPATH}),
    ],
    ids=["script", "module", "PYTHONPATH=."],
)
def fogg(request, tmp_path):
    """Runs a command in a folder with a bot, and with packages called like ours."""
    command, packages, environment = request.param
    (tmp_path / "my_bot.py").write_text(BOT)
    for package in packages:
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").touch()

    def run(*arguments: str) -> dict:
        return json.loads(
            output(*command, *arguments, "--json", cwd=tmp_path, env=os.environ | environment)
        )

    return run


def test_a_bot_is_tried_beside_packages_of_our_names(fogg):
    trial = fogg(
        "bot",
        "try",
        "my_bot:First",
        "--against",
        "greedy",
        "--games",
        "4",
        "--board",
        "london",
        "--jobs",
        "2",
    )
    assert trial["games"] == 4


def test_a_service_runs_beside_packages_of_our_names(fogg):
    assert fogg("demo", "--board", "london", "--bots", "random,greedy")["actions"] > 0
