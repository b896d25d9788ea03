"""``fogg bot``: your own bots, offline and on a service."""

import json
import shutil
import subprocess
import sys
import time
from functools import wraps
from pathlib import Path

import click

from cli.commands import Group, common

STARTERS = Path(__file__).parents[1] / "starters"  # a folder for each language


@click.group(cls=Group)
def bot() -> None:
    """Make, try and run bots of your own. docs/bots.md shows how to write one.

    \b
    Example:
      fogg bot new my-bot --language c
      fogg bot try --exec ./bot --against greedy
      fogg bot run my_bot:Mine --games 10
    """


def own_bot(command):
    """Add the argument for a bot and the option for a program: a command has one as ``bot``."""

    @click.argument("bot", metavar="[MODULE:CLASS|FILE.npz]", required=False)
    @click.option(
        "--exec",
        "programs",
        metavar="COMMAND",
        multiple=True,
        help="A program that plays by lines of JSON, in place of a class.",
    )
    @wraps(command)
    def run(bot: str | None, programs: tuple[str, ...], **options) -> None:
        from cli.offline.programs import PREFIX

        bots = [*([] if bot is None else [bot]), *(f"{PREFIX}{one}" for one in programs)]
        if len(bots) != 1:
            raise click.UsageError("name one bot: MODULE:CLASS, FILE.npz or --exec COMMAND")
        command(bot=bots[0], **options)

    return run


@bot.command("new")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--language",
    default="python",
    show_default=True,
    type=click.Choice(sorted(path.name for path in STARTERS.iterdir())),
    help="The language of the bot.",
)
def new_bot(folder: Path, language: str) -> None:
    """Make a folder with a bot that plays, to begin your own from: a Git repository with a README
    that says how to build, try and run it.

    \b
    Example:
      fogg bot new my-bot --language rust
    """
    if folder.exists():
        raise click.UsageError(f"{folder} exists: name a new folder")
    folder.mkdir(parents=True)
    try:
        shutil.copytree(
            STARTERS / language,
            folder,
            dirs_exist_ok=True,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    if shutil.which("git"):
        subprocess.run(["git", "init", "--quiet", "--", folder], check=False)  # it says why not
    steps = [
        line for line in (folder / "README.md").read_text().splitlines() if line.startswith("    ")
    ]
    click.echo(
        "\n".join(
            [
                f"{folder} has a bot. Its README.md explains these steps:",
                "",
                f"    cd {folder}",
                *steps,
            ]
        )
    )


@bot.command("try")
@own_bot
@click.option(
    "--against",
    default="planner",
    show_default=True,
    metavar="BOT",
    help="A built-in bot or another MODULE:CLASS, on all other seats.",
)
@click.option("--board", default="usa", show_default=True, help="A board, or a board's file.")
@common.match_options
@common.json_option()
def try_bot(bot: str, against: str, board: str, jobs: int, as_json: bool, **options) -> None:
    """Play many games of a bot offline against other bots, and measure its strength. FILE.npz is a
    policy, trained with the simulator.

    The bot sees what it would see over HTTP. Each deal is played from each seat. The first illegal
    action of a bot ends the trial.

    \b
    Example:
      fogg bot try my_bot:Mine --against greedy --games 200
      fogg bot try my_bot:Mine --jobs 1 --out games.ndjson
    """
    from cli.offline.standings import trial, trial_summary
    from cli.views.bots import trial_text

    match, start = trial(bot, against, board, **options), time.perf_counter()
    played, code = common.play_arena(match, jobs)
    shown = trial_summary(match, played, time.perf_counter() - start)
    click.echo(json.dumps(shown) if as_json else trial_text(shown))
    sys.exit(code)


@bot.command("run")
@own_bot
@common.token_option()
@click.option("--name", help="Name of the new bot.  [default: that of the class or file]")
@common.OWNER
@click.option(
    "--games",
    type=click.IntRange(1),
    help="Number of games.  [default: 1; unlimited with --open and --pool]",
)
@click.option("--board", help="The board; with --open, sit on this one only.  [default: usa]")
@click.option(
    "--against",
    default="planner",
    show_default=True,
    metavar="BOT",
    help="The built-in bot on all other seats.",
)
@common.seats_option()
@click.option(
    "--at-once",
    default=1,
    show_default=True,
    type=click.IntRange(1, 1000),
    help="Number of games at the same time.",
)
@click.option(
    "--open",
    "is_open",
    is_flag=True,
    help="Create no games: take open seats and accept invitations.",
)
@click.option(
    "--shortest-clock",
    default=2.0,
    show_default=True,
    type=common.Amount(0),
    help="The least seconds for a decision, with --open.",
)
@click.option(
    "--pool", is_flag=True, help="Create no games: wait in the pool and play its pairings."
)
@click.option(
    "--clock",
    default="normal",
    show_default=True,
    type=click.Choice(("fast", "normal", "slow")),
    help="The clock, with --pool.",
)
@click.option(
    "--resign/--no-resign",
    default=True,
    show_default=True,
    help="Resign a game after an illegal action of the bot, or leave it as it is.",
)
@common.on_a_service
def run_bot(
    bot: str,
    server: str,
    token_file: Path | None,
    name: str | None,
    owner: Path | None,
    games: int | None,
    as_json: bool,
    is_open: bool,
    **options,
) -> None:
    """Play a bot on a service, with the account in a token file, else with a new one, which is
    marked as a bot of its owner. FILE.npz is a policy, trained with the simulator.

    With --pool it waits for opponents of similar rating until you stop it. Games that were paired
    before it stopped are lost by time, unless you start it again.

    The account's unfinished games are played on, in addition to the new ones. If the bot raises or
    chooses an illegal action, that is printed and its other games continue.

    \b
    Example:
      fogg bot run my_bot:Mine --token-file my_bot.token --games 20 --at-once 5
    """
    from fogg_client.assignment import Assignment
    from fogg_client.runner import run

    from cli.offline.named import own_bot_class
    from cli.views.bots import Tally

    if is_open and options["pool"]:
        raise click.UsageError("--open and --pool are two ways to get games: choose one")
    endless = is_open or options["pool"]
    assignment = Assignment(games=games or (None if endless else 1), open=is_open, **options)
    tally, code = Tally(), 0
    common.stop_on_signals()
    try:
        kind = own_bot_class(bot)
        client = common.bot_account(server, name, kind.__name__[:40], token_file, owner)
        if endless:
            games_of = "open seats, invitations and tournaments" if is_open else "the pool"
            click.echo(f"Waiting for games of {games_of}; Ctrl-C ends it.", err=True)
        for event, members in run(client, kind, assignment):
            tally.count(event, members)
            if as_json:
                click.echo(json.dumps({"event": event} | members))
            elif line := tally.line_about(event, members):
                click.echo(line)
    except KeyboardInterrupt as stop:
        code = common.exit_code(stop)
    done = tally.summary()
    click.echo(json.dumps({"event": "done"} | done) if as_json else tally.line())
    sys.exit(code or (1 if done["faults"] else 0))
