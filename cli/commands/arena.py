"""``fogg arena``."""

import json
import sys

import click

from cli.commands import common


@click.command()
@click.argument("bots", metavar="BOT BOT...", nargs=-1)
@click.option(
    "--exec",
    "programs",
    metavar="COMMAND",
    multiple=True,
    help="A program that plays by lines of JSON; may be repeated.",
)
@click.option(
    "--against",
    metavar="BOT",
    multiple=True,
    help="Play only against this bot, not among each other; may be repeated.",
)
@click.option(
    "--board",
    "boards",
    multiple=True,
    default=["usa"],
    show_default=True,
    help="A board, or a board's file; may be repeated.",
)
@common.match_options
@click.option(
    "--duplicate",
    is_flag=True,
    help="Play each deal in every rotation of its seats, so that luck cancels.",
)
@click.option(
    "--wait",
    default=10.0,
    show_default=True,
    type=common.Amount(0.01),
    help="Seconds that a program has for each decision.",
)
@click.option(
    "--cpu",
    default=60,
    show_default=True,
    type=click.IntRange(1),
    help="Seconds of processor time that a program has for each game.",
)
@click.option(
    "--memory",
    default=1024,
    show_default=True,
    type=click.IntRange(16),
    help="Megabytes that a program has.",
)
@common.json_option("the standings")
def arena(
    bots: tuple[str, ...],
    programs: tuple[str, ...],
    jobs: int,
    as_json: bool,
    wait: float,
    cpu: int,
    memory: int,
    **options,
) -> None:
    """Play bots against each other offline, as a round robin, and rank them by strength.

    A BOT is a built-in bot, MODULE:CLASS or FILE.npz; --exec adds bots in any language. A suffix
    such as @0.5 gives a bot half a second for each decision, if it has levels. A bot that makes an
    illegal move loses the game. docs/bots.md explains the table. Ctrl-C ends the arena early and
    prints a table of the games played so far.

    \b
    Example:
      fogg arena planner greedy my_bot:Mine --board usa --board europe \\
        --games 40 --duplicate
      fogg arena planner --exec ./my_bot --exec "node my_bot.mjs"
      fogg arena my_bot:Mine old_bot:Mine --against planner --against greedy \\
        --out games.ndjson
    """
    from cli.offline.arena import Arena
    from cli.offline.programs import PREFIX, Limits
    from cli.offline.standings import standings
    from cli.views.arena import standings_text

    bots += tuple(f"{PREFIX}{command}" for command in programs)
    contest = Arena(bots, limits=Limits(wait, cpu, memory), **options)
    if not bots or len(set(contest.names)) < max(2, len(contest.names)):
        raise click.UsageError("an arena takes two bots or more, all of different names")
    played, code = common.play_arena(contest, jobs)
    shown = standings(contest, played, is_complete=not code)
    click.echo(json.dumps(shown) if as_json else standings_text(shown, common.terminal().width))
    sys.exit(code)
