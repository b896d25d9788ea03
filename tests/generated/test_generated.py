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


@pytest.mark.parametrize(("name", "command"), [
    ("hey_api", f"@hey-api/openapi-ts/bin/run.js --input {OPENAPI} --output client --no-log-file"),
    ("orval", f"orval/dist/bin/orval.js --input {OPENAPI} --output client/client.ts "
              "--client fetch"),
    ("swagger_typescript_api", f"swagger-typescript-api/dist/cli.mjs generate --path {OPENAPI} "
                               "--output client --name client.ts"),
    ("openapi_zod_client", f"openapi-zod-client/bin.js {OPENAPI} --output client/client.ts"),
])
def test_a_client_in_typescript_is_checked_and_plays_a_game(stack, tmp_path, name, command):
    program, *words = command.split()
    assert (MODULES / program).exists(), "run `make setup`"
    (tmp_path / "node_modules").symlink_to(MODULES)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    shutil.copy(HERE / "tsconfig.json", tmp_path)
    shutil.copy(HERE / f"play_{name}.ts", tmp_path / "play.ts")
    (tmp_path / "client").mkdir()
    run(tmp_path, NODE, MODULES / program, *words)
    run(tmp_path, NODE, MODULES / "typescript" / "bin" / "tsc")
    assert is_result(run(tmp_path, NODE, "built/play.js", stack.url))
