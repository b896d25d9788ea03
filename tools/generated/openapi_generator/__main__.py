"""Plays a whole game with each of the clients that openapi-generator makes: ``make generators``."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from service.operation.stack import Stack
from tools.generated.runs import MODULES, NODE, OPENAPI, is_result, run

HERE = Path(__file__).parent
BIN = HERE / ".venv" / "bin"
JDK = "a client in Java needs javac 17 or newer; on Debian: apt install default-jdk-headless"
# Without pages, tests, and what calls webhooks, which in TypeScript cannot be compiled.
WHAT = "apis,models,supportingFiles,apiTests=false,modelTests=false"
KNOWN = (  # its warnings about valid parts of openapi.yaml
    "OpenAPI 3.1 support is still in beta",
    "Failed to get the schema name: null",  # of additionalProperties: false
    "Codegen property is null",  # python: of a body that is an empty object
    "Ignoring complex example on request body",  # java: of an example of a body
)


def generate(folder: Path, generator: str, *options: str) -> None:
    """Make ``client`` in a folder."""
    said = run(
        folder,
        BIN / "openapi-generator-cli",
        "generate",
        "--input-spec",
        OPENAPI,
        "--generator-name",
        generator,
        "--output",
        "client",
        "--global-property",
        WHAT,
        *options,
    )
    warnings = [line for line in said.splitlines() if "WARN" in line or "ERROR" in line]
    new = [line for line in warnings if not any(known in line for known in KNOWN)]
    assert not new, "\n".join(new)


def play_python(folder: Path, url: str) -> str:
    generate(folder, "python")
    return run(
        folder, BIN / "python", "-W", "error", HERE / "play_python.py", url, PYTHONPATH="client"
    )


def play_fetch(folder: Path, url: str) -> str:
    generate(folder, "typescript-fetch", "--additional-properties", "importFileExtension=.js")
    (folder / "node_modules").symlink_to(MODULES)
    (folder / "package.json").write_text('{"type": "module"}')
    shutil.copy(HERE.parent / "tsconfig.json", folder)
    shutil.copy(HERE / "play_fetch.ts", folder / "play.ts")
    run(folder, NODE, MODULES / "typescript" / "bin" / "tsc")
    return run(folder, NODE, "built/play.js", url)


def play_go(folder: Path, url: str) -> str:
    """Play with a client in Go, which is compiled with nothing but Go itself."""
    generate(
        folder,
        "go",
        "--git-host",
        "example.com",
        "--git-user-id",
        "fogg",
        "--git-repo-id",
        "client",
        "--additional-properties",
        "packageName=fogg,useOneOfDiscriminatorLookup=true",
    )
    (folder / "client" / "play").mkdir()
    shutil.copy(HERE / "play_go.go", folder / "client" / "play" / "main.go")
    alone = {"GOPROXY": "off", "GOTOOLCHAIN": "local", "GOFLAGS": "", "GOCACHE": str(folder / "go")}
    run(folder / "client", BIN / "go", "build", "-o", folder / "played", "./play", **alone)
    return run(folder, folder / "played", url)


def play_java(folder: Path, url: str) -> str:
    """Play with a client in Java. Its libraries, such as Jackson, are in the generator's own
    archive, but for one annotation."""
    assert shutil.which("javac"), JDK
    generate(
        folder,
        "java",
        "--library",
        "native",
        "--additional-properties",
        "openApiNullable=false,supportUrlQuery=false",
    )
    (folder / "Generated.java").write_text(
        "package javax.annotation;\npublic @interface Generated "
        "{ String value(); String date(); String comments(); }\n"
    )
    shutil.copy(HERE / "Play.java", folder)
    (archive,) = BIN.parent.glob("lib/python*/site-packages/openapi_generator_cli/*.jar")
    sources = (folder / "client" / "src" / "main").rglob("*.java")
    run(
        folder,
        "javac",
        "-nowarn",
        "-proc:none",
        "-cp",
        archive,
        "-d",
        "built",
        "Generated.java",
        "Play.java",
        *sources,
    )
    return run(folder, "java", "-cp", f"{archive}{os.pathsep}built", "Play", url)


CLIENTS: dict[str, Callable[[Path, str], str]] = {
    "python": play_python,
    "typescript-fetch": play_fetch,
    "go": play_go,
    "java": play_java,
}


@click.command()
@click.argument("generators", nargs=-1, type=click.Choice(list(CLIENTS)))
def main(generators: tuple[str, ...]) -> None:
    """Play a whole game with what GENERATORS make, or all."""
    failed = False
    with TemporaryDirectory() as made, Stack(Path(made) / "service") as stack:
        for name in generators or CLIENTS:
            folder = Path(made) / name
            folder.mkdir()
            try:
                said = CLIENTS[name](folder, stack.url)
                assert is_result(said), said
            except AssertionError as error:
                failed = True
                print(f"{name}: {str(error)[-3000:]}", flush=True)
            else:
                print(f"{name}: played to {' : '.join(said.split())}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
