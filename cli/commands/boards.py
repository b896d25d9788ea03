"""``fogg board``."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.group()
def board() -> None:
    """Work on board tables.

    \b
    Example:
      fogg board check my-board.json --picture my-board.svg
    """


@board.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--picture", type=click.Path(dir_okay=False, path_type=Path),
              help="Draw the map into this SVG file.")
@click.option("--json", "as_json", is_flag=True, help="Print the statistics as JSON.")
def check(file: Path, picture: Path | None, as_json: bool) -> None:
    """Say whether a board's table can be played, and what it holds.

    A fault is named with its place and line. docs/boards.md describes the tables.

    \b
    Example:
      fogg board check my-board.json --picture my-board.svg
    """
    from domain.boards import load
    from domain.drawing.picture import draw
    from domain.errors import BrokenTable

    try:
        found = load(file)
    except BrokenTable as error:
        raise click.ClickException(f"{file}: {error}") from error
    if picture:
        picture.write_text(draw(found))
    statistics = found.statistics()
    if as_json:
        click.echo(json.dumps(statistics))
        return
    for name, value in statistics.items():
        click.echo(f"{name.replace('_', ' '):>22}  {value}")
