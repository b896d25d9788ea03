"""Recorded games: checked, looked at, written to files, put into a service."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import click
from rich.console import Console

from cli.commands.common import stop_on_signals
from service.accounts.bots import BOTS
from service.operation.redis import RedisUnavailable

TIMES = ["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"]
SOURCES = click.argument("sources", metavar="FILE|URL...", nargs=-1, required=True)
SOURCE = click.argument("source", metavar="FILE|URL")
BOARDS = click.option("--boards", "folders", multiple=True, metavar="FOLDER",
                      type=click.Path(exists=True, file_okay=False),
                      help="Folder with the tables of boards that are not Fogg's own.")


@click.command()
@SOURCES
@BOARDS
@click.option("--jobs", default=0, show_default=True, type=click.IntRange(0, 256),
              help="Processes that check; 0 takes one for each processor.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON line for each game.")
def verify(sources: tuple[str, ...], folders: tuple[str, ...], jobs: int, as_json: bool) -> None:
    """Check finished games: hashes, shuffles, every action and the score.

    A source has one entry a line, of one game or of many, as `GET /v1/games/ID/events` gives them;
    it may be packed with gzip. The first entry of a game that is wrong is named, and the exit code
    is 1. docs/fairness.md says what is checked, and what cannot be.

    \b
    Example:
      fogg verify var/demo/*/history.ndjson
      fogg verify https://fogg.example/v1/games/g_0123456789abcdef0123 --json
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from cli import histories
    from domain.board.board import boards_by_digest
    from domain.errors import BrokenTable

    stop_on_signals()
    try:
        boards_by_digest(folders)
    except BrokenTable as error:
        raise click.ClickException(f"--boards: {error}") from error
    size, read, wrong, count = histories.size_of(sources), {}, 0, 0
    start = time.perf_counter()
    with Progress(TextColumn("{task.fields[games]} games"), BarColumn(), MofNCompleteColumn(),
                  TextColumn("bytes"), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=size or None, games=0)

        def progress(source: str, position: int) -> None:
            read[source] = position
            bar.update(task, completed=sum(read.values()))

        for row in histories.verified(sources, folders, jobs or os.cpu_count() or 1, progress):
            wrong, count = wrong + (not row["ok"]), count + 1
            bar.update(task, games=count)
            if as_json:
                click.echo(json.dumps(row))
            elif not row["ok"]:
                click.echo(_told_wrong(row))
    if not as_json:
        seconds = time.perf_counter() - start
        click.echo(f"{count - wrong} of {count} games are right ({count / seconds:.0f} a second)")
    sys.exit(1 if wrong else 0)


@click.command()
@SOURCE
@BOARDS
@click.option("--to", "version", type=click.IntRange(1), metavar="N",
              help="Show the position at this version, and end.")
@click.option("--seat", type=click.IntRange(0), help="With --json: the view of this seat.")
@click.option("--picture", type=click.Path(dir_okay=False, path_type=Path),
              help="Draw the position at --to, else the last, into this SVG or PNG file.")
@click.option("--animation", type=click.Path(dir_okay=False, path_type=Path),
              help="Draw the whole game into this SVG file, which moves.")
@click.option("--seconds", default=30.0, show_default=True, type=click.FloatRange(1, 3600),
              help="How long the animation takes.")
@click.option("--json", "as_json", is_flag=True,
              help="Print the view at --to, else the last, as JSON.")
def replay(source: str, folders: tuple[str, ...], version: int | None, seat: int | None,
           picture: Path | None, animation: Path | None, seconds: float, as_json: bool) -> None:
    """Go through a recorded game in the terminal, or draw it.

    Right and left step, space lets it run, q ends. Nothing is checked here but that the history
    can be folded: see fogg verify.

    \b
    Example:
      fogg replay var/demo/20260101-120000/history.ndjson
      fogg replay history.ndjson --to 40 --picture position.png
      fogg replay history.ndjson --animation game.svg
    """
    from cli import replay as player
    from domain.drawing.animation import animated
    from domain.drawing.picture import draw
    from domain.game.view import view

    if picture and picture.suffix not in (".svg", ".png"):
        raise click.BadParameter(f"{picture}: the name should end in .svg or .png")
    if animation and animation.suffix != ".svg":
        raise click.BadParameter(f"{animation}: what moves is SVG, so the name should end in .svg")
    stop_on_signals()
    recording = _recording(source, folders)
    try:
        state = recording.at(version)
        if seat is not None and seat not in state.seats:
            raise LookupError(f"there is no seat {seat}")
    except LookupError as error:
        raise click.ClickException(str(error)) from error
    if picture:
        drawn = draw(state.board, view(state, None))
        picture.write_bytes(drawn.encode() if picture.suffix == ".svg" else _png(drawn))
    if animation:
        begun = [state for state in recording.states if state.was_begun]
        if not begun:
            raise click.ClickException("the game was never dealt out: there is nothing to show")
        animation.write_text(animated(state.board, [view(each, None) for each in begun], seconds))
    if as_json:
        click.echo(json.dumps(view(state, seat)))
    elif version is not None or not (sys.stdin.isatty() and sys.stdout.isatty()):
        if not (picture or animation):
            Console().print(player.shown(recording, state.version))
    elif not (picture or animation):
        player.step_through(recording, Console())
    if recording.wrong:
        raise click.ClickException(f"{source}: {recording.wrong}")


def _png(drawn: str) -> bytes:
    """Return an SVG as a PNG."""
    try:
        import resvg_py
    except ImportError as error:
        raise click.ClickException(
            "PNG takes the package resvg-py: pip install 'fogg[png]'; .svg takes nothing"
        ) from error
    return bytes(resvg_py.svg_to_bytes(svg_string=drawn))


@click.command()
@SOURCE
@BOARDS
@click.option("--rules", required=True, type=int, metavar="N", help="The version of the rules.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def refold(source: str, folders: tuple[str, ...], rules: int, as_json: bool) -> None:
    """Say what a version of the rules would have scored for a recorded game.

    \b
    Example:
      fogg refold var/demo/20260101-120000/history.ndjson --rules 1
    """
    from domain.game.proof import rescored

    recording = _recording(source, folders)
    state = recording.at(None)
    if recording.wrong:
        raise click.ClickException(f"{source}: {recording.wrong}")
    if not state.results:
        raise click.ClickException(f"{source}: the game has no result to compare with")
    try:
        results = rescored(state, rules)
    except LookupError as error:
        raise click.ClickException(str(error.args[0])) from error
    if as_json:
        click.echo(json.dumps({"game": state.id, "rules_version": state.rules_version,
                               "results": state.results, "rules": rules, "would_be": results,
                               "same": list(results) == list(state.results)}))
        return
    click.echo(f"{state.id} was played by rules version {state.rules_version}")
    for seat, (was, now) in enumerate(zip(state.results, results, strict=True)):
        changed = ", ".join(f"{part} {was[part]} -> {now[part]}" for part in now
                            if was.get(part) != now[part])
        click.echo(f"  seat {seat}: {was['total']} points, rank {was['rank']}; by version {rules} "
                   f"{changed or 'the same'}")


@click.command("import")
@SOURCES
@BOARDS
@click.option("--json", "as_json", is_flag=True, help="Print a JSON line for each game.")
def import_games(sources: tuple[str, ...], folders: tuple[str, ...], as_json: bool) -> None:
    """Put finished games into the service, each whole or not at all.

    What fogg verify refuses is refused. A game that is there already stays as it is; another one
    of its id is refused. The Redis is the one that FOGG_REDIS_URL names.

    \b
    Example:
      FOGG_REDIS_URL=unix:///srv/fogg/var/redis/redis.sock fogg import games.ndjson.gz
    """
    from cli import histories
    from domain.board.board import boards_by_digest
    from domain.errors import BrokenTable
    from domain.game.proof import Wrong
    from service import wiring
    from service.records import importing

    try:
        store = wiring.services().games.store
        boards = importing.known_boards(store, boards_by_digest(folders).values())
    except (RedisUnavailable, BrokenTable) as error:
        raise click.ClickException(str(error)) from error
    refused = count = new = 0
    for lines in (lines for source in sources for lines in histories.read(source)):
        row = {"source": lines.source}
        try:
            game, is_new = importing.put(store, boards, lines.entries())
            row |= {"game": game, "ok": True, "new": is_new}
            new += is_new
        except Wrong as wrong:
            row |= {"game": "", "ok": False, "line": lines.line_of(wrong.version),
                    "version": wrong.version, "code": wrong.code, "reason": wrong.reason}
        except importing.NotImported as error:
            row |= {"game": "", "ok": False, "line": lines.first, "version": 1,
                    "code": error.code, "reason": str(error)}
        refused, count = refused + (not row["ok"]), count + 1
        if as_json:
            click.echo(json.dumps(row))
        elif not row["ok"]:
            click.echo(_told_wrong(row))
    if not as_json:
        click.echo(f"{new} of {count} games are new here, {count - new - refused} were here, "
                   f"{refused} are refused")
    sys.exit(1 if refused else 0)


def _recording(source: str, folders: tuple[str, ...]):
    """Return the recording of a source that holds one game."""
    from cli import histories
    from cli.replay import recorded
    from domain.board.board import boards_by_digest
    from domain.errors import BrokenTable
    from domain.game.proof import Wrong

    try:
        boards = boards_by_digest(folders)
        return recorded(boards, histories.only(source).entries())
    except BrokenTable as error:
        raise click.ClickException(f"--boards: {error}") from error
    except (Wrong, histories.Unreadable) as error:
        raise click.ClickException(f"{source}: {error}") from error


def _told_wrong(row: dict) -> str:
    """Return a line about a game that is wrong."""
    game = f", {row['game']}" if row["game"] else ""
    return (f"{row['source']}:{row['line']}{game}: entry {row['version']} is wrong "
            f"({row['code']}): {row['reason']}")


@click.command()
@click.option("--decisions", "kind", flag_value="decisions",
              help="Every decision: what the player saw, did, and came to.")
@click.option("--histories", "kind", flag_value="histories", help="Every game, entry by entry.")
@click.option("--url", default="http://127.0.0.1:8000", show_default=True, help="The service.")
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path),
              help="The file; what is in it already is kept, and gone on with.")
@click.option("--parquet", is_flag=True,
              help="Columns (Apache Parquet) instead of lines of JSON; needs pyarrow.")
@click.option("--board", help="Only games on this board.")
@click.option("--bot", type=click.Choice(list(BOTS)), help="Only games with this built-in bot.")
@click.option("--since", type=click.DateTime(TIMES), help="Only games that ended then or later.")
@click.option("--until", type=click.DateTime(TIMES), help="Only games that ended before.")
@click.option("--games", type=click.IntRange(1), help="At most so many games.")
@click.option("--json", "as_json", is_flag=True, help="Print a summary as JSON, and only that.")
def export(kind: str | None, url: str, out: Path, parquet: bool, games: int | None, as_json: bool,
           **wishes) -> None:
    """Write a service's finished public games to a file, to analyse or to learn from.

    Interrupted, or some days later, the same command goes on where it ended. Times are in UTC.
    docs/events.md describes lines and columns.

    \b
    Example:
      fogg export --decisions --board usa --out usa.parquet --parquet
    """
    from fogg_client.client import Client, Problem
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
    from urllib3.exceptions import HTTPError

    from cli import export as columns

    if kind is None:
        raise click.UsageError("say --decisions or --histories")
    wish = {name: value if isinstance(value, str) else value.isoformat() + "Z"
            for name, value in wishes.items() if value is not None}
    stop_on_signals()
    start, done, is_whole = time.perf_counter(), columns.Exported(), True
    bar = Progress(BarColumn(), MofNCompleteColumn(), TextColumn("games, {task.fields[said]}"),
                   TimeElapsedColumn(), console=Console(stderr=True), disable=as_json)
    try:
        file = (columns.Columns if parquet else columns.Lines)(out, kind)
        done.resumed_after = file.cursor
        try:
            with bar:
                task = bar.add_task("", total=games, said="")
                for done in columns.export(Client(url), kind, file, wish, games):
                    bar.update(task, completed=done.games,
                               said=f"{done.lines:,} lines, {done.bytes / 1e6:,.1f} MB")
        except KeyboardInterrupt:
            is_whole = False
        finally:
            file.close()
    except (Problem, columns.CannotExport, OSError) as error:
        raise click.ClickException(str(error)) from error
    except HTTPError as error:
        raise click.ClickException(f"{url} cannot be reached: {error}") from error
    shown = {"kind": kind, "file": str(out), "games": done.games, "lines": done.lines,
             "bytes": done.bytes, "seconds": round(time.perf_counter() - start, 3),
             "complete": is_whole}
    if done.resumed_after:
        shown["resumed_after"] = done.resumed_after
    click.echo(json.dumps(shown) if as_json else
               f"{done.games} games, {done.lines} lines in {out}"
               + ("" if is_whole else "; interrupted: the same command goes on"))
    sys.exit(0 if is_whole else 130)


@click.command()
@click.option("--ratings", "is_ratings", is_flag=True,
              help="Only count the ratings anew, from what is kept of each rated game.")
@click.option("--json", "as_json", is_flag=True, help="Print the count as JSON.")
def rebuild(is_ratings: bool, as_json: bool) -> None:
    """Make every index anew from the games' histories.

    Safe while the service runs. The Redis is the one that FOGG_REDIS_URL names.

    \b
    Example:
      FOGG_REDIS_URL=unix:///srv/fogg/var/redis/redis.sock fogg rebuild
    """
    from service import wiring
    from service.records import filing, ratings

    try:
        services = wiring.services()
    except RedisUnavailable as error:
        raise click.ClickException(str(error)) from error
    console = Console(stderr=True)
    if is_ratings:
        count = ratings.recount(services.games.store)
        click.echo(json.dumps({"games": count}) if as_json else f"{count} games are rated")
        return
    with console.status("reading histories") as status:
        count = filing.rebuild(services.games.store, lambda done: status.update(f"{done} games"))
        services.tournaments.rebuild()
    click.echo(json.dumps({"games": count}) if as_json else f"{count} games are indexed")
