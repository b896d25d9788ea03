"""An arena's standings in the terminal."""

from itertools import pairwise


def standings_text(shown: dict, width: int = 10_000) -> str:
    """Return standings as lines for a terminal of so many columns."""
    deals = "each deal in every rotation of the seats" if shown["duplicate"] else "each on its deal"
    lines = [
        f"{shown['games']} games, {shown['deals']} deals, {shown['seats']} seats; {deals}; "
        f"seed {shown['seed']}"
    ]
    if not shown["complete"]:
        lines.append("interrupted: what was not played is missing")
    parts = shown["by_board"]
    if len(parts) > 1:
        parts = parts | {"all boards": shown["overall"]}
    for name, rows in parts.items():
        lines += ["", name, *_columns(rows, width), "", *_neighbours(rows), *_note(rows)]
    lines += ["", *map(_pair, shown["pairs"])] if shown["against"] else []
    lines += [
        f"\n{row['bot']} resigned {count} game{'' if count == 1 else 's'}"
        for row in shown["overall"]
        if (count := row["resigned"])
    ]
    for fault in shown["faults"]:
        lines += ["", f"{fault['bot']} lost a game by a fault: {fault['what']}"]
    return "\n".join(lines)


HEADINGS = (
    "bot",
    "games",
    "wins",
    "won %",
    "95 % sure",
    "total",
    "margin",
    "95 % sure",
    "mu",
    "sigma",
    "faults",
    "ms",
)


def _columns(rows: list[dict], room: int) -> list[str]:
    """Return the lines of a table. If the line has no room for a bot's name and its numbers, the
    name gets its own line."""
    cells = [HEADINGS, *(_cells(row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    numbers = [
        [cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)]
        for line in cells
    ]
    lines = [
        "  ".join([line[0].ljust(widths[0]), *row]).rstrip()
        for line, row in zip(cells, numbers, strict=True)
    ]
    if max(map(len, lines)) <= room:
        return lines
    return [
        text for line, row in zip(cells, numbers, strict=True) for text in (line[0], " ".join(row))
    ][1:]


def _cells(row: dict) -> tuple[str, ...]:
    low, high = (100 * bound for bound in row["win_interval"])
    total = "-" if row["mean_total"] is None else f"{row['mean_total']:.1f}"
    margin = (
        ("none", "none")
        if row["margin"] is None
        else (f"{row['margin']:+.1f}", _bounds(row["margin_interval"]))
    )
    return (
        row["bot"],
        str(row["games"]),
        f"{row['wins']:g}",
        f"{100 * row['win_share']:.1f}",
        f"{low:.1f} to {high:.1f}",
        total,
        *margin,
        f"{row['mu']:.1f}",
        f"{row['sigma']:.1f}",
        str(row["faults"]),
        f"{row['ms_per_decision']:.1f}",
    )


def _neighbours(rows: list[dict]) -> list[str]:
    """Return a line for each two neighbours: whether their difference in strength is
    significant."""
    return [
        f"{one['bot']} {'is stronger than' if gap['certain'] else 'may be no stronger than'} "
        f"{other['bot']}: {_apart(gap)}"
        for one, other in pairwise(rows)
        for gap in [one["before_next"]]
    ]


def _apart(gap: dict) -> str:
    """Return the difference in strength between a bot and the next one, with its interval, as
    text."""
    if gap["by"] == "margins" and gap["margin"] is not None:
        return f"margins {gap['margin']:.1f} apart ({_bounds(gap['interval'])})"
    if gap["win_share"] is None:
        return "no deal was played by both"
    low, high = (100 * bound for bound in gap["win_interval"])
    return f"{100 * gap['win_share']:.1f} % more of the games won ({low:+.1f} to {high:+.1f})"


def _pair(row: dict) -> str:
    low, high = (100 * bound for bound in row["win_interval"])
    margin = (
        "none"
        if row["margin"] is None
        else (f"{row['margin']:+.1f} ({_bounds(row['margin_interval'])})")
    )
    return (
        f"{' against '.join(row['bots'])}: won {row['wins'][0]:g} of {row['games']} games "
        f"({low:.1f} to {high:.1f} %), margin {margin}"
    )


def _note(rows: list[dict]) -> list[str]:
    """Return a line about the games of a table that bots have left."""
    if all(row["faults"] == row["resigned"] == 0 for row in rows):
        return []
    return ["sorted by games won: a game that a bot resigned or lost by a fault has no margin"]


def _bounds(interval: list[float] | None) -> str:
    return "one deal" if interval is None else f"{interval[0]:+.1f} to {interval[1]:+.1f}"
