"""An arena's standings in the terminal."""

from __future__ import annotations

from itertools import pairwise


def standings_text(shown: dict) -> str:
    """Return standings as lines for a terminal."""
    deals = "each deal in every rotation of the seats" if shown["duplicate"] else "each on its deal"
    lines = [f"{shown['games']} games, {shown['deals']} deals, {shown['seats']} seats; {deals}"]
    parts = shown["by_board"]
    if len(parts) > 1:
        parts = parts | {"all boards": shown["overall"]}
    for name, rows in parts.items():
        lines += ["", name, *_columns(rows), "", *_neighbours(rows)]
    for fault in shown["faults"]:
        lines += ["", f"{fault['bot']} lost a game by a fault: {fault['what']}"]
    return "\n".join(lines)


HEADINGS = ("bot", "games", "wins", "won %", "95 % sure", "total", "margin", "95 % sure", "mu",
            "sigma", "faults", "ms")


def _columns(rows: list[dict]) -> list[str]:
    cells = [HEADINGS, *(_cells(row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(cell.rjust(width) if place else cell.ljust(width) for place, (cell, width)
                      in enumerate(zip(line, widths, strict=True))).rstrip() for line in cells]


def _cells(row: dict) -> tuple[str, ...]:
    low, high = (100 * bound for bound in row["win_interval"])
    total = "-" if row["mean_total"] is None else f"{row['mean_total']:.1f}"
    return (row["bot"], str(row["games"]), f"{row['wins']:g}", f"{100 * row['win_share']:.1f}",
            f"{low:.1f} to {high:.1f}", total, f"{row['margin']:+.1f}",
            _bounds(row["margin_interval"]), f"{row['mu']:.1f}", f"{row['sigma']:.1f}",
            str(row["faults"]), f"{row['ms_per_decision']:.1f}")


def _neighbours(rows: list[dict]) -> list[str]:
    """Return a line for each two neighbours: whether they are certainly of different strength."""
    return [
        f"{one['bot']} {'is stronger than' if gap['certain'] else 'may be no stronger than'} "
        f"{other['bot']}: margins {gap['margin']:.1f} apart ({_bounds(gap['interval'])})"
        for one, other in pairwise(rows) for gap in [one["before_next"]]
    ]


def _bounds(interval: list[float] | None) -> str:
    return "one deal" if interval is None else f"{interval[0]:+.1f} to {interval[1]:+.1f}"
