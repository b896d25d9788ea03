"""The Python distributions, as `make packages` builds them, installed into empty environments,
without the lock files."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from cli.commands.bots import STARTERS
from tests.deploy.parts import BIN, ROOT
from tests.programs import output
from tools.packages import PYTHON, python_packages

pytestmark = pytest.mark.deep

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
SIMULATOR = (ROOT / "docs" / "simulator.md").read_text()


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """The folder with the sdists and the wheels."""
    folder = tmp_path_factory.mktemp("packages")
    python_packages(folder, *PYTHON)
    return folder


def install(folder: Path, *words: str | Path) -> subprocess.CompletedProcess:
    """Install packages into a new environment. Build none: take only wheels."""
    output(BIN / "uv", "venv", "--python", sys.executable, folder)
    return subprocess.run(
        [
            BIN / "uv",
            "pip",
            "install",
            "--only-binary",
            ":all:",
            "--python",
            folder / "bin" / "python",
            *words,
        ],
        capture_output=True,
        text=True,
        timeout=200,
    )


def skip_if_nothing_can_be_fetched(folder: Path) -> None:
    """Skip if the index cannot be reached; otherwise the failed installation is a fault of ours."""
    done = install(folder, "--no-cache", "--no-deps", "click")
    if done.returncode:
        pytest.skip(f"NOT TESTED, no package could be fetched: {done.stderr}")


@pytest.mark.parametrize("versions", ["highest", "lowest-direct"])
def test_bots_play_a_game_from_the_wheels_with(versions, packages, tmp_path):
    # named one by one: `lowest-direct` takes the lowest version of named packages only
    needed = [one for one in PROJECT["dependencies"] if not one.startswith("fogg-client")]
    wheels = [path for path in packages.glob("*.whl") if "simulator" not in path.name]
    done = install(tmp_path / "venv", "--resolution", versions, *wheels, *needed)
    if done.returncode:
        skip_if_nothing_can_be_fetched(tmp_path / "other")
    assert done.returncode == 0, done.stderr
    output(tmp_path / "venv" / "bin" / "fogg", "bot", "new", tmp_path / "bot", "--language", "c")
    assert files(tmp_path / "bot") == files(STARTERS / "c")
    data = tmp_path / "data"
    played = output(
        tmp_path / "venv" / "bin" / "fogg",
        "demo",
        "--board",
        "london",
        "--bots",
        "greedy,random",
        "--json",
        "--data",
        data,
        cwd=tmp_path,
    )
    assert len(json.loads(played)["results"]) == 2
    [log] = data.glob("*/workers.log")
    assert [
        line for line in log.read_text().splitlines() if json.loads(line)["level"] == "error"
    ] == []


def files(folder: Path) -> dict[str, str]:
    """The text of each file in a folder by its name, without those of Git."""
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}


def test_the_simulator_plays_from_the_packages(packages, tmp_path):
    done = install(tmp_path / "venv", "--find-links", packages, "fogg-simulator")
    if done.returncode:
        skip_if_nothing_can_be_fetched(tmp_path / "other")
    assert done.returncode == 0, done.stderr
    program = re.search(r"```python\n(.*?)```", SIMULATOR, re.DOTALL)[1]
    shown = output(
        tmp_path / "venv" / "bin" / "python",
        "-c",
        f"{program}print(finished.shape)",
        timeout=200,
        env=os.environ | {"FOGG_CACHE": str(tmp_path / "compiled")},
    )
    assert shown == "(64,)\n"
