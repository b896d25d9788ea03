"""Pairs of players that may have colluded, as a table."""

from __future__ import annotations

from rich.table import Table

from cli.views.tables import table

KINDS = (("wins", "wins against the giver"), ("giver_left", "lost tables that the giver left"),
         ("others_beaten", "others beaten next to the giver"))


def collusion_table(rows: list[dict], games: int) -> Table:
    """Return the pairs, the most suspicious first."""
    return table(("giver", "taker", "tables", "count", "p", ""), [
        (row["giver_name"], row["taker_name"], str(row["tables"]),
         "\n".join(f"{row[kind]['count']:g} of {row[kind]['of']} {words}, expected "
                   f"{row[kind]['expected']:g}" for kind, words in KINDS if kind in row),
         "\n".join(f"{row[kind]['p']:g}" for kind, _ in KINDS if kind in row),
         " ".join(["suspect"] * row["suspect"] + ["same owner"] * row.get("same_owner", False)))
        for row in rows], ["giver", "taker", "count"],
        f"Signs of collusion ({games} game{'s' * (games != 1)})",
        "p is the chance that any pair of honest players reaches as much; suspect: at most 0.01")
