"""``fogg collusion``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from cli.commands import common

if TYPE_CHECKING:
    from rich.table import Table

    from cli.offline.collusion import Played

KINDS = (("wins", "wins against the giver"), ("giver_left", "lost tables that the giver left"),
         ("others_beaten", "others beaten next to the giver"))


@click.command()
@click.argument("source", metavar="FILE")
@common.BOARDS
@click.option("--player", metavar="ID", help="Only pairs with this account.")
@click.option("--pairs", "most", default=20, show_default=True, type=click.IntRange(1),
              help="Maximum number of pairs, the most suspicious first.")
@common.json_option("the pairs")
def collusion(source: str, folders: tuple[str, ...], player: str | None, most: int,
              as_json: bool) -> None:
    """Look for signs of collusion in finished games.

    FILE is the archive.zip of a tournament, or a file of histories as fogg export --histories
    writes it. Two accounts that shared at least two tables are compared with themselves at other
    tables. A suspect is a reason to look at the games, not proof: docs/tournaments.md explains the
    numbers. Check the games by fogg verify first.

    \b
    Example:
      fogg collusion archive.zip
      fogg collusion games.ndjson.gz --player p_0123456789abcdef0123 --json
    """
    from cli.offline.collusion import pairs

    common.stop_on_signals()
    games = [*_played(source, folders)]
    if player and not any(player in game.accounts for game in games):
        raise click.ClickException(f"{source}: {player} has played none of the games")
    rows = pairs(games, player)[:most]
    common.show(as_json, {"games": len(games), "pairs": rows}, collusion_table(rows, len(games))
                if rows else "No two players shared two or more tables")


def _played(source: str, folders: tuple[str, ...]) -> Iterator[Played]:
    from cli.offline.collusion import played
    from cli.recorded.games import read
    from cli.recorded.recording import recording_of
    from domain.boards import boards_by_digest
    from domain.game.proof import Wrong
    from domain.game.state import FINISHED

    boards = boards_by_digest(folders)
    for recorded in read(source):
        try:
            recording = recording_of(boards, recorded.entries())
            state = recording.at(None)
            if recording.wrong:
                raise recording.wrong
            if state.status != FINISHED:
                raise Wrong(state.version + 1, "unfinished", "the game is not over")
        except Wrong as wrong:
            raise click.ClickException(common.wrong_game({
                "source": source, "game": recorded.id(), "line": recorded.line_of(wrong.version),
                "version": wrong.version, "code": wrong.code, "reason": wrong.reason})) from wrong
        if game := played(state):
            yield game


def collusion_table(rows: list[dict], games: int) -> Table:
    """Return the pairs, the most suspicious first."""
    from cli.views.tables import table

    return table(("giver", "taker", "tables", "count", "p", ""), [
        (row["giver_name"], row["taker_name"], str(row["tables"]),
         "\n".join(f"{row[kind]['count']:g} of {row[kind]['of']} {words}, expected "
                   f"{row[kind]['expected']:g}" for kind, words in KINDS if kind in row),
         "\n".join(f"{row[kind]['p']:g}" for kind, _ in KINDS if kind in row),
         " ".join(["suspect"] * row["suspect"] + ["same owner"] * row.get("same_owner", False)))
        for row in rows], ["giver", "taker", "count"],
        f"Signs of collusion ({games} game{'s' * (games != 1)})",
        "p is the chance that any pair of honest players reaches as much; suspect: at most 0.01")
