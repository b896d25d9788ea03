"""Runs several benchmarks: ``python -m benchmarks``. The exit code is 0 however slow they are."""

from __future__ import annotations

import json
import sys
import time
import traceback
from importlib import import_module

import click

from benchmarks.runner import show, table

USUAL = ("engine", "http", "streams")
LONG = ("simulator",)


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(USUAL + LONG))
@click.option("--json", "as_json", is_flag=True, help="Print the results as one JSON object.")
def main(names: tuple[str, ...], as_json: bool) -> None:
    """Run the named benchmarks; without names, those that take a few minutes together.

    Prints the result of each, then all ratios with their bounds. Each benchmark has options of its
    own: python -m benchmarks.http --help

    \b
    Example:
      python -m benchmarks engine http
    """
    results, crashed = {}, []
    for name in names or USUAL:
        start = time.monotonic()
        try:
            results[name] = import_module(f"benchmarks.{name}").measure()
        except Exception as error:  # the others are still worth running
            crashed.append(name)
            click.echo(f"{name} crashed: {error}", err=True)
            if not isinstance(error, click.ClickException):
                traceback.print_exc()
            continue
        click.echo(f"{name}: {time.monotonic() - start:.0f} seconds", err=True)
        if not as_json:
            show(results[name] | {"ratios": []})
    if as_json:
        click.echo(json.dumps(results))
    elif rows := [row | {"what": f"{result['benchmark']}: {row['what']}"}
                  for result in results.values() for row in result.get("ratios", ())]:
        click.echo(f"\n{table(rows)}")
    sys.exit(1 if crashed else 0)


if __name__ == "__main__":
    main()
