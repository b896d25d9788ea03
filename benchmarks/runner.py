"""Runs one benchmark, and prints how ours compares with the yardstick.

A benchmark is a module with a function ``measure``. The parameters of this function become the
options of the command, each described by its annotation. It returns a dict: ``benchmark`` (the
name), ``yardstick`` (what ours is compared with), ``ratios`` (rows that ``ratio`` returns) and
``figures`` (other numbers by name).
"""

import sys
from collections.abc import Callable
from inspect import signature
from statistics import median
from typing import Annotated, Any, get_args, get_type_hints

import click
from rich.table import Table

from cli.commands.common import show
from cli.views import tables

Rounds = Annotated[int, "How many turns each side has."]
HEADINGS = ("what", "unit", "ours", "yardstick", "ratio", "lowest", "highest", "must be")


def command(measure: Callable[..., dict]) -> click.Command:
    """Return a benchmark as a command, with an option for each parameter."""
    hints = get_type_hints(measure, include_extras=True)
    options = []
    for name, parameter in signature(measure).parameters.items():
        kind, words = get_args(hints[name])
        options.append(
            click.Option(
                [f"--{name}"], type=kind, default=parameter.default, show_default=True, help=words
            )
        )
    options.append(
        click.Option(["--json", "as_json"], is_flag=True, help="Print the result as JSON.")
    )

    def callback(as_json: bool, **chosen: Any) -> None:
        result = measure(**chosen)
        show(as_json, result, table(result["ratios"]))
        for name, value in result["figures"].items() if not as_json else ():
            click.echo(f"  {name}: {_number(value)}")

    return click.Command(
        measure.__module__,
        params=options,
        callback=callback,
        help=sys.modules[measure.__module__].__doc__,
    )


def by_turns(rounds: int, *measures: Callable[[], object]) -> list[list]:
    """Call the measures in turn, A B A B ...; return a list of results for each."""
    turns = [[measure() for measure in measures] for _ in range(rounds)]
    return [list(results) for results in zip(*turns, strict=True)]


def ratio(
    what: str,
    unit: str,
    ours: list[float],
    yardstick: list[float],
    *,
    at_least: float | None = None,
) -> dict:
    """Return a row of the table: both medians and the ratio of ours to the yardstick.

    ``ratio`` compares the medians; ``lowest`` and ``highest`` are ratios of single rounds.
    """
    rounds = [a / b for a, b in zip(ours, yardstick, strict=True)]
    row = {
        "what": what,
        "unit": unit,
        "ours": median(ours),
        "yardstick": median(yardstick),
        "ratio": median(ours) / median(yardstick),
        "lowest": min(rounds),
        "highest": max(rounds),
    }
    return row | ({} if at_least is None else {"at_least": at_least})


def table(rows: list[dict]) -> Table:
    return tables.table(HEADINGS, map(_cells, rows), HEADINGS[:2])


def _cells(row: dict) -> tuple[str, ...]:
    numbers = [_number(row[name]) for name in ("ours", "yardstick", "ratio", "lowest", "highest")]
    return row["what"], row["unit"], *numbers, _bound(row)


def _bound(row: dict) -> str:
    """Return the bound of a ratio, marked if the ratio misses it."""
    if "at_least" not in row:
        return "-"
    return f">= {row['at_least']:g}" + " MISSED" * (row["ratio"] < row["at_least"])


def _number(value: float) -> str:
    """Format a number with at least three digits and commas between thousands."""
    if isinstance(value, int) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.2f}" if abs(value) >= 1 else f"{value:.3f}"
