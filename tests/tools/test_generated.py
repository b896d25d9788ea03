"""Clients that generators make from openapi.yaml alone: without a warning, checked, and a whole
game played with each. docs/clients.md says how each is called."""

import re
import shutil

import pytest

from tools.generated.runs import HERE, MODULES, NODE, PAGE, called, is_result, recipe, run
from tools.generators.committed import FILE, FOR_BOTS

BIN = HERE / ".venv" / "bin"


@pytest.fixture
def installed():
    assert (BIN / "openapi-python-client").exists(), "run `make setup`"


@pytest.mark.deep
@pytest.mark.parametrize("described", [FILE, FOR_BOTS], ids=["whole", "bots"])
def test_a_client_of_openapi_python_client_plays_a_game(stack, tmp_path, installed, described):
    recipe(tmp_path, described)
    run(tmp_path, BIN / "openapi-python-client", *called("openapi-python-client"))
    assert is_result(
        run(
            tmp_path,
            BIN / "python",
            HERE / "play_openapi_python_client.py",
            stack.url,
            PYTHONPATH="client",
        )
    )


@pytest.mark.deep
def test_models_of_datamodel_code_generator_fit_a_game(stack, tmp_path, installed):
    recipe(tmp_path)
    run(
        tmp_path,
        BIN / "datamodel-codegen",
        *called("datamodel-code-generator"),
        "--formatters",
        "builtin",
    )
    assert is_result(
        run(
            tmp_path,
            BIN / "python",
            HERE / "play_datamodel_code_generator.py",
            stack.url,
            PYTHONPATH=".",
        )
    )


@pytest.mark.deep
@pytest.mark.parametrize(
    ("name", "program"),
    [
        ("@hey-api/openapi-ts", "@hey-api/openapi-ts/bin/run.js"),
        ("orval", "orval/dist/bin/orval.js"),
        ("swagger-typescript-api", "swagger-typescript-api/dist/cli.mjs"),
        ("openapi-zod-client", "openapi-zod-client/bin.js"),
    ],
)
def test_a_client_in_typescript_is_checked_and_plays_a_game(stack, tmp_path, name, program):
    recipe(tmp_path)
    assert (MODULES / program).exists(), "run `make setup`"
    (tmp_path / "node_modules").symlink_to(MODULES)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    shutil.copy(HERE / "tsconfig.json", tmp_path)
    played = name.removeprefix("@").removesuffix("/openapi-ts").replace("-", "_")
    shutil.copy(HERE / f"play_{played}.ts", tmp_path / "play.ts")
    (tmp_path / "client").mkdir()
    run(
        tmp_path, NODE, MODULES / program, *called(name), *["--no-log-file"] * (played == "hey_api")
    )
    run(tmp_path, NODE, MODULES / "typescript" / "bin" / "tsc")
    assert is_result(run(tmp_path, NODE, "built/play.js", stack.url))


def test_the_page_calls_openapi_generator_as_make_generators_does():
    """That takes minutes, so only its words are compared here."""
    page, program = PAGE.read_text(), (HERE / "openapi_generator" / "__main__.py").read_text()
    [what] = re.findall(r'^WHAT = "(.*)"$', program, re.M)
    assert f"--global-property {what}" in page
    rows = re.findall(r"^\| `(\S+)` \|(?: `(.*?)`)? \|", page.partition("\n## openapi-g")[2], re.M)
    called = re.findall(r'generate\(\s*folder,\s*"(\S+)"', program)
    assert [generator for generator, _ in rows] == called
    assert all(word in program for _, words in rows for word in words.split())
