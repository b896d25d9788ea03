"""Fogg, installed from its wheels into an empty environment, without the lock files."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.deploy.parts import BIN, ROOT
from tests.programs import output

pytestmark = pytest.mark.deep

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheels")
    output(sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "wheel",
           "--no-deps", "--no-build-isolation", "--wheel-dir", folder, ROOT / "client", ROOT)
    return sorted(folder.iterdir())


def install(folder: Path, *words: str | Path) -> subprocess.CompletedProcess:
    """Install packages into a new environment. Build none: take only wheels."""
    output(BIN / "uv", "venv", "--python", sys.executable, folder)
    return subprocess.run(
        [BIN / "uv", "pip", "install", "--only-binary", ":all:", "--python",
         folder / "bin" / "python", *words], capture_output=True, text=True, timeout=200)


def skip_if_nothing_can_be_fetched(folder: Path) -> None:
    """Skip if the index cannot be reached; otherwise the failed installation is a fault of ours."""
    done = install(folder, "--no-cache", "--no-deps", "click")
    if done.returncode:
        pytest.skip(f"NOT TESTED, no package could be fetched: {done.stderr}")


@pytest.mark.parametrize("versions", ["highest", "lowest-direct"])
def test_bots_play_a_game_from_the_wheels_with(versions, wheels, tmp_path):
    # named one by one: `lowest-direct` takes the lowest version of named packages only
    needed = [one for one in PROJECT["dependencies"] if not one.startswith("fogg-client")]
    done = install(tmp_path / "venv", "--resolution", versions, *wheels, *needed)
    if done.returncode:
        skip_if_nothing_can_be_fetched(tmp_path / "other")
    assert done.returncode == 0, done.stderr
    data = tmp_path / "data"
    played = output(tmp_path / "venv" / "bin" / "fogg", "demo", "--board", "london", "--bots",
                    "greedy,random", "--json", "--data", data, cwd=tmp_path)
    assert len(json.loads(played)["results"]) == 2
    [log] = data.glob("*/workers.log")
    assert [line for line in log.read_text().splitlines()
            if json.loads(line)["level"] == "error"] == []
