"""``fogg verify``."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING

import click

from cli.commands import common

if TYPE_CHECKING:
    from domain.log import Log


@click.command()
@common.SOURCES
@common.BOARDS
@click.option(
    "--log",
    "log_source",
    metavar="FILE|URL",
    help="The log of finished games, as `GET /v1/log` gives it with `Accept: "
    "application/x-ndjson`: each game must be in it.",
)
@click.option(
    "--head",
    "heads",
    multiple=True,
    metavar="HASH",
    help="Hash of a log line that you have kept: the log must contain it.",
)
@common.jobs_option()
@common.json_option("each game")
def verify(
    sources: tuple[str, ...],
    folders: tuple[str, ...],
    log_source: str | None,
    heads: tuple[str, ...],
    jobs: int,
    as_json: bool,
) -> None:
    """Check finished games: hashes, shuffles, every action and the score.

    A source has one entry in each line, of one game or of many, as `GET /v1/games/ID/events`
    returns them; it may be compressed with gzip. The first wrong entry of each game is named, and
    the exit code is then 1. docs/fairness.md lists what is checked and what cannot be.

    \b
    Example:
      fogg verify var/demo/*/history.ndjson
      fogg verify https://fogg.example/v1/games/g_0123456789abcdef0123 --json
      fogg verify games.ndjson --log https://fogg.example/v1/log --head 5f1c...
    """
    from cli.recorded.sources import size_of
    from cli.recorded.verdicts import against, verdicts
    from domain.boards import boards_by_digest

    common.stop_on_signals()
    boards_by_digest(folders)
    log = _log_of(log_source, heads)
    size, read, wrong, count, unread = size_of(sources), {}, 0, 0, 0
    start = time.perf_counter()
    with common.progress_bar("{task.fields[games]} games", "bytes") as bar:
        task = bar.add_task("", total=size or None, games=0)

        def progress(source: str, position: int) -> None:
            read[source] = position
            bar.update(task, completed=sum(read.values()))

        for row in verdicts(sources, folders, jobs, progress):
            row = against(row, log) if log else row
            if row.get("code") in common.NO_HISTORY:
                unread += 1
            else:
                wrong, count = wrong + (not row["ok"]), count + 1
            bar.update(task, games=count)
            if as_json:
                click.echo(json.dumps(row))
            elif not row["ok"]:
                click.echo(common.wrong_game(row))
            elif "unknown" in row:
                click.echo(members_unknown(row))
    if not as_json:
        if count or not unread:
            seconds = time.perf_counter() - start
            click.echo(
                f"{count - wrong} of {count} game{'s' * (count != 1)} "
                f"{'is' if count == 1 else 'are'} right ({count / seconds:.0f} a second)"
            )
        if unread:
            click.echo(f"{unread} source{'s' * (unread != 1)} could not be checked: see above")
        if log and log.head.n:
            click.echo(f"the log ends with line {log.head.n}, whose hash is {log.head.hash}")
    sys.exit(1 if wrong or unread else 0)


def members_unknown(row: dict) -> str:
    """Return a line about a correct game whose entries have unknown members."""
    from domain.game.difference import short

    return (
        f"{row['source']}, {row['game']}: members that this Fogg does not know, covered by the "
        f"hashes and not checked otherwise: {short(', '.join(row['unknown']))}"
    )


def _log_of(source: str | None, heads: tuple[str, ...]) -> Log | None:
    from cli.recorded.sources import Unreadable
    from cli.recorded.verdicts import read_log
    from domain.log import BrokenLog

    if not source:
        if heads:
            raise click.UsageError("--head needs --log")
        return None
    try:
        log = read_log(source)
        for head in heads:
            if log.n_with(head.lower()) is None:
                raise BrokenLog(f"no line has the hash {head.lower()}")
    except (Unreadable, BrokenLog) as error:
        raise click.ClickException(f"--log {source}: {error}") from error
    return log
