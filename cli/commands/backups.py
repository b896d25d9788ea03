"""``fogg backup`` and ``fogg restore``: all data of a service in one file."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.commands.common import DATA, database_in_use, database_of, json_option, redis_of, terminal
from service import settings

if TYPE_CHECKING:
    from redis import Redis

JSON = json_option("the counts")


@click.command()
@click.argument("to", metavar="FILE|FOLDER", type=click.Path(path_type=Path))
@click.option(
    "--keep",
    type=click.IntRange(min=1),
    metavar="N",
    help="Keep only the last N backups in FOLDER, after checking the new one.",
)
@DATA
@JSON
def backup(to: Path, keep: int | None, data: Path, as_json: bool) -> None:
    """Write all data that cannot be derived to two files, and check them.

    FILE gets the data in Redis. A file next to it gets the database, with the games that are over:
    FILE with .sqlite3, or .pgdump (which needs pg_dump). Safe while the service runs. In a folder,
    the files' name is the time. The files hold secrets and are readable by you only. If a history
    is broken, the exit code is 1 and no old backup is removed.

    \b
    Example:
      fogg backup --data /srv/fogg/var --keep 14 /backup
    """
    from service.eventlog import backup as backups
    from service.games import listing
    from service.records import copying
    from service.records.database import Database
    from service.redis import layout
    from service.redis.connection import connect

    if keep and not to.is_dir():
        raise click.UsageError("--keep needs a folder with the backups")
    file = to / time.strftime("fogg-%Y%m%d-%H%M%S.gz", time.gmtime()) if to.is_dir() else to
    with (
        redis_of(data) as url,
        connect(url) as redis,
        closing(Database(database_in_use(redis, data))) as database,
        terminal(stderr=True).status("reading") as status,
    ):
        redis.ping()  # an error of Redis is named first
        header = {"layout": layout.LAYOUT, **copying.about(database)}
        part = copying.part_of(file, header)

        def write_records() -> None:
            if part:
                status.update("the database is read")
                copying.write(database, part)

        broken = backups.write(
            redis,
            file,
            lambda done: status.update(f"{done} keys read"),
            listing.DERIVED,
            header,
            write_records,
        )
        _, count = backups.check(file)
        backups.note(redis, _size(file, part))
    removed = backups.remove_old(to, keep) if keep and not broken else []
    _say(as_json, file, part, count, broken, [path.name for path in removed])
    raise SystemExit(1 if broken else 0)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@DATA
@JSON
def restore(file: Path, data: Path, as_json: bool) -> None:
    """Restore a backup into a new data folder, or an empty Redis and an empty database.

    The file and the one next to it are checked first, and the lists in Redis are rebuilt. Start the
    service afterwards.

    \b
    Example:
      fogg restore --data /srv/fogg/var /backup/fogg-20260102-030405.gz
    """
    from service.app import build_services
    from service.eventlog import backup as backups
    from service.records import copying, rebuilding
    from service.records.database import Database
    from service.redis import layout

    with (
        closing(Database(database_of(data))) as database,
        terminal(stderr=True).status("checking") as status,
    ):
        header, count = backups.check(file)
        if (number := header["layout"]) != layout.LAYOUT:
            raise click.ClickException(
                f"{file} is of a version with another layout ({number}, this one knows "
                f"{layout.LAYOUT}): restore it by that one (docs/operations.md, Upgrade)"
            )
        part = copying.part_of(file, header)
        if part:
            copying.check_part(part, header, database)
        with _target(data) as redis:
            backups.restore(redis, file, lambda done: status.update(f"{done} keys restored"))
            if part:
                copying.restore(part, database, lambda done: status.update(f"{done} rows restored"))
            database.migrate()
            status.update("games are listed")
            with settings.DATABASE.set_to(database.url):
                games = build_services(redis).games
            with closing(games.database):
                rebuilding.lists(games.kept)
            layout.note_rebuilt(redis)
    _say(as_json, file, part, count, games.broken)


@contextmanager
def _target(data: Path) -> Iterator[Redis]:
    from service.redis.connection import EmbeddedRedis, RedisUnavailable, connect, running_url

    folder, new = data / "redis", data / "redis.restoring"
    if url := settings.REDIS_URL.value():
        with connect(url) as redis:
            yield redis
        return
    if folder.exists() or running_url(new):
        raise RedisUnavailable(f"{folder} is there already: move it away, or restore elsewhere")
    shutil.rmtree(new, ignore_errors=True)  # left by an interrupted restore
    with EmbeddedRedis(new) as server, connect(server.url) as redis:
        redis.config_set("appendfsync", "no")  # the server writes it when it stops
        yield redis
    new.rename(folder)


def _size(file: Path, part: Path | None) -> int:
    return sum(each.stat().st_size for each in (file, part) if each)


def _say(
    as_json: bool,
    file: Path,
    part: Path | None,
    count: Mapping[str, int],
    broken: list[str],
    removed: Sequence[str] = (),
) -> None:
    """Print the counts, and the old backups that were removed. ``part`` is the file with the
    database."""
    summary = {
        "file": str(file),
        "database": part and str(part),
        "bytes": _size(file, part),
        "histories": count["histories"],
        "keys": count["keys"],
        "broken": broken,
    }
    if as_json:
        click.echo(json.dumps(summary | ({"removed": removed} if removed else {})))
        return
    click.echo(
        f"{count['histories']} histories and {count['keys']} other keys are in {file}"
        + (f", and the games that are over in {part}" if part else "")
    )
    for name in removed:
        click.echo(f"{name} was removed")
    for some_id in broken:
        click.echo(f"{some_id} is broken, and was so before: fogg check says more")
