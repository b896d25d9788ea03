"""The wheel of fogg-client, alone: it, urllib3 and Python are all that a bot needs."""

import json
import re
import shutil
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import urllib3

from tests.programs import output
from tools.generators.readme import ROOT, blocks

PIP = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel, made of a copy of client/ alone."""
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT / "client", folder / "client")
    output(
        *PIP, "wheel", "--no-build-isolation", "--no-deps", "--wheel-dir", folder, folder / "client"
    )
    [made] = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def alone(wheel, tmp_path_factory) -> Path:
    """A folder with nothing but what the wheel installs, and urllib3."""
    folder = tmp_path_factory.mktemp("alone")
    output(*PIP, "install", "--no-index", "--no-deps", "--target", folder, wheel)
    shutil.copytree(Path(urllib3.__file__).parent, folder / "urllib3")
    return folder


def test_the_wheel_holds_the_client_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    source = ROOT / "client"
    modules = {
        str(path.relative_to(source))
        for path in (source / "fogg_client").iterdir()
        if path.is_file()
    }
    assert {name for name in names if ".dist-info/" not in name} == modules
    assert "fogg_client/py.typed" in modules


def test_the_wheel_asks_for_urllib3_alone(wheel):
    with zipfile.ZipFile(wheel) as opened:
        [name] = [name for name in opened.namelist() if name.endswith(".dist-info/METADATA")]
        text = opened.read(name).decode()
    needs = [line for line in text.splitlines() if line.startswith("Requires-Dist: ")]
    assert [need.removeprefix("Requires-Dist: ").split(">")[0] for need in needs] == ["urllib3"]


def test_the_server_its_clients_and_its_image_have_one_version():
    server, client = (
        tomllib.loads((ROOT / place / "pyproject.toml").read_text())["project"]
        for place in ("", "client")
    )
    javascript = json.loads((ROOT / "client" / "javascript" / "package.json").read_text())
    image = re.search(r"newTag: (\S+)", (ROOT / "deploy/kubernetes/kustomization.yaml").read_text())
    assert {client["version"], javascript["version"], image[1]} == {server["version"]}
    assert f"fogg-client=={client['version']}" in server["dependencies"]


def test_the_readmes_bot_plays_with_the_wheel_alone(alone, stack, tmp_path):
    [(_, text)] = blocks("A bot that beats `greedy`")
    (tmp_path / "passepartout.py").write_text(text)
    python, environment = [sys.executable, "-S"], {"PYTHONPATH": str(alone)}  # -S: no site-packages
    where = output(
        *python,
        "-c",
        "import fogg_client; print(fogg_client.__file__)",
        env=environment,
        cwd=tmp_path,
    )
    assert Path(where.strip()).is_relative_to(alone)
    scores = output(*python, "passepartout.py", stack.url, env=environment, cwd=tmp_path)
    assert [line.split()[0] for line in scores.splitlines()] == ["Passepartout", "greedy"]
