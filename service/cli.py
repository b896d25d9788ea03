"""The command ``fogg``: the one place where the service and its clients meet."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path

import click
from rich.console import Console

from service.bots import BOTS
from service.redis import RedisUnavailable, connect
from service.stack import Stack, StackFailed

DATA = click.Path(file_okay=False, path_type=Path)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="fogg")
def main() -> None:
    """Fogg: play Ticket to Ride by API.

    \b
    Example:
      fogg demo           watch three bots play
      fogg up             run the service
    """


@main.command()
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
        click.echo(text)

    _stop_on_signals()
    try:
        with _stack(data, host=host, port=port, workers=workers, web=web) as stack:
            say("ready", url=stack.url, docs=f"{stack.url}/docs", logs=str(stack.data))
            while True:
                time.sleep(0.5)
                for name in stack.mend():
                    say("restarted", process=name)
    except KeyboardInterrupt:
        say("stopped")


@main.command()
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
    from workers import show
    from workers.client import Client, Problem

    seats = [{"bot": name.strip()} for name in bots.split(",")]
    console = Console(stderr=as_json)
    folder = data / time.strftime("%Y%m%d-%H%M%S")
    _stop_on_signals()
    try:
        with _stack(folder) as stack:
            host = Client(stack.url).sign_up("demo")
            console.print(f"Fogg listens on {stack.url}; its data is in {folder}")
            game = host.post("/v1/games", {"board": board, "seats": seats})["id"]
            entries = show.watch(host, game, console)
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
            "game": game, "board": board, "actions": len(entries), "winner": show.winners(view),
            "results": [{"seat": seat["seat"], "bot": seat["player"]["bot"]} | seat["result"]
                        for seat in view["seats"]],
            "history": str(history), "picture": str(picture)}))
        return
    console.print(show.result_table(view))
    console.print(f"[bold]{show.winners(view)} wins.[/bold]" if " and " not in show.winners(view)
                  else f"[bold]{show.winners(view)} share the victory.[/bold]")
    console.print(f"The history is in {history}\nThe final board is in {picture}")


@main.group()
def board() -> None:
    """Work on board tables.

    \b
    Example:
      fogg board check my-board.json --picture my-board.svg
    """


@board.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--picture", type=click.Path(dir_okay=False, path_type=Path),
              help="Draw the map into this SVG file.")
@click.option("--json", "as_json", is_flag=True, help="Print the statistics as JSON.")
def check(file: Path, picture: Path | None, as_json: bool) -> None:
    """Say whether a board's table can be played, and what it holds.

    A fault is named with its place and line. docs/boards.md describes the tables.

    \b
    Example:
      fogg board check my-board.json --picture my-board.svg
    """
    from domain.board import load
    from domain.errors import BrokenTable
    from domain.picture import draw

    try:
        found = load(file)
    except BrokenTable as error:
        raise click.ClickException(f"{file}: {error}") from error
    if picture:
        picture.write_text(draw(found))
    statistics = found.statistics()
    if as_json:
        click.echo(json.dumps(statistics))
        return
    for name, value in statistics.items():
        click.echo(f"{name.replace('_', ' '):>22}  {value}")


@main.group()
def bot() -> None:
    """Try and run bots of your own. docs/bots.md shows how to write one.

    \b
    Example:
      fogg bot try my_bot:Mine --against greedy
      fogg bot run my_bot:Mine --games 10
    """


@bot.command("try")
@click.argument("bot", metavar="MODULE:CLASS")
@click.option("--against", default="planner", show_default=True, metavar="BOT",
              help="A built-in bot or another MODULE:CLASS, on all other seats.")
@click.option("--games", default=100, show_default=True, type=click.IntRange(1),
              help="How many games, rounded up so that each deal is played from each seat.")
@click.option("--board", default="usa", show_default=True, help="A board, or a table's file.")
@click.option("--seats", default=2, show_default=True, help="How many seats.")
@click.option("--seed", default=0, show_default=True, help="Fixes the deals.")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(0, 256),
              help="Processes that play; 0 takes one for each processor.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def try_bot(
    bot: str, against: str, games: int, board: str, seats: int, seed: int, jobs: int, as_json: bool
) -> None:
    """Play a bot offline, many games against others, and say how good it is.

    It sees what it would see over HTTP. The first thing it does that it may not ends the trial.

    \b
    Example:
      fogg bot try my_bot:Mine --against greedy --games 200
    """
    from rich.progress import track

    from domain.errors import FoggError
    from workers import offline, show
    from workers.bot import Fault, NoBot

    match = offline.Match(bot, against, board, seats, -(-games // seats), seed)
    _stop_on_signals()
    start = time.perf_counter()
    try:
        offline.check(match)
        played = list(track(
            offline.played(match, jobs or os.cpu_count() or 1), f"{bot} against {against}",
            len(match.games()), console=Console(stderr=True), transient=True))
    except (NoBot, Fault, offline.NoBoard, FoggError) as error:
        raise click.ClickException(str(error)) from error
    shown = offline.summary(match, played, time.perf_counter() - start)
    click.echo(json.dumps(shown) if as_json else show.trial(shown))


@bot.command("run")
@click.argument("bot", metavar="MODULE:CLASS")
@click.option("--server", default="http://127.0.0.1:8000", show_default=True, help="The service.")
@click.option("--token-file", type=click.Path(dir_okay=False, path_type=Path),
              help="Keeps the account: read if it is there, else written after signing up.")
@click.option("--name", help="Name of the new account.  [default: the class's]")
@click.option("--games", type=click.IntRange(1),
              help="How many games.  [default: 1, with --open no end]")
@click.option("--board", help="The board; with --open, sit on this one only.  [default: usa]")
@click.option("--against", default="planner", show_default=True, metavar="BOT",
              help="The built-in bot on all other seats.")
@click.option("--seats", default=2, show_default=True, type=click.IntRange(2, 8),
              help="How many seats.")
@click.option("--at-once", default=1, show_default=True, type=click.IntRange(1, 1000),
              help="How many games at the same time.")
@click.option("--open", "is_open", is_flag=True,
              help="Create no games: sit on open seats, and go where one is invited.")
@click.option("--resign/--no-resign", default=True, show_default=True,
              help="Resign a game in which the bot does what it may not, or leave it as it is.")
@click.option("--json", "as_json", is_flag=True, help="Say what happens as JSON lines.")
def run_bot(bot: str, server: str, token_file: Path | None, name: str | None, games: int | None,
            as_json: bool, is_open: bool, **wishes) -> None:
    """Play a bot on a service: as a new account, or as the one whose token a file holds.

    Games of that account that are under way are played on, beside those asked for. When the bot
    raises or chooses what it may not, that is told, and its other games go on.

    \b
    Example:
      fogg bot run my_bot:Mine --token-file my_bot.token --games 20 --at-once 5
    """
    from urllib3.exceptions import HTTPError

    from workers import run, show
    from workers.bot import NoBot, find
    from workers.client import Problem

    wish = run.Wish(games=games or (None if is_open else 1), open=is_open, **wishes)
    tally = show.Tally()
    _stop_on_signals()
    try:
        kind = find(bot)
        client = run.account(server, name or kind.__name__[:40], token_file)
        for event, members in run.run(client, kind, wish):
            tally.count(event, members)
            if as_json:
                click.echo(json.dumps({"event": event} | members))
            elif line := tally.told(event, members):
                click.echo(line)
    except (NoBot, Problem, run.NoToken) as error:
        raise click.ClickException(str(error)) from error
    except HTTPError as error:
        raise click.ClickException(f"{server} cannot be reached: {error}") from error
    except KeyboardInterrupt:
        pass
    done = tally.summary()
    click.echo(json.dumps({"event": "done"} | done) if as_json else tally.line())
    sys.exit(1 if done["faults"] else 0)


@main.command()
@click.argument("bots", metavar="BOT BOT...", nargs=-1, required=True)
@click.option("--board", "boards", multiple=True, default=["usa"], show_default=True,
              help="A board, or a table's file; may be repeated.")
@click.option("--games", default=100, show_default=True, type=click.IntRange(1),
              help="How many games each table plays on each board, rounded up to whole rounds of "
                   "the seats.")
@click.option("--seats", default=2, show_default=True, type=click.IntRange(2, 8),
              help="How many seats a table has.")
@click.option("--duplicate", is_flag=True,
              help="Play each deal in every rotation of its seats, so that luck cancels.")
@click.option("--seed", default=0, show_default=True, help="Fixes the deals.")
@click.option("--jobs", default=0, show_default=True, type=click.IntRange(0, 256),
              help="Processes that play; 0 takes one for each processor.")
@click.option("--json", "as_json", is_flag=True, help="Print the standings as JSON.")
def arena(bots: tuple[str, ...], boards: tuple[str, ...], jobs: int, as_json: bool,
          **wishes) -> None:
    """Let bots play each other offline, everybody with everybody, and say who is stronger.

    A BOT is a built-in one or MODULE:CLASS; @0.5 behind it gives it half a second a decision, if it
    has levels. One that does what it may not loses that game. docs/bots.md says how to read the
    table.

    \b
    Example:
      fogg arena planner greedy my_bot:Mine --board usa --board europe --games 40 --duplicate
    """
    from rich.progress import track

    from domain.errors import FoggError
    from workers import arena
    from workers.bot import NoBot
    from workers.offline import NoBoard

    _stop_on_signals()
    try:
        found = arena.Arena(bots, boards, **wishes)
        arena.check(found)
        results = list(track(
            arena.played(found, jobs or os.cpu_count() or 1), " ".join(bots),
            len(found.schedule), console=Console(stderr=True), transient=True))
    except (NoBot, NoBoard, FoggError) as error:
        raise click.ClickException(str(error)) from error
    shown = arena.standings(found, results)
    click.echo(json.dumps(shown) if as_json else arena.table(shown))


@main.command()
@click.option("--json", "as_json", is_flag=True, help="Print the count as JSON.")
def rebuild(as_json: bool) -> None:
    """Make every index anew from the games' histories.

    Safe while the service runs. The Redis is the one that FOGG_REDIS_URL names.

    \b
    Example:
      FOGG_REDIS_URL=unix:///srv/fogg/var/redis/redis.sock fogg rebuild
    """
    from service import index
    from service.boards import all_boards
    from service.store import Store

    try:
        store = Store(connect(), all_boards())
    except RedisUnavailable as error:
        raise click.ClickException(str(error)) from error
    console = Console(stderr=True)
    with console.status("reading histories") as status:
        count = index.rebuild(store, lambda done: status.update(f"{done} games"))
    click.echo(json.dumps({"games": count}) if as_json else f"{count} games are indexed")


class _stack:
    """A Stack whose failure to start is told as a command's."""

    def __init__(self, data: Path, **settings):
        self._stack = Stack(data, **settings)

    def __enter__(self) -> Stack:
        try:
            return self._stack.__enter__()
        except (StackFailed, RedisUnavailable) as error:
            raise click.ClickException(str(error)) from error

    def __exit__(self, *details) -> None:
        self._stack.__exit__(*details)


def _stop_on_signals() -> None:
    """Let SIGTERM and SIGHUP end the command as Ctrl-C does, also one started in the background,
    where a shell has Ctrl-C ignored."""
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.default_int_handler)


if __name__ == "__main__":
    sys.exit(main())
