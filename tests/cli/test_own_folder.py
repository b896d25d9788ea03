"""Modules next to a bot are the bot's own: no command imports them, and their names are free."""

import json
import os
import sys
from pathlib import Path

import pytest

from tests.programs import output

SCRIPT = [str(Path(sys.executable).parent / "fogg")]
MODULE = [sys.executable, "-m", "cli"]  # Python itself would find a cli/ here first
BOT = """
import service, workers
from domain.planning import first
from fogg_client import Bot

class First(Bot):
    def choose(self, view):
        print("I choose")
        return first(view) if service.is_here and workers.are_here else None
"""
MODULES = {
    "my_bot.py": BOT,
    "domain/planning.py": "def first(view):\n    return view['you']['legal_actions'][0]\n",
    "service.py": "is_here = True\n",
    "workers.py": "are_here = True\n",
    "fogg_client/__init__.py": "",
    "json.py": "",
}
PYTHONPATH = os.pathsep.join(filter(None, [".", os.environ.get("PYTHONPATH")]))


@pytest.fixture(
    params=[
        (SCRIPT, MODULES | {"cli/__init__.py": ""}, {}),
        pytest.param((MODULE, MODULES, {}), marks=pytest.mark.deep),
        pytest.param((SCRIPT, MODULES, {"PYTHONPATH": PYTHONPATH}), marks=pytest.mark.deep),
    ],
    ids=["script", "module", "PYTHONPATH=."],
)
def fogg(request, tmp_path):
    """Runs a command in a folder with a bot, whose modules are called like ours. It returns the
    lines of JSON that the command prints."""
    command, modules, environment = request.param
    for name, source in modules.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(source)

    def run(*arguments: str) -> list[dict]:
        words = [*command, *arguments, "--json"]
        told = output(*words, cwd=tmp_path, env=os.environ | environment)
        return [json.loads(line) for line in told.splitlines()]

    return run


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.deep)])
@pytest.mark.parametrize(
    "words",
    [["bot", "try", "my_bot:First", "--against", "greedy"], ["arena", "my_bot:First", "greedy"]],
    ids=lambda words: words[0],
)
def test_a_bot_plays_beside_modules_of_our_names(fogg, words, jobs):
    [shown] = fogg(*words, "--games", "4", "--board", "london", "--jobs", str(jobs))
    assert shown["games"] == 4
    assert shown.get("faults", []) == []


def test_a_bot_is_run_beside_modules_of_our_names(fogg, stack):
    where = ["--server", stack.url, "--against", "random", "--board", "london"]
    *_, last = fogg("bot", "run", "my_bot:First", *where, "--games", "2", "--at-once", "2")
    assert (last["games"], last["faults"]) == (2, 0)


@pytest.mark.deep
def test_a_service_runs_beside_modules_of_our_names(fogg):
    [shown] = fogg("demo", "--board", "london", "--bots", "random,greedy")
    assert shown["actions"] > 0
