"""``fogg board``."""

import json
from pathlib import Path

import click

from cli.commands import Group
from cli.commands.common import json_option, picture_option, write_picture


@click.group(cls=Group)
def board() -> None:
    """Work on board tables.

    \b
    Example:
      fogg board check my-board.json --picture my-board.svg
    """


@board.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@picture_option("Draw the map")
@json_option("the statistics")
def check(file: Path, picture: Path | None, as_json: bool) -> None:
    """Check a board's table and print its statistics.

    All faults are reported at once, each with its place and line. docs/boards.md describes the
    tables.

    \b
    Example:
      fogg board check my-board.json --picture my-board.svg
    """
    from domain import boards
    from domain.drawing.picture import draw
    from domain.errors import BrokenTable

    try:
        board = boards.check(file)
    except BrokenTable as error:
        first = BrokenTable(error.where, error.line, error.reason)
        raise click.ClickException(
            "\n".join([f"{file} cannot be played", *map(str, (first, *error.others))])
        ) from error
    if picture:
        write_picture(picture, draw(board))
    statistics = board.statistics()
    if as_json:
        click.echo(json.dumps(statistics))
        return
    for name, value in statistics.items():
        click.echo(f"{name.replace('_', ' '):>22}  {value}")
