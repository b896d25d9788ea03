"""Measuring two things by turns, and showing how they compare."""

from __future__ import annotations

import json
from collections.abc import Callable
from statistics import median

import click

HEADINGS = ("what", "unit", "ours", "yardstick", "ratio", "lowest", "highest", "must be")


def by_turns(rounds: int, *measures: Callable[[], object]) -> list[list]:
    """Return what each measure returned, a list each, having called them A B A B ..."""
    found = [[measure() for measure in measures] for _ in range(rounds)]
    return [list(results) for results in zip(*found, strict=True)]


def ratio(
    what: str, unit: str, ours: list[float], yardstick: list[float], *,
    at_least: float | None = None, at_most: float | None = None,
) -> dict:
    """Return a row of a benchmark's table: the medians, and the ratio of ours to the yardstick.

    ``ratio`` is that of the medians; ``lowest`` and ``highest`` are of single rounds.
    """
    rounds = [a / b for a, b in zip(ours, yardstick, strict=True)]
    row = {
        "what": what, "unit": unit, "ours": median(ours), "yardstick": median(yardstick),
        "ratio": median(ours) / median(yardstick), "lowest": min(rounds), "highest": max(rounds),
    }
    bounds = {"at_least": at_least, "at_most": at_most}
    return row | {name: bound for name, bound in bounds.items() if bound is not None}


def show(result: dict, as_json: bool = False) -> None:
    """Print what a benchmark returned: as JSON, or its ratios and then its figures."""
    if as_json:
        click.echo(json.dumps(result))
        return
    if rows := result.get("ratios"):
        click.echo(table(rows))
    for name, value in result.get("figures", {}).items():
        click.echo(f"  {name}: {_number(value)}")


def table(rows: list[dict]) -> str:
    """Return the rows as a table for people."""
    lines = [HEADINGS, *(_cells(row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) if place < 2 else cell.rjust(width)
                  for place, (cell, width) in enumerate(zip(line, widths, strict=True))).rstrip()
        for line in lines)


def _cells(row: dict) -> tuple[str, ...]:
    numbers = [_number(row[name]) for name in ("ours", "yardstick", "ratio", "lowest", "highest")]
    return row["what"], row["unit"], *numbers, _bound(row)


def _bound(row: dict) -> str:
    """Return what a ratio must be, and whether it is."""
    if "at_least" in row:
        kept, words = row["ratio"] >= row["at_least"], f">= {row['at_least']:g}"
    elif "at_most" in row:
        kept, words = row["ratio"] <= row["at_most"], f"<= {row['at_most']:g}"
    else:
        return "-"
    return words if kept else f"{words} MISSED"


def _number(value: object) -> str:
    """Return three digits or more of a number, with a comma between thousands."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if isinstance(value, int) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.2f}" if abs(value) >= 1 else f"{value:.3f}"
