"""The command ``fogg``: the one place where the service and its clients meet."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from functools import wraps
from pathlib import Path

import click
from rich.console import Console

from service.bots import BOTS
from service.redis import RedisUnavailable, connect
from service.stack import Stack, StackFailed

DATA = click.Path(file_okay=False, path_type=Path)
TIMES = ["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"]


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


@main.group()
def tournament() -> None:
    """Hold tournaments on a service. docs/tournaments.md describes them.

    \b
    Example:
      fogg tournament create "Evening cup" --token-file me.token --bots planner,greedy
      fogg tournament enter c_0123456789abcdef0123 --token-file my_bot.token
      fogg bot run my_bot:Mine --open --token-file my_bot.token
      fogg tournament start c_0123456789abcdef0123 --token-file me.token
      fogg tournament watch c_0123456789abcdef0123
    """


def _on_a_service(command):
    """Let a command name its service, and tell of what that refuses in a sentence."""

    @click.option("--server", default="http://127.0.0.1:8000", show_default=True,
                  help="The service.")
    @click.option("--json", "as_json", is_flag=True, help="Print JSON, and only that.")
    @wraps(command)
    def told(*args, server: str, **options) -> None:
        from urllib3.exceptions import HTTPError

        from workers.client import Problem
        from workers.run import NoToken

        try:
            command(*args, server=server, **options)
        except (Problem, NoToken) as error:
            body = getattr(error, "body", {})
            raise click.ClickException(body.get("detail") or str(error)) from error
        except HTTPError as error:
            raise click.ClickException(f"{server} cannot be reached: {error}") from error

    return told


TOKEN = click.option("--token-file", type=click.Path(dir_okay=False, path_type=Path), required=True,
                     help="Keeps the account: read if it is there, else written after signing up.")


@tournament.command("create")
@click.argument("name")
@TOKEN
@click.option("--format", default="round_robin", show_default=True,
              type=click.Choice(["round_robin", "swiss", "knockout", "ladder"]),
              help="Who meets whom.")
@click.option("--board", "boards", multiple=True, default=["usa"], show_default=True,
              help="A board; give it again for boards to be used in turn.")
@click.option("--seats", default=2, show_default=True, type=click.IntRange(2, 5),
              help="Seats at a table.")
@click.option("--rounds", type=click.IntRange(1, 1000),
              help="Rounds; in a round robin, how often everybody meets everybody.")
@click.option("--duplicate", is_flag=True, help="Play each deal from every seat.")
@click.option("--per-decision", default=10.0, show_default=True,
              type=click.FloatRange(0.1, 30 * 86_400), help="Seconds to think.")
@click.option("--invitation", is_flag=True, help="Let in only who has the code.")
@click.option("--starts-at", help="When to start, such as 2030-01-01T12:00:00Z.")
@click.option("--bots", help="Built-in bots to enter: " + ", ".join(BOTS) + ".")
@click.option("--start", is_flag=True, help="Start at once.")
@_on_a_service
def create_tournament(server: str, name: str, token_file: Path, duplicate: bool,
                      per_decision: float, invitation: bool, bots: str | None, start: bool,
                      as_json: bool, **wish) -> None:
    """Set a tournament up.

    \b
    Example:
      fogg tournament create Cup --token-file me.token --duplicate \\
        --bots planner,greedy,random --start
    """
    from workers import run

    client = run.account(server, name[:40].strip(), token_file)
    wish = {key: value for key, value in wish.items() if value is not None} | {
        "name": name, "clock": {"per_decision": per_decision}}
    wish |= {"deals": "duplicate"} if duplicate else {}
    wish |= {"entry": "invitation"} if invitation else {}
    made = client.post("/v1/tournaments", wish)
    for bot in bots.split(",") if bots else ():
        made = client.post(f"/v1/tournaments/{made['id']}/entries", {"bot": bot.strip()})
    if start:
        made = client.post(f"/v1/tournaments/{made['id']}/start", {})
    code = f", invitation {made['invitation']}" if "invitation" in made else ""
    click.echo(json.dumps(made) if as_json else f"{made['id']} is {made['status']}{code}")


@tournament.command("enter")
@click.argument("tournament")
@TOKEN
@click.option("--name", default="player", show_default=True, help="Name of a new account.")
@click.option("--invitation", help="The code, where it takes one.")
@click.option("--bot", type=click.Choice(list(BOTS)),
              help="Enter this built-in bot instead; only who created the tournament may.")
@_on_a_service
def enter_tournament(server: str, tournament: str, token_file: Path, name: str, as_json: bool,
                     **wish) -> None:
    """Enter a tournament; let the account's bot run to play.

    \b
    Example:
      fogg tournament enter c_0123456789abcdef0123 --token-file my_bot.token --name Mine
    """
    from workers import run

    client = run.account(server, name, token_file)
    found = client.post(f"/v1/tournaments/{tournament}/entries",
                        {key: value for key, value in wish.items() if value is not None})
    click.echo(json.dumps(found) if as_json else f"{len(found['entrants'])} have entered")


def _moving(what: str, words: str):
    """Make the command that starts or ends a tournament."""

    @tournament.command(what, help=f"""{words}

    \b
    Example:
      fogg tournament {what} c_0123456789abcdef0123 --token-file me.token
    """)
    @click.argument("tournament")
    @TOKEN
    @_on_a_service
    def move(server: str, tournament: str, token_file: Path, as_json: bool) -> None:
        from workers import run

        client = run.account(server, "creator", token_file)
        found = client.post(f"/v1/tournaments/{tournament}/{what}", {})
        click.echo(json.dumps(found) if as_json else f"{found['id']} is {found['status']}")


_moving("start", "Start a tournament with those who have entered; only who created it may.")
_moving("end", "End a tournament before all is played; only who created it may.")


@tournament.command("watch")
@click.argument("tournament")
@_on_a_service
def watch_tournament(server: str, tournament: str, as_json: bool) -> None:
    """Watch the standings until the tournament is over.

    \b
    Example:
      fogg tournament watch c_0123456789abcdef0123
    """
    from workers import run, tournament_show
    from workers.client import Client

    Client(server, patience=run.PATIENCE_AT_FIRST).get("/healthz")
    client, console = Client(server, patience=run.PATIENCE), None if as_json else Console()
    _stop_on_signals()
    try:
        for found in tournament_show.watch(client, tournament, console):
            if as_json:
                click.echo(json.dumps(found))
    except KeyboardInterrupt:
        raise click.Abort from None


@tournament.command("results")
@click.argument("tournament")
@_on_a_service
def tournament_results(server: str, tournament: str, as_json: bool) -> None:
    """Print the standings, and the games of every round.

    \b
    Example:
      fogg tournament results c_0123456789abcdef0123 --json
    """
    from workers import run, tournament_show
    from workers.client import Client

    client = Client(server, patience=run.PATIENCE_AT_FIRST)
    found = client.get(f"/v1/tournaments/{tournament}", rounds=1000)
    if as_json:
        click.echo(json.dumps(found))
    else:
        Console().print(tournament_show.shown(found), tournament_show.rounds(found))


@main.command()
@click.option("--decisions", "kind", flag_value="decisions",
              help="Every decision: what the player saw, did, and came to.")
@click.option("--histories", "kind", flag_value="histories", help="Every game, entry by entry.")
@click.option("--url", default="http://127.0.0.1:8000", show_default=True, help="The service.")
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path),
              help="The file; what is in it already is kept, and gone on with.")
@click.option("--parquet", is_flag=True,
              help="Columns (Apache Parquet) instead of lines of JSON; needs pyarrow.")
@click.option("--board", help="Only games on this board.")
@click.option("--bot", type=click.Choice(list(BOTS)), help="Only games with this built-in bot.")
@click.option("--since", type=click.DateTime(TIMES), help="Only games that ended then or later.")
@click.option("--until", type=click.DateTime(TIMES), help="Only games that ended before.")
@click.option("--games", type=click.IntRange(1), help="At most so many games.")
@click.option("--json", "as_json", is_flag=True, help="Print a summary as JSON, and only that.")
def export(kind: str | None, url: str, out: Path, parquet: bool, games: int | None, as_json: bool,
           **wishes) -> None:
    """Write a service's finished public games to a file, to analyse or to learn from.

    Interrupted, or some days later, the same command goes on where it ended. Times are in UTC.
    docs/events.md describes lines and columns.

    \b
    Example:
      fogg export --decisions --board usa --out usa.parquet --parquet
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
    from urllib3.exceptions import HTTPError

    from workers import columns
    from workers.client import Client, Problem

    if kind is None:
        raise click.UsageError("say --decisions or --histories")
    wish = {name: value if isinstance(value, str) else value.isoformat() + "Z"
            for name, value in wishes.items() if value is not None}
    _stop_on_signals()
    start, done, is_whole = time.perf_counter(), columns.Exported(), True
    bar = Progress(BarColumn(), MofNCompleteColumn(), TextColumn("games, {task.fields[said]}"),
                   TimeElapsedColumn(), console=Console(stderr=True), disable=as_json)
    try:
        file = (columns.Columns if parquet else columns.Lines)(out, kind)
        done.resumed_after = file.cursor
        try:
            with bar:
                task = bar.add_task("", total=games, said="")
                for done in columns.export(Client(url), kind, file, wish, games):
                    bar.update(task, completed=done.games,
                               said=f"{done.lines:,} lines, {done.bytes / 1e6:,.1f} MB")
        except KeyboardInterrupt:
            is_whole = False
        finally:
            file.close()
    except (Problem, columns.CannotExport, OSError) as error:
        raise click.ClickException(str(error)) from error
    except HTTPError as error:
        raise click.ClickException(f"{url} cannot be reached: {error}") from error
    shown = {"kind": kind, "file": str(out), "games": done.games, "lines": done.lines,
             "bytes": done.bytes, "seconds": round(time.perf_counter() - start, 3),
             "complete": is_whole}
    if done.resumed_after:
        shown["resumed_after"] = done.resumed_after
    click.echo(json.dumps(shown) if as_json else
               f"{done.games} games, {done.lines} lines in {out}"
               + ("" if is_whole else "; interrupted: the same command goes on"))
    sys.exit(0 if is_whole else 130)


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
    from service.games import Games
    from service.live import News
    from service.store import Store
    from service.tournaments import Tournaments

    try:
        store = Store(connect(), all_boards())
    except RedisUnavailable as error:
        raise click.ClickException(str(error)) from error
    console = Console(stderr=True)
    with console.status("reading histories") as status:
        count = index.rebuild(store, lambda done: status.update(f"{done} games"))
        Tournaments(Games(store, News(store.redis), None, None)).rebuild()
    click.echo(json.dumps({"games": count}) if as_json else f"{count} games are indexed")


SOURCES = click.argument("sources", metavar="FILE|URL...", nargs=-1, required=True)
SOURCE = click.argument("source", metavar="FILE|URL")
BOARDS = click.option("--boards", "folders", multiple=True, metavar="FOLDER",
                      type=click.Path(exists=True, file_okay=False),
                      help="Folder with the tables of boards that are not Fogg's own.")


@main.command()
@SOURCES
@BOARDS
@click.option("--jobs", default=0, show_default=True, type=click.IntRange(0, 256),
              help="Processes that check; 0 takes one for each processor.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON line for each game.")
def verify(sources: tuple[str, ...], folders: tuple[str, ...], jobs: int, as_json: bool) -> None:
    """Check finished games: hashes, shuffles, every action and the score.

    A source has one entry a line, of one game or of many, as `GET /v1/games/ID/events` gives them;
    it may be packed with gzip. The first entry of a game that is wrong is named, and the exit code
    is 1. docs/fairness.md says what is checked, and what cannot be.

    \b
    Example:
      fogg verify var/demo/*/history.ndjson
      fogg verify https://fogg.example/v1/games/g_0123456789abcdef0123 --json
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from domain.errors import BrokenTable
    from workers import histories

    _stop_on_signals()
    try:
        histories.boards_by_digest(folders)
    except BrokenTable as error:
        raise click.ClickException(f"--boards: {error}") from error
    size, read, wrong, count = histories.size_of(sources), {}, 0, 0
    start = time.perf_counter()
    with Progress(TextColumn("{task.fields[games]} games"), BarColumn(), MofNCompleteColumn(),
                  TextColumn("bytes"), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=size or None, games=0)

        def progress(source: str, position: int) -> None:
            read[source] = position
            bar.update(task, completed=sum(read.values()))

        for row in histories.verified(sources, folders, jobs or os.cpu_count() or 1, progress):
            wrong, count = wrong + (not row["ok"]), count + 1
            bar.update(task, games=count)
            if as_json:
                click.echo(json.dumps(row))
            elif not row["ok"]:
                click.echo(_told_wrong(row))
    if not as_json:
        seconds = time.perf_counter() - start
        click.echo(f"{count - wrong} of {count} games are right ({count / seconds:.0f} a second)")
    sys.exit(1 if wrong else 0)


@main.command()
@SOURCE
@BOARDS
@click.option("--to", "version", type=click.IntRange(1), metavar="N",
              help="Show the position at this version, and end.")
@click.option("--seat", type=click.IntRange(0), help="With --json: the view of this seat.")
@click.option("--picture", type=click.Path(dir_okay=False, path_type=Path),
              help="Draw the position at --to, else the last, into this SVG or PNG file.")
@click.option("--animation", type=click.Path(dir_okay=False, path_type=Path),
              help="Draw the whole game into this SVG file, which moves.")
@click.option("--seconds", default=30.0, show_default=True, type=click.FloatRange(1, 3600),
              help="How long the animation takes.")
@click.option("--json", "as_json", is_flag=True,
              help="Print the view at --to, else the last, as JSON.")
def replay(source: str, folders: tuple[str, ...], version: int | None, seat: int | None,
           picture: Path | None, animation: Path | None, seconds: float, as_json: bool) -> None:
    """Go through a recorded game in the terminal, or draw it.

    Right and left step, space lets it run, q ends. Nothing is checked here but that the history
    can be folded: see fogg verify.

    \b
    Example:
      fogg replay var/demo/20260101-120000/history.ndjson
      fogg replay history.ndjson --to 40 --picture position.png
      fogg replay history.ndjson --animation game.svg
    """
    from domain.animation import animated
    from domain.picture import draw
    from domain.view import view
    from workers import replay as player

    if picture and picture.suffix not in (".svg", ".png"):
        raise click.BadParameter(f"{picture}: the name should end in .svg or .png")
    if animation and animation.suffix != ".svg":
        raise click.BadParameter(f"{animation}: what moves is SVG, so the name should end in .svg")
    _stop_on_signals()
    recording = _recording(source, folders)
    try:
        state = recording.at(version)
        if seat is not None and seat not in state.seats:
            raise LookupError(f"there is no seat {seat}")
    except LookupError as error:
        raise click.ClickException(str(error)) from error
    if picture:
        drawn = draw(state.board, view(state, None))
        picture.write_bytes(drawn.encode() if picture.suffix == ".svg" else _png(drawn))
    if animation:
        begun = [state for state in recording.states if state.was_begun]
        if not begun:
            raise click.ClickException("the game was never dealt out: there is nothing to show")
        animation.write_text(animated(state.board, [view(each, None) for each in begun], seconds))
    if as_json:
        click.echo(json.dumps(view(state, seat)))
    elif version is not None or not (sys.stdin.isatty() and sys.stdout.isatty()):
        if not (picture or animation):
            Console().print(player.shown(recording, state.version))
    elif not (picture or animation):
        player.step_through(recording, Console())
    if recording.wrong:
        raise click.ClickException(f"{source}: {recording.wrong}")


def _png(drawn: str) -> bytes:
    """Return an SVG as a PNG."""
    try:
        import resvg_py
    except ImportError as error:
        raise click.ClickException(
            "PNG takes the package resvg-py: pip install 'fogg[png]'; .svg takes nothing"
        ) from error
    return bytes(resvg_py.svg_to_bytes(svg_string=drawn))


@main.command()
@SOURCE
@BOARDS
@click.option("--rules", required=True, type=int, metavar="N", help="The version of the rules.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def refold(source: str, folders: tuple[str, ...], rules: int, as_json: bool) -> None:
    """Say what a version of the rules would have scored for a recorded game.

    \b
    Example:
      fogg refold var/demo/20260101-120000/history.ndjson --rules 1
    """
    from domain.proof import rescored

    recording = _recording(source, folders)
    state = recording.at(None)
    if recording.wrong:
        raise click.ClickException(f"{source}: {recording.wrong}")
    if not state.results:
        raise click.ClickException(f"{source}: the game has no result to compare with")
    try:
        results = rescored(state, rules)
    except LookupError as error:
        raise click.ClickException(str(error.args[0])) from error
    if as_json:
        click.echo(json.dumps({"game": state.id, "rules_version": state.rules_version,
                               "results": state.results, "rules": rules, "would_be": results,
                               "same": list(results) == list(state.results)}))
        return
    click.echo(f"{state.id} was played by rules version {state.rules_version}")
    for seat, (was, now) in enumerate(zip(state.results, results, strict=True)):
        changed = ", ".join(f"{part} {was[part]} -> {now[part]}" for part in now
                            if was.get(part) != now[part])
        click.echo(f"  seat {seat}: {was['total']} points, rank {was['rank']}; by version {rules} "
                   f"{changed or 'the same'}")


@main.command("import")
@SOURCES
@BOARDS
@click.option("--json", "as_json", is_flag=True, help="Print a JSON line for each game.")
def import_games(sources: tuple[str, ...], folders: tuple[str, ...], as_json: bool) -> None:
    """Put finished games into the service, each whole or not at all.

    What fogg verify refuses is refused. A game that is there already stays as it is; another one
    of its id is refused. The Redis is the one that FOGG_REDIS_URL names.

    \b
    Example:
      FOGG_REDIS_URL=unix:///srv/fogg/var/redis/redis.sock fogg import games.ndjson.gz
    """
    from domain.errors import BrokenTable
    from domain.proof import Wrong
    from service import importing
    from service.boards import all_boards
    from service.store import Store
    from workers import histories

    try:
        store = Store(connect(), all_boards())
        boards = importing.known_boards(store, histories.boards_by_digest(folders).values())
    except (RedisUnavailable, BrokenTable) as error:
        raise click.ClickException(str(error)) from error
    refused = count = new = 0
    for lines in (lines for source in sources for lines in histories.read(source)):
        row = {"source": lines.source}
        try:
            game, is_new = importing.put(store, boards, lines.entries())
            row |= {"game": game, "ok": True, "new": is_new}
            new += is_new
        except Wrong as wrong:
            row |= {"game": "", "ok": False, "line": lines.line_of(wrong.version),
                    "version": wrong.version, "code": wrong.code, "reason": wrong.reason}
        except importing.NotImported as error:
            row |= {"game": "", "ok": False, "line": lines.first, "version": 1,
                    "code": error.code, "reason": str(error)}
        refused, count = refused + (not row["ok"]), count + 1
        if as_json:
            click.echo(json.dumps(row))
        elif not row["ok"]:
            click.echo(_told_wrong(row))
    if not as_json:
        click.echo(f"{new} of {count} games are new here, {count - new - refused} were here, "
                   f"{refused} are refused")
    sys.exit(1 if refused else 0)


def _recording(source: str, folders: tuple[str, ...]):
    """Return the recording of a source that holds one game."""
    from domain.errors import BrokenTable
    from domain.proof import Wrong
    from workers import histories
    from workers.replay import recorded

    try:
        boards = histories.boards_by_digest(folders)
        return recorded(boards, histories.only(source).entries())
    except BrokenTable as error:
        raise click.ClickException(f"--boards: {error}") from error
    except (Wrong, histories.Unreadable) as error:
        raise click.ClickException(f"{source}: {error}") from error


def _told_wrong(row: dict) -> str:
    """Return a line about a game that is wrong."""
    game = f", {row['game']}" if row["game"] else ""
    return (f"{row['source']}:{row['line']}{game}: entry {row['version']} is wrong "
            f"({row['code']}): {row['reason']}")


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
