"""The fuzzer: ``python -m tools.fuzz``, or ``make fuzz``."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

TARGETS = ("requests", "histories", "resumption")
CORPUS = Path(".fuzz")


@click.command()
@click.option("--inputs", default=6000, show_default=True, help="For each target, at most.")
@click.option("--seconds", default=120, show_default=True, help="For each target, at most.")
@click.option(
    "--seed",
    default=1,
    show_default=True,
    type=click.IntRange(1),
    help="The same seed and corpus lead to the same inputs.",
)
@click.option("--targets", default=",".join(TARGETS), show_default=True)
@click.option(
    "--corpus",
    default=CORPUS,
    show_default=True,
    type=click.Path(path_type=Path),
    help="Folder for inputs that led somewhere new, from which the next run goes on.",
)
@click.option("--json", "as_json", is_flag=True, help="Print what came of it as JSON.")
def main(inputs, seconds, seed, targets, corpus, as_json) -> None:
    """Search with a coverage-guided fuzzer for an input that causes a 500, a crash or a hang. Exits
    with 1 if it finds one. The input is stored next to the corpus; python -m tools.fuzz.target
    TARGET FILE repeats it.

    \b
    Example:
      python -m tools.fuzz --targets requests --inputs 100000 --seconds 600
    """
    names = targets.split(",")
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "tools.fuzz.target",
                ",".join(names),
                f"-runs={inputs}",
                f"-seed={seed}",
                f"-max_total_time={seconds}",
                "-max_len=4096",
                "-timeout=30",
                "-rss_limit_mb=0",
            ],
            capture_output=True,
            text=True,
            errors="replace",
            env={**os.environ, "FUZZ_CORPUS": str(corpus.absolute()), "FUZZ_OUTCOMES": folder},
        )
        rows = {name: outcome(Path(folder), name, done.stderr) for name in names}
    if as_json:
        click.echo(json.dumps(rows))
    else:
        show(rows)
    sys.exit(any(row["failed"] for row in rows.values()))


def outcome(folder: Path, name: str, complaints: str) -> dict:
    """Return what came of the inputs to a target: how many there were, what they were answered
    with, and what failed."""
    left = {path.suffix: path.read_text(errors="replace") for path in folder.glob(f"{name}.*")}
    said, answers = left.get(".said", ""), Counter(json.loads(left.get(".answers") or "{}"))
    number = re.search(r"^Done (\d+) in", said, re.MULTILINE)
    covered = re.findall(r"\bcov: (\d+)", said)
    return {
        "inputs": int(number[1]) if number else sum(answers.values()),
        "covered": int(covered[-1]) if covered else 0,
        "answers": dict(answers),
        "failed": int(left.get(".code", 1)) and (said or complaints)[-3000:],
    }


def show(rows: dict[str, dict]) -> None:
    console = Console()
    table = Table("target", "inputs", "places reached", "answers", "failed")
    for name, row in rows.items():
        answers = ", ".join(
            f"{count} x {answer}"
            for answer, count in sorted(row["answers"].items(), key=lambda item: -item[1])[:8]
        )
        table.add_row(
            name, str(row["inputs"]), str(row["covered"]), answers, "yes" if row["failed"] else "0"
        )
    console.print(table)
    for row in rows.values():
        console.print(row["failed"] or "", markup=False, soft_wrap=True, end="")


if __name__ == "__main__":
    main()
