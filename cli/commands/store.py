"""``fogg import``, ``fogg check``, ``fogg rebuild``, ``fogg move``: they work on a service's data
directly."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click
from fogg_client import Client
from fogg_client.problems import Problem
from urllib3.exceptions import HTTPError

from cli.commands import common
from service import settings

if TYPE_CHECKING:
    from service.records.checking import Report

LEFT_BEHIND = (
    "accounts, private and unfinished games, ratings, tournaments and the public log stay where "
    "they were"
)


def _database(_ctx: click.Context, _option: click.Parameter, url: str) -> str:
    try:
        return settings.DATABASE.kind.parse(url)
    except ValueError as error:
        raise click.BadParameter(f"it {error}") from error


@click.command("import")
@common.SOURCES
@common.BOARDS
@common.server_option(
    "Import no more than one game unless this service has that; FOGG_SERVER names it, too.",
    default=None,
)
@common.json_option("each game")
@common.on_the_store
def import_games(
    sources: tuple[str, ...], folders: tuple[str, ...], server: str | None, as_json: bool
) -> None:
    """Import finished games into the service of a data folder, each whole or not at all.

    A game that fogg verify rejects is rejected. A game that exists already stays unchanged; a
    different game with its id is rejected. Safe while the service runs. It has to be on this
    machine, or to use the Redis and the database that FOGG_REDIS_URL and FOGG_DATABASE name.

    Accounts, ratings, tournaments and the public log are not imported: imported games count for no
    rating and have no line in the log.

    \b
    Example:
      fogg import --data /srv/fogg/var games.ndjson.gz
    """
    from cli.recorded.games import read
    from domain.boards import boards_by_digest
    from domain.game.proof import Wrong
    from service.app import build_services
    from service.games import importing

    store = build_services().games.store
    boards = importing.known_boards(store, boards_by_digest(folders).values())
    refused = count = new = 0
    for recorded in (game for source in sources for game in read(source)):
        row = {"source": recorded.source}
        try:
            game, is_new = importing.put(store, boards, recorded.entries())
            if server:
                _require(server, game)
                server = None  # one game is enough
            row |= {"game": game, "ok": True, "new": is_new}
            new += is_new
        except Wrong as wrong:
            row |= {"game": "", "ok": False} | recorded.fault(wrong)
        except importing.NotImported as error:
            row |= {
                "game": "",
                "ok": False,
                "line": recorded.first,
                "version": 1,
                "code": error.code,
                "reason": str(error),
            }
        refused, count = refused + (not row["ok"]), count + 1
        if as_json:
            click.echo(json.dumps(row))
        elif not row["ok"]:
            click.echo(common.wrong_game(row))
    if not as_json:
        click.echo(
            f"{new} of {count} games are new here, {count - new - refused} were here, "
            f"{refused} are refused"
        )
        redis = settings.without_secrets(str(settings.REDIS_URL.value()))
        click.echo(f"Here means the service whose Redis is {redis}")
        if new:
            click.echo(LEFT_BEHIND)
    sys.exit(1 if refused else 0)


def _require(server: str, game: str) -> None:
    """Raise ClickException if a service cannot be reached, or does not have a game."""
    try:
        Client(server, patience=0).get(f"/v1/games/{game}")
    except HTTPError as error:
        raise common.unreachable(server, error) from error
    except Problem as problem:
        raise click.ClickException(
            f"{server} does not have {game}, which was imported here: name the data folder of that "
            "service by --data. No other was imported"
        ) from problem


@click.command()
@common.json_option("the count")
@common.on_the_store
def rebuild(as_json: bool) -> None:
    """Rebuild everything that follows from the games' histories, in Redis and in the database.

    Safe while the service runs; games that end meanwhile are recorded afterwards. Broken histories
    are named and left alone; the exit code is then 1.

    \b
    Example:
      fogg rebuild --data /srv/fogg/var
    """
    from service.app import build_services
    from service.records import rebuilding
    from service.redis import layout

    games, seen = build_services().games, set[str]()
    with (
        closing(games.database),
        common.terminal(stderr=True).status("reading histories") as status,
    ):

        def show(game_id: str) -> None:
            seen.add(game_id)
            status.update(f"{len(seen)} games")

        broken = rebuilding.rebuild(games, show)
        layout.note_rebuilt(games.redis)
    count = len(seen)
    if as_json:
        click.echo(json.dumps({"games": count, "broken": broken}))
    else:
        click.echo(f"{count} games are indexed")
    for name in broken:
        click.echo(f"{name} is broken, and left as it is: fogg check says more", err=True)
    sys.exit(1 if broken else 0)


@click.command()
@click.option(
    "--to",
    "url",
    required=True,
    metavar="URL",
    callback=_database,
    help="The new database: postgresql+psycopg://USER:PASSWORD@HOST/NAME, or sqlite:///FILE.",
)
@common.DATA
@common.json_option("the count")
def move(url: str, data: Path, as_json: bool) -> None:
    """Copy the database with the games that are over to another, empty one.

    Nothing is recorded meanwhile. Then set FOGG_DATABASE to the new one and restart the service.
    Games that were recorded in the old one in between are recorded again, as Redis still has them.

    \b
    Example:
      fogg move --data /srv/fogg/var --to postgresql+psycopg://fogg@db/fogg
    """
    from service.records import copying
    from service.records.database import Database

    with (
        closing(Database(common.database_of(data))) as source,
        closing(Database(url)) as target,
        common.terminal(stderr=True).status("reading") as status,
    ):
        rows = copying.copy(source, target, lambda done: status.update(f"{done:,} rows"))
    click.echo(json.dumps({"rows": rows}) if as_json else f"{rows} rows were copied")


@click.command()
@common.json_option("the findings")
@common.on_the_store
def check(as_json: bool) -> None:
    """Check every history and all data derived from them; print faults and how to repair them.

    Checks games and tournaments, in Redis and in the database: the hash chain, gaps, and whether
    they fold. Then it checks lists, deadlines, statistics, ratings and the log and, if the service
    runs, whether a worker plays its bots. It changes nothing, is safe while the service runs, and
    exits with 1 if it finds a fault.

    \b
    Example:
      fogg check --data /srv/fogg/var
    """
    from service.app import build_services
    from service.records import checking
    from service.redis import durability, layout

    services = build_services()
    redis = services.games.redis
    warnings = [*durability.risky_settings(redis), *layout.warnings(redis)]
    waiting = [one for feature in services.features for one in feature.findings(services)]
    with (
        closing(services.games.database),
        common.terminal(stderr=True).status("reading histories") as status,
    ):
        report = checking.check(
            services.games,
            lambda done: status.update(f"{counts_of(done)}, {len(done.findings)} wrong"),
        )
    report.findings += waiting
    if as_json:
        rows = [
            asdict(finding) | {"do": checking.TO_DO[finding.code]} for finding in report.findings
        ]
        counts = {f"{kind}s": count for kind, count in report.counts.items()}
        click.echo(
            json.dumps(
                {"ok": not rows, "warnings": warnings}
                | counts
                | {"findings": rows, "gone_back": [asdict(one) for one in report.gone_back]}
            )
        )
    else:
        for warning in warnings:
            click.echo(f"warning: {warning}")
        _print_findings(report, checking.TO_DO)
    sys.exit(1 if report.findings else 0)


def _print_findings(report: Report, to_do: dict[str, str]) -> None:
    for finding in report.gone_back:
        click.echo(f"{finding.where} {finding.reason}")
    for code in dict.fromkeys(finding.code for finding in report.findings):
        findings = [finding for finding in report.findings if finding.code == code]
        click.echo(f"{code}: {len(findings)}; {to_do[code]}")
        for finding in findings:
            click.echo(f"  {finding.where}: {finding.reason}")
    verdict = f"{len(report.findings)} things are wrong" if report.findings else "all is right"
    click.echo(f"{counts_of(report, ' and ')}: {verdict}")


def counts_of(report: Report, joint: str = ", ") -> str:
    """Return how many histories of each kind were checked, in words."""
    return joint.join(f"{count} {kind}s" for kind, count in report.counts.items())
