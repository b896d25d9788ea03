"""``fogg leaderboard``."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import click

from cli.commands.common import on_a_service, show

if TYPE_CHECKING:
    from rich.table import Table


@click.command()
@click.argument("board", default="overall")
@click.option("--settled", is_flag=True, help="Leave out players with a provisional rating.")
@click.option(
    "--active-since",
    metavar="TIME",
    help="Only players with a rated game since then, such as 2026-11-01T00:00:00Z.",
)
@click.option(
    "--players",
    default=20,
    show_default=True,
    type=click.IntRange(1),
    help="Maximum number of players.",
)
@on_a_service
def leaderboard(
    server: str, board: str, settled: bool, active_since: str | None, players: int, as_json: bool
) -> None:
    """Show the strongest players of a service, on BOARD or over all.

    docs/ratings.md explains the ratings.

    \b
    Example:
      fogg leaderboard usa --settled
    """
    from fogg_client import accounts
    from fogg_client.client import segment

    query = {"provisional": str(not settled).lower()}
    query |= {"active_since": active_since} if active_since else {}
    items = accounts.reach(server).items(
        f"/v1/leaderboards/{segment(board)}", limit=min(players, 200), **query
    )
    rows = [*islice(items, players)]
    show(
        as_json,
        {"board": board, "items": rows},
        _table(board, rows) if rows else "No rated game yet",
    )


def _table(board: str, rows: list[dict]) -> Table:
    from cli.views.tables import table

    shown = []
    for row in rows:
        who = row["player"]
        name = " ".join(filter(None, (who["name"], who.get("version"), "bot" in who and "(bot)")))
        shown.append(
            (
                str(row["rank"]),
                name,
                f"{row['rating']:.1f}{'?' if row['provisional'] else ' '}",
                f"{row['mu']:.1f}",
                f"{row['sigma']:.1f}",
                str(row["games"]),
                str(row["wins"]),
            )
        )
    return table(
        ("", "player", "rating", "mu", "sigma", "games", "wins"),
        shown,
        ["player"],
        f"Ratings: {board}",
        "? is provisional",
    )
