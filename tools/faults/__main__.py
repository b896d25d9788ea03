"""The harness: ``python -m tools.faults``, or ``make faults``."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import click
from rich.console import Console

from tools.faults import table
from tools.faults.plan import KINDS, WORLD, Fault, faults
from tools.faults.replicas import Pair, Six
from tools.faults.run import PLAYED_ON, run
from tools.faults.verdict import Verdict, verdict_of
from tools.faults.worlds import Machine, World

WIDTH = 160  # of the table in a file
NEW_MOUNTS = 0x00020000  # CLONE_NEWNS


@click.command()
@click.option("--seed", default=1, show_default=True, help="The same seed repeats the same plan.")
@click.option("--faults", "count", default=400, show_default=True, help="How many, at most.")
@click.option("--seconds", default=180.0, show_default=True, help="For how long, at most.")
@click.option("--bots", default=50, show_default=True, type=click.IntRange(2, 500))
@click.option("--kinds", default="", help="Which, with commas between: all of " + ",".join(KINDS))
@click.option(
    "--played-on",
    default=PLAYED_ON,
    show_default=True,
    help="Seconds for which games go on after the last fault before they are resigned.",
)
@click.option("--data", type=click.Path(path_type=Path), help="Folder for data and logs, kept.")
@click.option("--add", multiple=True, type=click.File(), help="What --json has printed before.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON on stdout.")
def main(seed, count, seconds, bots, kinds, played_on, data, add, as_json) -> None:
    """Play games with bots while processes are killed, links cut and disks filled; compare all
    acknowledged requests with the stored data. Exits with 1 if anything is wrong.

    \b
    Example:
      python -m tools.faults --seed 7 --kinds cut,kill --faults 1000 --seconds 300
    """
    for name in ("FOGG_REDIS_URL", "FOGG_QUEUE_URL", "FOGG_REDIS_SERVER"):
        os.environ.pop(name, None)
    chosen = kinds.split(",") if kinds else [*KINDS]
    if unknown := set(chosen) - KINDS.keys():
        raise click.BadParameter(f"there is no kind {', '.join(unknown)}", param_hint="--kinds")
    if "disk" in chosen and not own_mounts():
        click.echo("no disk can be filled here, as that takes a file system of its own", err=True)
        chosen.remove("disk")
    plan = faults(seed, count, chosen)
    total, console = Verdict(), Console(stderr=as_json)
    console = console if console.is_terminal else Console(stderr=as_json, width=WIDTH)
    for earlier in add:
        total.add(json.load(earlier))
    folder = data or Path(tempfile.mkdtemp(prefix="fogg-faults-"))
    for name in dict.fromkeys(WORLD.get(one.kind, "machine") for one in plan):
        part = [one for one in plan if WORLD.get(one.kind, "machine") == name]
        with world(name, folder / name, part) as running:
            run(
                running,
                part,
                bots=bots,
                seed=seed,
                seconds=seconds * len(part) / len(plan),
                played_on=played_on,
                judge=lambda done: total.add(verdict_of(done).as_json()),
            )
    table.show(total, console)
    if as_json:
        click.echo(json.dumps(total.as_json()))
    sys.exit(1 if total.violations else 0)


def world(name: str, data: Path, plan: list[Fault]) -> World:
    kinds = {fault.kind for fault in plan}
    if name != "machine":
        return {"pair": Pair, "cluster": Six}[name](data)
    return Machine(data, own_disk="disk" in kinds, own_clock="clock" in kinds)


def own_mounts() -> bool:
    """Make this process's mounts private, so that they end with it; return whether it may mount."""
    if ctypes.CDLL(None).unshare(NEW_MOUNTS):
        return False
    return not subprocess.run(["mount", "--make-rprivate", "/"], capture_output=True).returncode


if __name__ == "__main__":
    main()
