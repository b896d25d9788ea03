"""``fogg bot new``: each starter is built, tried and run by the commands of its README."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli.commands.bots import STARTERS
from tests.cli.inside import files_of_at_most, run
from tests.programs import output
from tools.generators.bots_page import block
from tools.packages import MODULES, NODE, NPM

NEEDS = {"python": "python3", "typescript": "node", "c": "cc", "java": "javac", "rust": "cargo"}
MORE = {"--games 20": "--seed 1 --json", "--token-file": "--board london"}  # options of commands


@pytest.fixture
def environment(tmp_path) -> dict[str, str]:
    """The environment of a user who has `fogg`, and Node of the version that READMEs name."""
    fogg = tmp_path / "bin" / "fogg"
    fogg.parent.mkdir()
    fogg.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cli "$@"\n')
    fogg.chmod(0o755)
    return os.environ | {"PATH": f"{fogg.parent}:{NODE}/bin:{os.environ['PATH']}"}


def made(folder: Path, language: str) -> Path:
    """A new bot's folder."""
    done = run("bot", "new", folder / "my-bot", "--language", language)
    assert done.returncode == 0, done.stderr
    return folder / "my-bot"


def test_there_is_a_starter_for_each_language_of_at_most_60_lines():
    folders = {path.name: path for path in STARTERS.iterdir()}
    assert folders.keys() == NEEDS.keys()
    for folder in folders.values():
        listed = output("git", "ls-files", folder, cwd=folder).split()
        assert sum(len((folder / name).read_text().splitlines()) for name in listed) <= 60, folder


def test_the_page_on_bots_shows_the_steps_that_the_command_prints(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    activated, new, *steps = block("sh", "bot new").splitlines()
    assert activated == ". .venv/bin/activate"
    done = run(*new.split()[1:])
    assert done.stdout.splitlines()[2:] == [f"    {step}" for step in steps]


@pytest.mark.parametrize(
    "language",
    [
        "python",
        "c",
        *(pytest.param(name, marks=pytest.mark.deep) for name in ("typescript", "java", "rust")),
    ],
)
def test_a_new_bot_is_built_tried_and_run_as_its_readme_says(
    stack, tmp_path, environment, language
):
    if not shutil.which(NEEDS[language], path=environment["PATH"]):
        pytest.skip(f"NOT TESTED, there is no {NEEDS[language]}")
    folder = made(tmp_path, language)
    commands = "\n".join(re.findall(r"^    (.*)$", (folder / "README.md").read_text(), re.M))
    for option, more in MORE.items():
        assert option in commands
        commands = commands.replace(option, f"{more} {option}")
    told = output(
        "sh", "-ec", commands, cwd=folder, timeout=250, env=environment | {"FOGG_SERVER": stack.url}
    )
    assert int(re.search(r'"wins": (\d+)', told)[1]) > 15
    assert re.search(r"on london: .*My bot -?\d+.*; (1|0|0.5) of 1 won$", told, re.M), told
    unknown = output("git", "ls-files", "--others", "--exclude-standard", cwd=folder).split()
    built = {"Cargo.lock"} if language == "rust" else set()  # the token is ignored
    assert {*unknown} == {*output("git", "ls-files", cwd=STARTERS / language).split()} | built


def test_a_node_that_is_too_old_for_typescript_says_so_in_one_line(tmp_path, environment):
    folder = made(tmp_path, "typescript")
    environment |= {"NODE_OPTIONS": "--no-experimental-strip-types"}
    words = ["node", "start.mjs"]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
    assert re.fullmatch(r"bot.ts needs Node.js 22.18 or newer, this is v[\d.]+\n", done.stderr)


@pytest.mark.deep
def test_the_types_of_the_bot_in_typescript_are_checked(stack, tmp_path, environment):
    folder = made(tmp_path, "typescript")
    (folder / "node_modules").symlink_to(MODULES)
    pinned = json.loads((MODULES.parent / "package.json").read_text())["dependencies"]
    assert json.loads((folder / "package.json").read_text())["devDependencies"].items() <= (
        pinned.items()
    )
    output(*NPM, "run", "types", cwd=folder, env=environment | {"FOGG_SERVER": stack.url})
    check = [*NPM, "run", "check"]
    output(*check, cwd=folder, env=environment)
    bot = folder / "bot.ts"
    bot.write_text(bot.read_text().replace("action.tickets.", "action.cities."))
    done = subprocess.run(check, cwd=folder, env=environment, capture_output=True, text=True)
    assert "'cities' does not exist" in done.stdout


def test_a_folder_that_exists_is_left_alone(tmp_path):
    done = run("bot", "new", tmp_path)
    assert done.returncode == 2
    assert "exists: name a new folder" in done.stderr
    assert [*tmp_path.iterdir()] == []


def test_a_folder_that_does_not_fit_on_the_disk_is_not_left_behind(tmp_path):
    with files_of_at_most(100):
        done = run("bot", "new", tmp_path / "bot")
    assert (done.returncode, [*tmp_path.iterdir()]) == (1, [])


def test_a_folder_may_be_named_like_an_option(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("bot", "new", "--", "-x").returncode == 0
    assert (tmp_path / "-x" / ".git").exists()


@pytest.mark.parametrize(
    "words", [[], ["my_bot:Mine", "--exec", "./bot"], ["--exec", "./bot", "--exec", "./other"]]
)
def test_a_trial_has_either_a_class_or_a_program(words):
    done = run("bot", "try", *words)
    assert done.returncode == 2
    assert "name one bot: MODULE:CLASS, FILE.npz or --exec COMMAND" in done.stderr
