"""What several commands need."""

from __future__ import annotations

import os
import signal
from functools import wraps
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console

SOURCES = click.argument("sources", metavar="FILE|URL...", nargs=-1, required=True)
SOURCE = click.argument("source", metavar="FILE|URL")
BOARDS = click.option("--boards", "folders", multiple=True, metavar="FOLDER",
                      type=click.Path(exists=True, file_okay=False),
                      help="Folder with the tables of boards that are not Fogg's own.")


def stop_on_signals() -> None:
    """Let SIGTERM and SIGHUP end the command as Ctrl-C does, also one started in the background,
    where a shell has Ctrl-C ignored."""
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.default_int_handler)


def terminal(*, stderr: bool = False) -> Console:
    """Return the terminal. What is printed there is text, whatever a player calls himself: styles
    are given beside it, never in it."""
    from rich.console import Console

    return Console(stderr=stderr, markup=False, emoji=False)


def on_the_store(command):
    """Tell in a sentence if the Redis that FOGG_REDIS_URL names, or the archive, is not to be had
    for a command that works on them beside the service."""

    @wraps(command)
    def run(*args, **options) -> None:
        from redis import RedisError

        from service.operation.settings import METRICS

        os.environ.pop(METRICS, None)  # a web process that starts the command counts for itself

        from service.errors import ArchiveDown
        from service.operation.redis import RedisUnavailable
        from service.store.numbers import BadSetting
        from service.store.vaults import NoVault

        try:
            command(*args, **options)
        except (RedisUnavailable, NoVault, ArchiveDown, BadSetting) as error:
            raise click.ClickException(str(error)) from error
        except RedisError as error:
            raise click.ClickException(f"Redis does not answer: {error}") from error

    return run


def on_a_service(command):
    """Let a command name its service, and tell of what that refuses in a sentence."""

    @click.option("--server", default="http://127.0.0.1:8000", show_default=True,
                  envvar="FOGG_SERVER", help="The service; FOGG_SERVER names it, too.")
    @click.option("--json", "as_json", is_flag=True, help="Print JSON, and only that.")
    @wraps(command)
    def run(*args, server: str, **options) -> None:
        from fogg_client.client import Problem
        from fogg_client.runner import NoToken
        from urllib3.exceptions import HTTPError

        try:
            command(*args, server=server, **options)
        except (Problem, NoToken) as error:
            body = getattr(error, "body", {})
            raise click.ClickException(body.get("detail") or str(error)) from error
        except HTTPError as error:
            raise click.ClickException(f"{server} cannot be reached: {error}") from error

    return run


def wrong_game(row: dict) -> str:
    """Return a line about a game that is wrong."""
    game = f", {row['game']}" if row["game"] else ""
    line = f":{row['line']}" if "line" in row else ""  # no line of a whole history
    return (f"{row['source']}{line}{game}: entry {row['version']} is wrong "
            f"({row['code']}): {row['reason']}")
