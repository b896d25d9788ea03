"""``fogg collusion``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.commands import common

if TYPE_CHECKING:
    from rich.table import Table

KINDS = (
    ("wins", "wins against the giver"),
    ("giver_left", "lost tables that the giver left"),
    ("others_beaten", "others beaten next to the giver"),
)


@click.command()
@click.argument("source", metavar="FILE")
@common.BOARDS
@click.option("--player", metavar="ID", help="Only pairs with this account.")
@click.option(
    "--pairs",
    "most",
    default=20,
    show_default=True,
    type=click.IntRange(1),
    help="Maximum number of pairs, the most suspicious first.",
)
@common.json_option("the pairs")
def collusion(
    source: str, folders: tuple[str, ...], player: str | None, most: int, as_json: bool
) -> None:
    """Look for signs of collusion in finished games.

    FILE is the archive.zip of a tournament, or a file of histories as fogg export --histories
    writes it. Two accounts that shared at least two tables are compared with themselves at other
    tables. A suspect is a reason to look at the games, not proof: docs/tournaments.md explains the
    numbers. The games are verified first.

    \b
    Example:
      fogg collusion archive.zip
      fogg collusion games.ndjson.gz --player p_0123456789abcdef0123 --json
    """
    from cli.offline.collusion import pairs, played

    common.stop_on_signals()
    games = [
        game for _, _, state in common.whole_games([source], folders) if (game := played(state))
    ]
    if player and not any(player in game.accounts for game in games):
        raise click.ClickException(f"{source}: {player} has played none of the games")
    rows = pairs(games, player)[:most]
    common.show(
        as_json,
        {"games": len(games), "pairs": rows},
        collusion_table(rows, len(games)) if rows else "No two players shared two or more tables",
    )


def collusion_table(rows: list[dict], games: int) -> Table:
    """Return the pairs, the most suspicious first."""
    from cli.views.tables import table

    return table(
        ("giver", "taker", "tables", "count", "p", ""),
        [
            (
                row["giver_name"],
                row["taker_name"],
                str(row["tables"]),
                "\n".join(
                    f"{row[kind]['count']:g} of {row[kind]['of']} {words}, expected "
                    f"{row[kind]['expected']:g}"
                    for kind, words in KINDS
                    if kind in row
                ),
                "\n".join(f"{row[kind]['p']:g}" for kind, _ in KINDS if kind in row),
                " ".join(
                    ["suspect"] * row["suspect"] + ["same owner"] * row.get("same_owner", False)
                ),
            )
            for row in rows
        ],
        ["giver", "taker", "count"],
        f"Signs of collusion ({games} game{'s' * (games != 1)})",
        "p is the chance that any pair of honest players reaches as much; suspect: at most 0.01",
    )
