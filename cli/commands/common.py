"""What several commands need."""

from __future__ import annotations

import signal
from functools import wraps

import click

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


def on_a_service(command):
    """Let a command name its service, and tell of what that refuses in a sentence."""

    @click.option("--server", default="http://127.0.0.1:8000", show_default=True,
                  help="The service.")
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
    return (f"{row['source']}:{row['line']}{game}: entry {row['version']} is wrong "
            f"({row['code']}): {row['reason']}")
