"""``fogg export``."""

import json
import sys
import time
from itertools import chain, islice
from pathlib import Path

import click

from cli.commands import common
from workers.bots import LISTED

TIMES = ["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"]


@click.command()
@click.argument("sources", metavar="[FILE|URL]...", nargs=-1)
@common.BOARDS
@click.option(
    "--decisions", is_flag=True, help="Every decision: the player's view, action and result."
)
@click.option("--histories", is_flag=True, help="Every game, entry by entry.")
@click.option(
    "--sqlite",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Games, seats, claims, tickets and ratings as tables of a SQLite file.",
)
@common.server_option()
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file; existing content is kept and continued.",
)
@click.option(
    "--parquet",
    is_flag=True,
    help="Columns (Apache Parquet) instead of lines of JSON; needs pyarrow.",
)
@click.option("--board", help="Only games on this board.")
@click.option("--bot", type=click.Choice(list(LISTED)), help="Only games with this built-in bot.")
@click.option("--since", type=click.DateTime(TIMES), help="Only games that ended then or later.")
@click.option("--until", type=click.DateTime(TIMES), help="Only games that ended before.")
@click.option("--games", type=click.IntRange(1), help="Maximum number of games.")
@common.json_option("a summary")
def export(
    sources: tuple[str, ...],
    folders: tuple[str, ...],
    server: str,
    sqlite: Path | None,
    out: Path | None,
    parquet: bool,
    games: int | None,
    as_json: bool,
    **filters,
) -> None:
    """Export a service's finished public games to a file, for analysis or training; with --sqlite,
    also the games of files, such as those of fogg arena.

    If it is interrupted, or run again days later, the same command continues where the file ends.
    Times are in UTC. docs/events.md describes lines and columns, docs/database.md the tables.

    \b
    Example:
      fogg export --decisions --board usa --out usa.parquet --parquet
      fogg export --sqlite games.sqlite3
      fogg export --sqlite games.sqlite3 games.ndjson
    """
    from fogg_client.client import Client
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
    from urllib3.exceptions import HTTPError

    from cli.export import download
    from cli.export.files import ColumnFile, LineFile
    from cli.export.tables import TableFile

    kinds = [kind for kind in ("decisions", "histories") if filters.pop(kind)]
    if len(kinds) + bool(sqlite) != 1:
        raise click.UsageError("say --decisions, --histories or --sqlite FILE")
    if bool(sqlite) == bool(out) or (sqlite and parquet):
        raise click.UsageError("--sqlite names its file; the others need --out")
    kind = kinds[0] if kinds else "histories"
    query = {
        name: value if isinstance(value, str) else value.isoformat() + "Z"
        for name, value in filters.items()
        if value is not None
    }
    if sources and (not sqlite or query or games):
        raise click.UsageError("the games of files are exported by --sqlite alone, and all of them")
    common.stop_on_signals()
    start, done, code, client = time.perf_counter(), download.Progress(), 0, Client(server)
    bar = Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games, {task.fields[said]}"),
        TimeElapsedColumn(),
        console=common.terminal(stderr=True),
        disable=as_json,
    )
    games_of_files = common.whole_games(sources, folders)
    first = [*islice(games_of_files, 1)] if sources else []  # read before a file is made
    try:
        file = (
            TableFile(sqlite, client, folders)
            if sqlite
            else ColumnFile(out, kind)
            if parquet
            else LineFile(out)
        )
        done.resumed_after = file.cursor
        try:
            with bar:
                task = bar.add_task("", total=games, said="")
                for done in (
                    file.copy(chain(first, games_of_files))
                    if sources
                    else download.export(client, kind, file, query, games)
                ):
                    bar.update(
                        task,
                        completed=done.games,
                        said=f"{done.lines:,} lines, {done.bytes / 1e6:,.1f} MB",
                    )
        except click.ClickException as wrong:
            wrong.message += f"; {done.games} games before it are in {sqlite}"
            raise
        except KeyboardInterrupt as stop:
            code = common.exit_code(stop)
        finally:
            file.close()
    except HTTPError as error:
        raise common.unreachable(server, error) from error
    shown = {
        "kind": "sqlite" if sqlite else kind,
        "file": str(sqlite or out),
        "games": done.games,
        "lines": done.lines,
        "bytes": done.bytes,
        "seconds": round(time.perf_counter() - start, 3),
        "complete": not code,
    }
    if done.resumed_after:
        shown["resumed_after"] = done.resumed_after
    click.echo(
        json.dumps(shown)
        if as_json
        else f"{done.games} games, {done.lines} lines in {sqlite or out}"
        + ("; interrupted: the same command goes on" if code else "")
    )
    sys.exit(code)
