"""Clients that generators make from openapi.yaml alone: without a warning, checked, and a whole
game played with each. docs/clients.md says how each is called."""

import shutil

import pytest

from tests.generated.runs import HERE, MODULES, NODE, OPENAPI, is_result, run

BIN = HERE / ".venv" / "bin"


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
    assert (MODULES / "@hey-api").exists(), "run `make setup`"
    (tmp_path / "node_modules").symlink_to(MODULES)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    shutil.copy(HERE / "tsconfig.json", tmp_path)
    shutil.copy(HERE / "play_hey_api.ts", tmp_path / "play.ts")
    run(tmp_path, NODE, MODULES / "@hey-api" / "openapi-ts" / "bin" / "run.js", "--input", OPENAPI,
        "--output", "client", "--no-log-file")
    run(tmp_path, NODE, MODULES / "typescript" / "bin" / "tsc")
    assert is_result(run(tmp_path, NODE, "built/play.js", stack.url))
