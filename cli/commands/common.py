"""Options and helpers shared by several commands."""

from __future__ import annotations

import json
import os
import re
import secrets
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import wraps
from math import isfinite
from pathlib import Path
from threading import Condition, Timer, main_thread
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeVar

import click

from service import settings

if TYPE_CHECKING:
    from fogg_client import Client
    from redis import Redis
    from rich.console import Console, RenderableType
    from rich.progress import Progress

    from cli.offline.arena import Arena, Result
    from cli.recorded.games import RecordedGame
    from cli.recorded.recording import Recording
    from domain.codec import Json
    from domain.game.proof import Wrong
    from domain.game.state import State

NO_HISTORY = ("another-format", "unreadable", "empty")  # codes of a source without any entry
WIDE = 10_000  # columns: no line is wrapped
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # signals that end a command
# Where an exception leaves a lock locked for ever, so that the command waits for it at its end
LOCKING = (Condition.__enter__.__code__, Condition.__exit__.__code__)
LATER_S = 0.01  # seconds
SEED_BITS = 53  # which a number of JSON keeps in every language
T = TypeVar("T")

DATA = click.option(
    "--data",
    default=settings.DATA_FOLDER,
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The data folder of fogg up; FOGG_REDIS_URL and FOGG_DATABASE override it.",
)
SOURCES = click.argument("sources", metavar="FILE|URL...", nargs=-1, required=True)
SOURCE = click.argument("source", metavar="FILE|URL")
BOARDS = click.option(
    "--boards",
    "folders",
    multiple=True,
    metavar="FOLDER",
    type=click.Path(exists=True, file_okay=False),
    help="Folder with the tables of boards that are not Fogg's own.",
)


class Amount(click.FloatRange):
    """A number in a range; click itself takes "nan" for one, and "inf"."""

    def convert(self, value, param, ctx):
        """Return the number; reject other text, and numbers out of the range."""
        number = super().convert(value, param, ctx)
        return number if isfinite(number) else self.fail(f"{value!r} is not a number.", param, ctx)


def _address(_ctx: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    if value is None:
        return None
    if not settings.is_http_url(value):
        raise click.BadParameter(f"{value!r} is not a URL (example: http://127.0.0.1:8000)")
    return value.rstrip("/").removesuffix("/v1")  # request paths begin with /v1


def server_option(
    words: str = "The service; FOGG_SERVER names it, too.",
    default: str | None = "http://127.0.0.1:8000",
):
    """Return the option for the service's URL."""
    return click.option(
        "--server",
        default=default,
        metavar="URL",
        show_default=True,
        envvar=settings.SERVER.name,
        callback=_address,
        help=words,
    )


def token_option(*, required: bool = False):
    """Return the option for the file with an account's token."""
    return click.option(
        "--token-file",
        type=click.Path(dir_okay=False, path_type=Path),
        required=required,
        envvar=settings.TOKEN_FILE.name,
        help="The account's token: read if the file exists, else written after "
        "signing up; also set by FOGG_TOKEN_FILE.",
    )


OWNER = click.option(
    "--owner",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The token file of a new bot's owner, read or made.  [default: a new account]",
)


def bot_account(
    server: str, name: str | None, usual: str, token_file: Path | None, owner: Path | None
) -> Client:
    """Return a client of a token file's account; if there is none, sign up a bot, and say so. Its
    name is ``usual`` unless one is given; also say so if the account has another name."""
    from fogg_client import accounts

    is_new = not (token_file and token_file.exists())
    client = accounts.bot_account(server, name or usual, token_file, owner)
    bot = client.get("/v1/me") if is_new or name else {}
    if is_new:
        owned_by = client.get(f"/v1/players/{bot['owner']}")["name"]
        click.echo(
            f"Signed up the bot {bot['name']} ({bot['id']}), owned by {owned_by} "
            f"({bot['owner']}). Its public games are rated.",
            err=True,
        )
    elif name and name != bot["name"]:
        click.echo(
            f"{token_file} holds the account {bot['name']}; --name is for a new one only.", err=True
        )
    return client


class Stopped(KeyboardInterrupt):
    """A signal has asked the command to end. The exit code is the one that shells use for it."""

    def __init__(self, number: int):
        super().__init__()
        self.number, self.code = number, 128 + number


def exit_code(stop: KeyboardInterrupt) -> int:
    """Return the exit code of a command that was ended by a signal: 130 after Ctrl-C."""
    return stop.code if isinstance(stop, Stopped) else 128 + signal.SIGINT


def stop_on_signals() -> None:
    """Make SIGTERM and SIGHUP end the command as Ctrl-C does. Also enable Ctrl-C for commands
    started in the background, for which shells ignore it."""
    for name in STOPPING:
        signal.signal(name, _stop)
    sys.unraisablehook = _stop_anyway


def _stop(number: int, frame: FrameType | None) -> None:
    """Raise Stopped. If a lock is held that would stay locked, raise it a little later."""
    while frame:
        if frame.f_code in LOCKING:
            return _signal_later(number)
        frame = frame.f_back
    raise Stopped(number)


def _stop_anyway(ignored: sys.UnraisableHookArgs) -> None:
    """Report an exception that Python ignores, as in a finalizer, which the import of a module
    runs, too. If it is Stopped, raise it again a little later instead."""
    if isinstance(ignored.exc_value, Stopped):
        _signal_later(ignored.exc_value.number)
    else:
        sys.__unraisablehook__(ignored)


def _signal_later(number: int) -> None:
    Timer(LATER_S, signal.pthread_kill, [main_thread().ident, number]).start()


def terminal(*, stderr: bool = False) -> Console:
    """Return a console for the terminal, pipe or file, which wraps no line. It prints plain text,
    even if a player's name looks like markup; styles are passed separately."""
    from rich.console import Console

    console = Console(stderr=stderr, markup=False, emoji=False, soft_wrap=False)
    if not console.is_terminal:
        console.width = WIDE
    return console


def show(as_json: bool, value: Any, *shown: RenderableType) -> None:
    """Print a value as JSON, else what it is shown as."""
    if as_json:
        click.echo(json.dumps(value))
    else:
        terminal().print(*shown)


def progress_bar(before: str, after: str) -> Progress:
    """Return a bar between these words, which counts on stderr and disappears at the end."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    return Progress(
        TextColumn(before),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(after),
        console=terminal(stderr=True),
        transient=True,
    )


def until_stopped(results: Iterable[T], title: str, total: int) -> tuple[list[T], int]:
    """Return the results and the exit code; after Ctrl-C, those that have come, if any. Show the
    progress in a terminal."""
    from rich.progress import track

    console, come = terminal(stderr=True), list[T]()
    try:
        for result in track(
            results, title, total, console=console, transient=True, disable=not console.is_terminal
        ):
            come.append(result)
    except KeyboardInterrupt as stop:
        if not come:
            raise
        return come, exit_code(stop)
    return come, 0


def show_preparing(bots: Iterable[str], policies: Mapping[str, Any] | None = None) -> None:
    """Wait until these bots can play, and show the progress. ``policies`` have been read
    already."""
    from rich.progress import Progress

    from cli.offline.named import prepare

    console, task = terminal(stderr=True), None
    with Progress(console=console, disable=not console.is_terminal) as shown:
        for done in prepare(bots, policies):
            if task is None:
                console.print(
                    "A bot is compiled, once on this machine: this takes about half a minute."
                )
                task = shown.add_task("compiling", total=1.0)
            shown.update(task, completed=done)


@contextmanager
def redis_of(data: Path) -> Iterator[str]:
    """Yield the URL of a service's Redis: FOGG_REDIS_URL, else the embedded Redis of a data folder.
    The embedded one is started for this command if ``fogg up`` does not run."""
    from service.redis.connection import EmbeddedRedis, RedisUnavailable, running_url

    folder = data / "redis"
    if url := settings.REDIS_URL.value() or running_url(folder):
        yield url
    elif folder.exists():
        click.echo(f"No service runs on {data}: its Redis is started for this command.", err=True)
        with EmbeddedRedis(folder) as server:
            yield server.url
    else:
        raise RedisUnavailable(
            f"there is no {folder}: name the folder of fogg up by --data, or a "
            "Redis by FOGG_REDIS_URL"
        )


def database_of(data: Path) -> str:
    """Return the URL of a service's database: FOGG_DATABASE, else the file in its data folder."""
    from service.records.database import sqlite_url

    if settings.DATABASE.is_set():
        return settings.DATABASE.value()
    return sqlite_url(data / "records.sqlite3")


def database_in_use(redis: Redis, data: Path) -> str:
    """Return the URL of a service's database as ``database_of`` does. Raise ClickException if that
    is the file in the data folder, and the service uses another database."""
    from service.records.recorder import PLACE

    url = database_of(data)
    if settings.DATABASE.is_set():
        return url
    used = (redis.get(PLACE) or b"").decode()
    file = data / "records.sqlite3"
    is_a_server = "://" in used
    is_another_file = Path(used).is_file() and not (file.exists() and file.samefile(used))
    if is_a_server or is_another_file:
        raise click.ClickException(
            f"the service uses the database {used}, not {file}: set FOGG_DATABASE to the one that "
            "you mean"
        )
    return url


def on_the_store(command):
    """Decorate a command that works on a service's Redis and its database. Bring the database's
    tables up to date, but make none. Do not count the work in the metrics of the process that
    started it."""

    @DATA
    @wraps(command)
    def run(*args, data: Path, **options) -> None:
        from service.redis.connection import connect

        settings.PROMETHEUS_MULTIPROC_DIR.unset()
        from service.app import build_services  # reads that setting when it is loaded

        with (
            redis_of(data) as url,
            connect(url) as redis,
            settings.REDIS_URL.set_to(url),
            settings.DATABASE.set_to(database_in_use(redis, data)),
        ):
            # an error of Redis, its layout or the boards is named first
            with closing(build_services().games.database) as database:
                database.migrate(create=False)
            command(*args, **options)

    return run


def _count_of_processes(_ctx: click.Context, _option: click.Parameter, value: int) -> int:
    if value:
        return value
    has_affinity = hasattr(os, "sched_getaffinity")
    return len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1


def jobs_option():
    """Return the option for the number of processes."""
    return click.option(
        "--jobs",
        default=0,
        show_default=True,
        type=click.IntRange(0, 256),
        metavar="N",
        callback=_count_of_processes,
        help="Number of processes; 0 means one for each core, 1 this one.",
    )


def json_option(shown: str = "the result"):
    """Return the option to print JSON; ``shown`` is what a command prints."""
    return click.option(
        "--json", "as_json", is_flag=True, help=f"Print {shown} as JSON, and nothing else."
    )


def seats_option(most: int = 8):
    """Return the option for the number of seats; the board may allow fewer than ``most``."""
    return click.option(
        "--seats",
        default=2,
        show_default=True,
        type=click.IntRange(2, most),
        help="Number of seats at a table.",
    )


def _of_histories(_ctx: click.Context, _option: click.Parameter, out: Path | None) -> Path | None:
    """Refuse a file that has something else than whole lines of JSON, which would be spoiled."""
    if out and out.is_file() and out.stat().st_size:
        with out.open("rb") as file:
            first = file.read(1)
            file.seek(-1, os.SEEK_END)
            if (first, file.read(1)) != (b"{", b"\n"):
                raise click.BadParameter(
                    f"{out} has something else than whole lines of histories: name a new file"
                )
    return out


def match_options(command):
    """Add the options of games that bots play offline."""
    for option in (
        jobs_option(),
        click.option(
            "--out",
            type=click.Path(dir_okay=False, path_type=Path),
            callback=_of_histories,
            help="Add the history of each game to this file.",
        ),
        click.option(
            "--seed",
            type=int,
            default=lambda: secrets.randbits(SEED_BITS),
            help="Fixes the deals.  [default: a random one, which is shown]",
        ),
        seats_option(),
        click.option(
            "--games",
            default=100,
            show_default=True,
            type=click.IntRange(1),
            help="Games of each table on each board, rounded up to whole rounds of the seats.",
        ),
    ):
        command = option(command)
    return command


def play_arena(contest: Arena, jobs: int) -> tuple[list[Result], int]:
    """Return the results of an arena and the exit code; after Ctrl-C, those that have come. Show
    the progress in a terminal."""
    from cli.offline import arena

    stop_on_signals()
    show_preparing(contest.names, contest.policies)
    arena.check(contest)
    return until_stopped(
        arena.results(contest, jobs), " ".join(contest.names), len(contest.schedule)
    )


def on_a_service(command):
    """Add the option for the service's URL, and print one sentence if it cannot be reached."""

    @server_option()
    @json_option()
    @wraps(command)
    def run(*args, server: str, **options) -> None:
        from urllib3.exceptions import HTTPError

        try:
            command(*args, server=server, **options)
        except HTTPError as error:
            raise unreachable(server, error) from error

    return run


def unreachable(server: str, error: Exception) -> click.ClickException:
    """Return the error for a service that does not answer."""
    why = re.sub(r"^\[Errno -?\d+\] ", "", str(error).rpartition(": ")[2])
    return click.ClickException(
        f"{server} cannot be reached: {why}. Name another service with "
        "--server or FOGG_SERVER; fogg up runs one"
    )


def picture_option(words: str):
    """Return the option for the file of a picture."""

    def name(_ctx: click.Context, _option: click.Parameter, value: Path | None) -> Path | None:
        if value and value.suffix not in (".svg", ".png"):
            raise click.BadParameter(f"{value}: the name should end in .svg or .png")
        return value

    return click.option(
        "--picture",
        type=click.Path(dir_okay=False, path_type=Path),
        callback=name,
        help=f"{words} into this SVG or PNG file.",
    )


def write_picture(file: Path, drawn: str) -> None:
    """Write an SVG to a file, converted to PNG if the name ends in .png."""
    if file.suffix == ".svg":
        file.write_text(drawn, encoding="utf-8")
        return
    import resvg_py

    file.write_bytes(bytes(resvg_py.svg_to_bytes(svg_string=drawn)))


def words_about(wrong: Wrong) -> str:
    """Return a sentence about a fault of a source or of one of its entries."""
    return wrong.reason if wrong.code in NO_HISTORY else str(wrong)


def wrong_game(row: dict) -> str:
    """Return a line about a game with a fault, or about a source without games."""
    if row["code"] in NO_HISTORY:
        return f"{row['source']}: {row['reason']}"
    game = f", {row['game']}" if row["game"] else ""
    line = f":{row['line']}" if "line" in row else ""  # a fault of the whole history has no line
    return (
        f"{row['source']}{line}{game}: entry {row['version']} is wrong "
        f"({row['code']}): {row['reason']}"
    )


def whole_games(
    sources: Sequence[str], folders: tuple[str, ...]
) -> Iterator[tuple[RecordedGame, list[Json], State]]:
    """Yield each game of some sources, its entries and its last state, once it is proved. End the
    command at the first that is not right, or not over."""
    from cli.recorded.games import read
    from domain.boards import boards_by_digest
    from domain.game.proof import Proof, Wrong
    from domain.game.state import FINISHED

    boards = boards_by_digest(folders)
    for file in (one for one in sources if not one.startswith(("http://", "https://"))):
        os.stat(file)  # a missing one is named before anything is done
    for game in (game for source in sources for game in read(source)):
        proof, entries = Proof(boards), []
        try:
            for entry in game.entries():
                proof.add(entry)
                entries.append(entry)
            if proof.state is None or proof.state.status != FINISHED:
                raise Wrong(proof.version + 1, "unfinished", "the game is not over")
        except Wrong as wrong:
            row = {"game": game.id()} | game.fault(wrong)
            raise click.ClickException(wrong_game(row)) from wrong
        yield game, entries, proof.state


def recording_in(
    source: str, folders: tuple[str, ...], game: str | None, as_json: bool, needs_one: bool = False
) -> Recording:
    """Return the recording of a game in a source; without an id, of its only game. If it has
    several, list them and end the command, which is an error if it needs one."""
    from cli.recorded.games import game_with, read
    from cli.recorded.recording import recording_of
    from cli.recorded.sources import Unreadable
    from cli.views.tables import games_table
    from domain.boards import boards_by_digest
    from domain.game.proof import Wrong

    boards = boards_by_digest(folders)
    try:
        if game:
            chosen = game_with(source, game)
        else:
            chosen, *others = read(source)
            if others and needs_one:
                raise Unreadable("malformed", "holds several games: name one by --game")
            if others:
                games = [one.about() for one in (chosen, *others)]
                show(as_json, {"games": games}, games_table(games))
                sys.exit()
        return recording_of(boards, chosen.entries())
    except Wrong as wrong:
        raise click.ClickException(f"{source}: {words_about(wrong)}") from wrong
    except Unreadable as error:
        raise click.ClickException(f"{source}: {error}") from error
