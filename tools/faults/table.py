"""A verdict as people read it."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from tools.faults.verdict import Row, Verdict

SHOWN = 40  # violations
COLUMNS = (
    "fault",
    "faults",
    "acknowledged",
    "unknown",
    "lost",
    "of it said",
    "duplicated",
    "refused, stored",
    "5xx",
    "back p50",
    "p95",
    "max",
)


def show(verdict: Verdict, console: Console) -> None:
    """Print the table of a verdict, and what is not as it should be."""
    table = Table()
    for name in COLUMNS:
        table.add_column(name, justify="left" if name in ("fault", "5xx") else "right")
    for name, row in sorted(verdict.rows.items()):
        table.add_row(name, *cells(row))
    table.add_section()
    table.add_row("together", *cells(together(verdict)))
    console.print(table)
    console.print(
        f"{verdict.games} games, {verdict.entries} entries, {verdict.texts} texts "
        "compared with every secret"
    )
    for words in verdict.violations[:SHOWN]:
        console.print(words, style="red", markup=False, soft_wrap=True)
    if len(verdict.violations) > SHOWN:
        console.print(f"and {len(verdict.violations) - SHOWN} more", style="red")
    console.print(
        f"{len(verdict.violations)} violations" if verdict.violations else "nothing is wrong"
    )


def together(verdict: Verdict) -> Row:
    total = Row()
    for row in verdict.rows.values():
        for member in vars(total):
            setattr(total, member, getattr(total, member) + getattr(row, member))
    return total


def cells(row: Row) -> list[str]:
    """Return what the columns after the first say."""
    times = sorted(row.recovered)
    failures = ", ".join(f"{count} x {name}" for name, count in row.failures.most_common())
    return [
        *map(
            str,
            (
                row.faults,
                row.acknowledged,
                row.unknown,
                row.lost,
                row.said,
                row.duplicated,
                row.refused,
            ),
        ),
        failures,
        *(
            f"{times[min(len(times) - 1, int(part * len(times)))]:.2f} s" if times else ""
            for part in (0.5, 0.95, 1)
        ),
    ]
