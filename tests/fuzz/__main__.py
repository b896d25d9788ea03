"""The fuzzer: ``python -m tests.fuzz``, or ``make fuzz``."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

TARGETS = ("requests", "histories", "resumption")
CORPUS = Path(".fuzz")


@click.command()
@click.option("--inputs", default=6000, show_default=True, help="For each target, at most.")
@click.option("--seconds", default=120, show_default=True, help="For each target, at most.")
@click.option("--seed", default=1, show_default=True, type=click.IntRange(1),
              help="The same seed and corpus lead to the same inputs.")
@click.option("--targets", default=",".join(TARGETS), show_default=True)
@click.option("--corpus", default=CORPUS, show_default=True, type=click.Path(path_type=Path),
              help="Folder for inputs that led somewhere new, from which the next run goes on.")
@click.option("--json", "as_json", is_flag=True, help="Print what came of it as JSON.")
def main(inputs, seconds, seed, targets, corpus, as_json) -> None:
    """Let a fuzzer, which sees what code its inputs reach, look for one that is answered with a
    500, crashes or hangs. Exits with 1 where there is one; it is kept beside the corpus, and
    python -m tests.fuzz.target TARGET FILE repeats it.

    \b
    Example:
      python -m tests.fuzz --targets requests --inputs 100000 --seconds 600
    """
    names = targets.split(",")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = dict(zip(names, pool.map(
            lambda name: outcome(name, inputs, seconds, seed, corpus.absolute()), names),
            strict=True))
    if as_json:
        click.echo(json.dumps(rows))
    else:
        show(rows)
    sys.exit(any(row["failed"] for row in rows.values()))


def outcome(name: str, inputs: int, seconds: int, seed: int, corpus: Path) -> dict:
    """Return what came of so many inputs to a target: how many there were, what they were answered
    with, and what failed."""
    folder = corpus / name
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile() as counted:
        done = subprocess.run(
            [sys.executable, "-m", "tests.fuzz.target", name, f"-runs={inputs}", f"-seed={seed}",
             f"-max_total_time={seconds}", "-max_len=4096", "-timeout=30", "-rss_limit_mb=0",
             f"-artifact_prefix={folder}-", str(folder)],
            capture_output=True, text=True, errors="replace",
            env={**os.environ, "FUZZ_COUNTED": counted.name})
        answers = Counter(json.loads(Path(counted.name).read_text() or "{}"))
    number = re.search(r"^Done (\d+) in", done.stderr, re.MULTILINE)
    covered = re.findall(r"\bcov: (\d+)", done.stderr)
    return {"inputs": int(number[1]) if number else sum(answers.values()),
            "covered": int(covered[-1]) if covered else 0, "answers": dict(answers),
            "failed": done.returncode and re.sub(r"INFO: Instr.*\n", "", done.stderr)[-3000:]}


def show(rows: dict[str, dict]) -> None:
    """Print what came of each target."""
    console = Console()
    table = Table("target", "inputs", "places reached", "answers", "failed")
    for name, row in rows.items():
        answers = ", ".join(f"{count} x {answer}" for answer, count in sorted(
            row["answers"].items(), key=lambda item: -item[1])[:8])
        table.add_row(name, str(row["inputs"]), str(row["covered"]), answers,
                      "yes" if row["failed"] else "0")
    console.print(table)
    for row in rows.values():
        console.print(row["failed"] or "", markup=False, soft_wrap=True, end="")


if __name__ == "__main__":
    main()
