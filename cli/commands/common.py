"""What several commands need."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click

from service import settings

if TYPE_CHECKING:
    from rich.console import Console

    from domain.game.proof import Wrong

NO_HISTORY = ("another-format", "unreadable", "empty")  # codes of what is no fault of an entry
WIDE = 10_000  # columns where nobody's terminal ends a line
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # they end a command

DATA = click.option("--data", default="var", show_default=True,
                    type=click.Path(file_okay=False, path_type=Path),
                    help="The folder of fogg up, unless FOGG_REDIS_URL names a Redis.")
SOURCES = click.argument("sources", metavar="FILE|URL...", nargs=-1, required=True)
SOURCE = click.argument("source", metavar="FILE|URL")
BOARDS = click.option("--boards", "folders", multiple=True, metavar="FOLDER",
                      type=click.Path(exists=True, file_okay=False),
                      help="Folder with the tables of boards that are not Fogg's own.")


def _address(_ctx: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    """Return the address of a service; refuse what can be none before anything is tried."""
    if value is None:
        return None
    if not settings.is_http_url(value):
        raise click.BadParameter(f"{value!r} is not a URL (example: http://127.0.0.1:8000)")
    return value.rstrip("/").removesuffix("/v1")  # paths of requests begin with that


def server_option(default: str | None = "http://127.0.0.1:8000", *more: str,
                  words: str = "The service; FOGG_SERVER names it, too."):
    """Return the option that names the service; ``more`` are other names for it."""
    return click.option("--server", *more, "server", default=default, metavar="URL",
                        show_default=bool(default), envvar=settings.SERVER.name, callback=_address,
                        help=words)


def token_option(*, required: bool = False):
    """Return the option that names the file with an account's token."""
    return click.option("--token-file", type=click.Path(dir_okay=False, path_type=Path),
                        required=required, envvar=settings.TOKEN_FILE.name,
                        help="Keeps the account: read if it is there, else written after signing "
                             "up; FOGG_TOKEN_FILE names it, too.")


class Stopped(KeyboardInterrupt):
    """A signal has told the command to end; its exit code is what shells make of that signal."""

    def __init__(self, number: int):
        super().__init__()
        self.code = 128 + number


def exit_code(stop: KeyboardInterrupt) -> int:
    """Return the exit code of a command that was told to end: 130 after Ctrl-C."""
    return stop.code if isinstance(stop, Stopped) else 128 + signal.SIGINT


def stop_on_signals() -> None:
    """Let SIGTERM and SIGHUP end the command as Ctrl-C does, also one started in the background,
    where a shell has Ctrl-C ignored."""
    for name in STOPPING:
        signal.signal(name, _stop)


def _stop(number: int, *_) -> None:
    raise Stopped(number)


class Rest:
    """From now on the first of those signals ends the command only while it rests, not in the midst
    of what it does then; one that comes before ends the next rest."""

    def __init__(self) -> None:
        self._asked_by, self._is_resting = 0, False  # the signal that asks to end, if one has
        for name in STOPPING:
            signal.signal(name, self._hear)

    def __call__(self, seconds: float) -> None:
        """Rest; raise Stopped once the command is to end."""
        self._is_resting = True
        if self._asked_by:
            raise Stopped(self._asked_by)
        time.sleep(seconds)
        self._is_resting = False

    def _hear(self, number: int, *_) -> None:
        if self._is_resting or self._asked_by:
            raise Stopped(number)
        self._asked_by = number


def terminal(*, stderr: bool = False) -> Console:
    """Return the terminal, or the pipe or file in its place, in which no line ends early. What is
    printed there is text, whatever a player calls himself: styles are given beside it, never in
    it."""
    from rich.console import Console

    console = Console(stderr=stderr, markup=False, emoji=False, soft_wrap=False)
    if not console.is_terminal:
        console.width = WIDE
    return console


def show_preparing(bots: Iterable[str]) -> None:
    """Wait, and show how far it is, until these bots can play."""
    from rich.progress import Progress

    from cli.offline.named import prepare

    console, task = terminal(stderr=True), None
    with Progress(console=console, disable=not console.is_terminal) as shown:
        for done in prepare(bots):
            if task is None:
                console.print("A bot is compiled, once on this machine: this takes a minute or "
                              "two.")
                task = shown.add_task("compiling", total=1.0)
            shown.update(task, completed=done)


@contextmanager
def redis_of(data: Path) -> Iterator[str]:
    """Give the URL of a service's Redis: the one that FOGG_REDIS_URL names, else the embedded one
    of a data folder, which is started for as long as it takes if ``fogg up`` does not run."""
    from service.operation.redis import EmbeddedRedis, RedisUnavailable, running_url

    folder = data / "redis"
    if url := settings.REDIS_URL.value() or running_url(folder):
        yield url
    elif folder.exists():
        with EmbeddedRedis(folder) as server:
            yield server.url
    else:
        raise RedisUnavailable(f"there is no {folder}: name the folder of fogg up by --data, or a "
                               "Redis by FOGG_REDIS_URL")


def on_the_store(command):
    """Let a command work on a service's Redis, and count nothing for the process that started it,
    should that be one of the service's."""

    @DATA
    @wraps(command)
    def run(*args, data: Path, **options) -> None:
        settings.PROMETHEUS_MULTIPROC_DIR.unset()
        with redis_of(data) as url, settings.REDIS_URL.set_to(url):
            command(*args, **options)

    return run


def jobs_option(command):
    """Give a command the option of how many processes work."""
    return click.option("--jobs", type=click.IntRange(1, 256), metavar="N",
                        help="Processes that work; by default one for each core.")(command)


def on_a_service(command):
    """Let a command name its service, and tell in a sentence if that cannot be reached."""

    @server_option()
    @click.option("--json", "as_json", is_flag=True, help="Print JSON, and only that.")
    @wraps(command)
    def run(*args, server: str, **options) -> None:
        from urllib3.exceptions import HTTPError

        try:
            command(*args, server=server, **options)
        except HTTPError as error:
            raise unreachable(server, error) from error

    return run


def unreachable(server: str, error: Exception) -> click.ClickException:
    """Return what to raise where a service does not answer."""
    why = re.sub(r"^\[Errno -?\d+\] ", "", str(error).rpartition(": ")[2])
    return click.ClickException(f"{server} cannot be reached: {why}. Another service is named by "
                                "--server or FOGG_SERVER; fogg up runs one")


def picture_name(_ctx: click.Context, _option: click.Parameter, value: Path | None) -> Path | None:
    """Return the name of a picture's file; refuse one that does not say which kind it is."""
    if value and value.suffix not in (".svg", ".png"):
        raise click.BadParameter(f"{value}: the name should end in .svg or .png")
    return value


def write_picture(file: Path, drawn: str) -> None:
    """Write an SVG into a file, as PNG if it is called so."""
    if file.suffix == ".svg":
        file.write_text(drawn, encoding="utf-8")
        return
    try:
        import resvg_py
    except ImportError as error:
        raise click.ClickException(
            "PNG takes the package resvg-py: pip install resvg-py; .svg takes nothing") from error
    file.write_bytes(bytes(resvg_py.svg_to_bytes(svg_string=drawn)))


def words_about(wrong: Wrong) -> str:
    """Return what is wrong with a source, or with an entry in it."""
    return wrong.reason if wrong.code in NO_HISTORY else str(wrong)


def wrong_game(row: dict) -> str:
    """Return a line about a game that is wrong, or about a source that holds none."""
    if row["code"] in NO_HISTORY:
        return f"{row['source']}: {row['reason']}"
    game = f", {row['game']}" if row["game"] else ""
    line = f":{row['line']}" if "line" in row else ""  # no line of a whole history
    return (f"{row['source']}{line}{game}: entry {row['version']} is wrong "
            f"({row['code']}): {row['reason']}")
