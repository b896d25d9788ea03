"""``fogg replay``."""

import json
import sys
from pathlib import Path

import click

from cli.commands import common


@click.command()
@common.SOURCE
@common.BOARDS
@click.option(
    "--to",
    "version",
    type=click.IntRange(1),
    metavar="N",
    help="Show the position at this version, and end.",
)
@click.option(
    "--seat", type=click.IntRange(0), help="With --json: the view of this seat; the first is 0."
)
@click.option("--game", metavar="ID", help="The game's id, if the source holds many.")
@common.picture_option("Draw the position at --to, else the last,")
@common.json_option("the view at --to, else the last,")
def replay(
    source: str,
    folders: tuple[str, ...],
    version: int | None,
    seat: int | None,
    game: str | None,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Step through a recorded game in the terminal, or draw it.

    Left and right step, up and down scroll, space plays and pauses, q quits. A source with several
    games is listed. Only folding is checked here; use fogg verify for a full check.

    \b
    Example:
      fogg replay var/demo/20260101-120000/history.ndjson
      fogg replay history.ndjson --to 40 --picture position.png
    """
    from cli.views.replay import position, step_through
    from domain.drawing.picture import draw
    from domain.game.proof import check
    from domain.game.view import view, view_with_terms

    common.stop_on_signals()
    with common.terminal(stderr=True).status(f"reading {source}"):
        needs_one = picture is not None or version is not None or seat is not None
        recording = common.recording_in(source, folders, game, as_json, needs_one)
    try:
        state = recording.at(version)
        if seat is not None and seat not in state.seats:
            raise LookupError(f"there is no seat {seat}")
    except LookupError as error:
        raise click.ClickException(str(error)) from error
    try:
        if picture:
            common.write_picture(picture, draw(state.board, view(state, None, sealed=False)))
        if as_json:
            click.echo(json.dumps(view_with_terms(state, seat, sealed=False)))
        elif picture:
            pass
        elif version is not None or not (sys.stdin.isatty() and sys.stdout.isatty()):
            common.terminal().print(position(recording, state.version))
        else:
            step_through(recording, common.terminal())
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        if check({state.board.digest: state.board}, recording.entries).wrong is None:
            raise
        raise click.ClickException(
            f"{source}: a value cannot be shown ({error!r}): fogg verify "
            "finds what is wrong with it"
        ) from error
    if recording.wrong:
        raise click.ClickException(f"{source}: {recording.wrong}")
