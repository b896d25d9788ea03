"""``fogg up`` and ``fogg demo``: a whole service on this machine."""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.commands.common import exit_code, json_option, stop_on_signals, terminal
from cli.processes import signals_put_off
from domain.board.board import Board
from domain.boards import load
from service import settings
from service.accounts.bots import BOTS
from service.games.boards import all_boards
from service.operation.stack import MEND_EVERY, Stack

if TYPE_CHECKING:
    from rich.console import Console

DATA = click.Path(file_okay=False, path_type=Path)


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    default=8000,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="Port to listen on; 0 takes a free one.",
)
@click.option(
    "--data", default="var", show_default=True, type=DATA, help="Folder for the games and the logs."
)
@click.option(
    "--workers",
    default=1,
    show_default=True,
    type=click.IntRange(0, 64),
    help="Processes that play the built-in bots.",
)
@click.option(
    "--web",
    default=1,
    show_default=True,
    type=click.IntRange(1, 64),
    help="Processes that answer requests.",
)
@json_option("events")
def up(host: str, port: int, data: Path, workers: int, web: int, as_json: bool) -> None:
    """Run the service in the foreground, until Ctrl-C.

    Starts an embedded Redis unless FOGG_REDIS_URL is set. Processes that die are started again.

    \b
    Example:
      fogg up --port 8080 --workers 2
    """
    from workers import preparing

    def say(what: str, **more) -> None:
        text = (
            json.dumps({"event": what} | more)
            if as_json
            else " ".join([what, *(str(value) for value in more.values())])
        )
        with suppress(OSError):  # a full disk, or a closed pipe
            click.echo(text)

    stop_on_signals()
    try:
        if not as_json:
            click.echo(f"Starting; data folder: {data} ...", err=True)
        with _stack(data, host=host, port=port, workers=workers, web=web) as stack:
            with signals_put_off():
                if not as_json:
                    say(f"Play at {stack.url}")
                say("ready", url=stack.url, docs=f"{stack.url}/docs", logs=str(stack.data))
                for warning in stack.warnings:
                    say("warning", message=warning)
                if waiting := preparing.missing() if workers else {}:
                    if why := preparing.hindrance(waiting):
                        say("warning", message=why)
                    else:
                        say("preparing", bots=", ".join(waiting))
            while True:
                time.sleep(MEND_EVERY)
                with signals_put_off():
                    if waiting and not preparing.missing():
                        say("prepared", bots=", ".join(waiting))
                        waiting = {}
                    for name in stack.mend():
                        say("restarted", process=name)
    except KeyboardInterrupt as stop:
        say("stopped")
        if (code := exit_code(stop)) == 128 + signal.SIGINT:
            sys.exit(code)  # a service manager must see the code


@click.command()
@click.option("--board", default="usa", show_default=True, help="A board, or a board's file.")
@click.option(
    "--bots",
    default="planner,greedy,random",
    show_default=True,
    help="The bots, in the order of play: " + ", ".join(BOTS) + ".",
)
@click.option(
    "--data",
    default="var/demo",
    show_default=True,
    type=DATA,
    help="Folder; the game gets a subfolder.",
)
@json_option()
def demo(board: str, bots: str, data: Path, as_json: bool) -> None:
    """Watch bots play a whole game, every action of it over HTTP.

    Starts its own service on free ports, prints the final scores, and writes the game's history and
    a picture of the final board. In a terminal it then prints an address to replay the game in a
    browser, and waits for Enter.

    \b
    Example:
      fogg demo --bots planner,planner,greedy,random
    """
    from fogg_client.client import Client

    from cli.views import game as shown

    console = terminal(stderr=as_json)
    folder = data / time.strftime("%Y%m%d-%H%M%S")
    stop_on_signals()
    names = [name.strip() for name in bots.split(",")]
    table = _table(board, names)
    console.print(f"Starting a service of its own, with its data in {folder} ...")
    with _boards(folder, table), _stack(folder) as stack:
        host = Client(stack.url).sign_up("demo")
        console.print(f"It listens on {stack.url}. {', '.join(names)} play on {table.name} ...")
        game = host.post(
            "/v1/games", {"board": table.id, "seats": [{"bot": name} for name in names]}
        )["id"]
        entries = shown.watch(host, game, console)
        view = host.view(game)
        history = folder / "history.ndjson"
        history.write_text("".join(json.dumps(entry) + "\n" for entry in host.entries(game)))
        picture = folder / "board.svg"
        picture.write_text(host.text(f"/v1/games/{game}/board.svg"), encoding="utf-8")
        if not as_json:
            _show_result(console, view)
            console.print(f"The history is in {history}\nThe final board is in {picture}")
            if sys.stdin.isatty() and sys.stdout.isatty():
                console.print(f"Replay it at {stack.url}/games/{game}", style="bold")
                with suppress(EOFError, KeyboardInterrupt):
                    console.input("Enter ends this. ")
    if as_json:
        click.echo(
            json.dumps(
                {
                    "game": game,
                    "board": table.id,
                    "actions": len(entries),
                    "winner": shown.winners(view),
                    "results": [
                        {"seat": seat["seat"], "bot": seat["player"]["bot"]} | seat["result"]
                        for seat in view["seats"]
                    ],
                    "history": str(history),
                    "picture": str(picture),
                }
            )
        )


def _show_result(console: Console, view: dict) -> None:
    from cli.views import game as shown

    console.print(shown.result_table(view))
    winners = shown.winners(view)
    console.print(
        f"{winners} {'share the victory' if ' and ' in winners else 'wins'}.", style="bold"
    )


def _table(board: str, bots: list[str]) -> Board:
    """Return the board of a demo; reject options that cannot be played, before anything starts."""
    if unknown := [name for name in bots if name not in BOTS]:
        raise click.BadParameter(
            f"there is no bot {unknown[0]!r}; bots are {', '.join(BOTS)}", param_hint="--bots"
        )
    boards = all_boards()
    table = load(Path(board)) if board.endswith(".json") else boards.get(board)
    if table is None:
        raise click.BadParameter(
            f"there is no board called {board}; boards are {', '.join(boards)}, or a file .json",
            param_hint="--board",
        )
    if len(bots) not in table.players:
        raise click.BadParameter(
            f"{table.name} needs {table.players[0]} to {table.players[-1]} "
            f"players; you named {len(bots)}",
            param_hint="--bots",
        )
    if boards.get(table.id, table).digest != table.digest:
        raise click.BadParameter(
            f"{board}: there is another board of the id {table.id} already", param_hint="--board"
        )
    return table


@contextmanager
def _boards(folder: Path, table: Board) -> Iterator[None]:
    """Offer the board of a file in the service that is started meanwhile."""
    if table.id in all_boards():
        yield
        return
    (folder / "boards").mkdir(parents=True)
    (folder / "boards" / f"{table.id}.json").write_text(json.dumps(table.table))
    with settings.BOARDS.set_to(str((folder / "boards").absolute())):
        yield


@contextmanager
def _stack(data: Path, **options) -> Iterator[Stack]:
    """Yield a Stack; reject settings first that would end its processes."""
    settings.check()
    all_boards()
    with Stack(data, **options) as stack:
        yield stack
