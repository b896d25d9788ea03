"""``fogg up`` and ``fogg demo``: a whole service on this machine."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import click

from cli.commands.common import stop_on_signals, terminal
from service.accounts.bots import BOTS
from service.operation.redis import RedisUnavailable
from service.operation.stack import Stack, StackFailed
from service.store.archive import Archive
from service.store.vaults import NoVault

DATA = click.Path(file_okay=False, path_type=Path)


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535),
              help="Port to listen on; 0 takes a free one.")
@click.option("--data", default="var", show_default=True, type=DATA,
              help="Folder for the games, the bots' tokens and the logs.")
@click.option("--workers", default=1, show_default=True, type=click.IntRange(0, 64),
              help="Processes that play the built-in bots.")
@click.option("--web", default=1, show_default=True, type=click.IntRange(1, 64),
              help="Processes that answer requests.")
@click.option("--json", "as_json", is_flag=True, help="Say what happens as JSON lines.")
def up(host: str, port: int, data: Path, workers: int, web: int, as_json: bool) -> None:
    """Run the service in the foreground, until Ctrl-C.

    Starts a Redis of its own unless FOGG_REDIS_URL names one. What dies is started again.

    \b
    Example:
      fogg up --port 8080 --workers 2
    """
    def say(what: str, **more) -> None:
        text = json.dumps({"event": what} | more) if as_json else " ".join(
            [what, *(str(value) for value in more.values())])
        with suppress(OSError):  # a full disk, or nobody who reads any more
            click.echo(text)

    stop_on_signals()
    try:
        with _stack(data, host=host, port=port, workers=workers, web=web) as stack:
            say("ready", url=stack.url, docs=f"{stack.url}/docs", logs=str(stack.data))
            while True:
                time.sleep(0.5)
                for name in stack.mend():
                    say("restarted", process=name)
    except KeyboardInterrupt:
        say("stopped")


@click.command()
@click.option("--board", default="usa", show_default=True, help="The board to play on.")
@click.option("--bots", default="planner,greedy,random", show_default=True,
              help="The bots, in the order of play: " + ", ".join(BOTS) + ".")
@click.option("--data", default="var/demo", show_default=True, type=DATA,
              help="Folder that gets a folder for this game.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON, and only that.")
def demo(board: str, bots: str, data: Path, as_json: bool) -> None:
    """Watch bots play a whole game, every action of it over HTTP.

    Starts a service of its own on free ports, prints the final scores, and writes the game's
    history and a picture of the final board.

    \b
    Example:
      fogg demo --bots planner,planner,greedy,random
    """
    from fogg_client.client import Client, Problem

    from cli.views import game as shown

    seats = [{"bot": name.strip()} for name in bots.split(",")]
    console = terminal(stderr=as_json)
    folder = data / time.strftime("%Y%m%d-%H%M%S")
    stop_on_signals()
    try:
        with _stack(folder) as stack:
            host = Client(stack.url).sign_up("demo")
            console.print(f"Fogg listens on {stack.url}; its data is in {folder}")
            game = host.post("/v1/games", {"board": board, "seats": seats})["id"]
            entries = shown.watch(host, game, console)
            view = host.view(game)
            history = folder / "history.ndjson"
            history.write_text("".join(json.dumps(entry) + "\n" for entry in
                                       host.entries(game)))
            picture = folder / "board.svg"
            picture.write_text(host.text(f"/v1/games/{game}/board.svg"))
    except Problem as problem:
        raise click.ClickException(problem.body.get("detail", str(problem))) from problem
    except KeyboardInterrupt:
        raise click.Abort from None
    if as_json:
        click.echo(json.dumps({
            "game": game, "board": board, "actions": len(entries), "winner": shown.winners(view),
            "results": [{"seat": seat["seat"], "bot": seat["player"]["bot"]} | seat["result"]
                        for seat in view["seats"]],
            "history": str(history), "picture": str(picture)}))
        return
    console.print(shown.result_table(view))
    winners = shown.winners(view)
    console.print(f"{winners} {'share the victory' if ' and ' in winners else 'wins'}.",
                  style="bold")
    console.print(f"The history is in {history}\nThe final board is in {picture}")


@contextmanager
def _stack(data: Path, **settings) -> Iterator[Stack]:
    """Give a Stack whose failure to start is told as a command's."""
    with ExitStack() as running:
        try:
            Archive.named()
            stack = running.enter_context(Stack(data, **settings))
        except (StackFailed, RedisUnavailable, NoVault, OSError) as error:
            raise click.ClickException(str(error)) from error
        yield stack
