"""``fogg archive``: move finished games from Redis into files."""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from dataclasses import asdict

import click

from cli.commands.common import Amount, jobs_option, json_option, on_the_store, terminal


@click.command()
@click.option("--older-than", "days", type=Amount(min=0), metavar="DAYS",
              help="Archive games that ended DAYS ago; by default FOGG_ARCHIVE_DAYS, or 0.25.")
@click.option("--min-games", "least", default=1, show_default=True,
              type=click.IntRange(1),
              help="Do so only for at least so many games, or if one has been due for a day.")
@click.option("--find", "is_find", is_flag=True,
              help="Instead, restore the references to archived games that Redis has lost.")
@jobs_option()
@json_option("the counts")
@on_the_store
def archive(
    days: float | None, least: int, is_find: bool, jobs: int, as_json: bool
) -> None:
    """Move finished games from Redis to the archive, where they are read from as before.

    Each game is read back and compared before it is deleted from Redis. Safe while the service
    runs, which does the same by itself every five minutes, if there is enough for a file. Where
    finished games take more than FOGG_ARCHIVE_MB of Redis' memory, or 1000, the oldest go at once.
    Games that were aborted before anybody played are forgotten after FOGG_FORGET_DAYS, or 7.
    FOGG_ARCHIVE names the archive.

    \b
    Example:
      FOGG_ARCHIVE=/srv/fogg/archive \\
        fogg archive --data /srv/fogg/var --older-than 7
    """
    from service.api import wiring
    from service.operation.stores import game_store
    from service.projections import archiving
    from service.store import last_successes
    from service.store.cores import Cores
    from service.store.locks import Busy

    store = wiring.services().games.store
    if not store.archive.is_there:
        raise click.ClickException(
            "FOGG_ARCHIVE names no archive: set it to a folder, or to s3://BUCKET/PREFIX")
    with terminal(stderr=True).status("looking for games") as status:
        if is_find:
            damaged: dict[str, list[str]] = defaultdict(list)
            count = archiving.find(store, lambda done: status.update(f"{done} games"),
                                   lambda name, reason: damaged[name].append(reason))
            for name, reasons in damaged.items():
                click.echo(f"{name} is damaged: {'; '.join(reasons)}", err=True)
            click.echo(json.dumps({"found": count, "damaged": damaged}) if as_json
                       else f"{count} games were found; fogg rebuild puts them into lists")
            sys.exit(1 if damaged else 0)
        try:
            report = archiving.run(
                store, days, least, lambda done: status.update(f"{done.archived} games"),
                Cores(game_store, jobs))
        except Busy:
            raise click.ClickException(
                "another fogg archive is under way; if it was killed, try again in "
                f"{archiving.LOCK_S} seconds") from None
        if not report.wrong:
            last_successes.note(store.redis, last_successes.ARCHIVE)
    if as_json:
        click.echo(json.dumps(asdict(report)))
    else:
        for game, reason in report.wrong.items():
            click.echo(f"{game} stays in Redis: {reason}", err=True)
        click.echo(f"{report.archived} games were archived, {report.forgotten} that nobody had "
                   f"played were forgotten, {len(report.wrong)} stay as something is wrong")
    sys.exit(1 if report.wrong else 0)
