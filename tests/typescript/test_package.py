"""The npm package in client/javascript, built, packed and installed as others would have it: the
program of its README is checked and plays a whole game.

`make setup` installs its dependencies, pinned in package-lock.json.
"""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from tools.packages import JAVASCRIPT, MODULES, NODE, NPM, npm_package

pytestmark = pytest.mark.deep

ROOT, HERE = Path(__file__).parents[2], Path(__file__).parent
SOURCE = ROOT / JAVASCRIPT
[BOT] = re.findall(r"^```ts\n(.*?)^```$", (SOURCE / "README.md").read_text(), re.M | re.S)
[COMMANDS] = re.findall(r"^```sh\n(.*?)^```$", (SOURCE / "README.md").read_text(), re.M | re.S)


def node(folder: Path, *words: object) -> str:
    """Run a program of Node's that must succeed; return what it prints."""
    done = subprocess.run(
        [NPM[0], *map(str, words)],
        cwd=folder,
        capture_output=True,
        text=True,
        env=os.environ
        | {
            "PATH": f"{NODE}/bin:{os.environ['PATH']}",
            "npm_config_offline": "true",
            "npm_config_update_notifier": "false",
        },
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_package_is_made_of_what_is_pinned_here():
    pinned = json.loads((HERE / "package.json").read_text())["dependencies"]
    package = json.loads((SOURCE / "package.json").read_text())
    fetch = package["dependencies"].pop("openapi-fetch")
    assert fetch == f"^{pinned.pop('openapi-fetch')}"
    assert package["dependencies"] == {}
    assert package["devDependencies"] == pinned


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """A folder in which the package, and what it needs, was installed without a registry."""
    folder, made = tmp_path_factory.mktemp("bot"), tmp_path_factory.mktemp("made")
    npm_package(made)
    [packed] = made.iterdir()
    assert f"npm install ./dist/{packed.name} " in COMMANDS
    needed = ("openapi-fetch", "openapi-typescript-helpers", "@types/node", "undici-types")
    node(folder, NPM[1], "install", packed, *[MODULES / name for name in needed])
    package = folder / "node_modules" / "fogg-client"
    assert {str(path.relative_to(package)) for path in package.rglob("*") if path.is_file()} == {
        "package.json",
        "README.md",
        "LICENSE",
        "dist/index.js",
        "dist/index.d.ts",
        "dist/openapi.d.ts",
        "dist/client.mjs",
        "dist/client.d.mts",
    }
    return folder


def check(folder: Path, program: str) -> None:
    """Save a program and check its types, as the README says."""
    (folder / "bot.mts").write_text(program)
    [words] = [line.split()[2:] for line in COMMANDS.splitlines() if line.startswith("npx tsc ")]
    node(folder, MODULES / "typescript/bin/tsc", *words)


def test_the_program_of_its_page_is_checked_and_plays(stack, installed):
    check(installed, BOT)
    said = node(installed, "bot.mts", stack.url)
    assert re.fullmatch(r"Typed -?\d+\nrandom -?\d+\n", said)


def test_a_member_that_no_action_has_is_an_error(installed):
    with pytest.raises(AssertionError, match="'cities' does not exist"):
        check(installed, BOT.replace("action.type", "action.cities"))
