"""The commands of docs/organising.md hold a competition, as they are."""

import csv
import json
import re
import shlex
import subprocess
import sys
from contextlib import ExitStack

import pytest
from click.testing import CliRunner

from cli.commands import fogg
from tools.generators.architecture import ROOT
from tools.generators.bots_page import SERVER

pytestmark = pytest.mark.deep

PAGE = (ROOT / "docs" / "organising.md").read_text()
BLOCK = re.compile(r"^```(.*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ID = "c_0123456789abcdef0123"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("cli.commands.common.stop_on_signals", lambda: None)
    return tmp_path


def run(words: list[str]) -> str:
    """Run a command; return what it prints. Those of Fogg run in this process."""
    if words[0] == ".venv/bin/fogg":
        done = CliRunner().invoke(fogg, words[1:], prog_name="fogg", catch_exceptions=False)
        assert done.exit_code == 0, (words, done.output)
        return done.output
    words = [sys.executable if word == ".venv/bin/python" else word for word in words]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def test_the_page_holds_a_competition(stack, folder, monkeypatch):
    monkeypatch.setenv("FOGG_SERVER", stack.url)
    files = {"text": "rules.txt", "python": "cup_bot.py"}
    cup, printed = ID, list[str]()
    with ExitStack() as processes:
        for kind, text in BLOCK.findall(PAGE):
            if kind in files:
                (folder / files[kind]).write_text(text)
                continue
            for line in text.replace(ID, cup).replace(SERVER, stack.url).splitlines():
                words = shlex.split(line)
                if words[0] == "curl":  # the shell reads the token
                    subprocess.run(line, shell=True, check=True)
                    continue
                if kind == "sh background":
                    running = subprocess.Popen([sys.executable, "-m", "cli", *words[1:]])
                    processes.callback(running.wait)
                    processes.callback(running.terminate)
                    continue
                printed.append(run(words))
                if words[2] == "create":
                    cup = printed[-1].split()[0]
    tournament = json.loads(run([".venv/bin/fogg", "tournament", "results", cup, "--json"]))
    assert (tournament["name"], tournament["ending"]) == ("Saturday's cup", "complete")
    assert [row["entrant"] for row in tournament["reinstated"]] == ["random"]
    assert (folder / "cup.zip").stat().st_size > 0
    rows = list(csv.DictReader((folder / "standings.csv").read_text().splitlines()))
    assert {row["name"] for row in rows} == {"My bot", "greedy", "random"}
    assert {row["state"] for row in rows} == {""}
    verified, compared = printed[-2:]
    assert "3 of 3 games are right" in verified
    assert "No two players shared two or more tables" in compared
