"""``fogg arena``."""

from __future__ import annotations

import json
import secrets
import sys

import click

from cli.commands import common

SEED_BITS = 53  # which a number of JSON keeps in every language


@click.command()
@click.argument("bots", metavar="BOT BOT...", nargs=-1)
@click.option("--exec", "programs", metavar="COMMAND", multiple=True,
              help="A program that plays by lines of JSON; may be repeated.")
@click.option("--board", "boards", multiple=True, default=["usa"], show_default=True,
              help="A board, or a board's file; may be repeated.")
@click.option("--games", default=100, show_default=True, type=click.IntRange(1),
              help="Games of each table on each board, rounded up to whole rounds of the "
                   "seats.")
@common.seats_option()
@click.option("--duplicate", is_flag=True,
              help="Play each deal in every rotation of its seats, so that luck cancels.")
@click.option("--seed", type=int, help="Fixes the deals.  [default: a random one, which the table "
                                       "shows]")
@click.option("--wait", default=10.0, show_default=True, type=common.Amount(0.01),
              help="Seconds that a program has for each decision.")
@click.option("--cpu", default=60, show_default=True, type=click.IntRange(1),
              help="Seconds of processor time that a program has for each game.")
@click.option("--memory", default=1024, show_default=True, type=click.IntRange(16),
              help="Megabytes that a program has.")
@common.jobs_option()
@common.json_option("the standings")
def arena(bots: tuple[str, ...], programs: tuple[str, ...], boards: tuple[str, ...], jobs: int,
          as_json: bool, wait: float, cpu: int, memory: int, seed: int | None, **options) -> None:
    """Play bots against each other offline, as a round robin, and rank them by strength.

    A BOT is a built-in bot or MODULE:CLASS; --exec adds bots in any language. A suffix such as @0.5
    gives a bot half a second for each decision, if it has levels. A bot that makes an illegal move
    loses the game. docs/bots.md explains the table. Ctrl-C ends the arena early and prints a table
    of the games played so far.

    \b
    Example:
      fogg arena planner greedy my_bot:Mine --board usa --board europe \\
        --games 40 --duplicate
      fogg arena planner --exec ./my_bot --exec "node my_bot.mjs"
    """
    from fogg_client.bot import NoBot

    from cli.offline import arena
    from cli.offline.programs import PREFIX, Limits
    from cli.offline.standings import standings
    from cli.views.arena import standings_text

    common.stop_on_signals()
    bots += tuple(f"{PREFIX}{command}" for command in programs)
    try:
        contest = arena.Arena(bots, boards, limits=Limits(wait, cpu, memory),
                              seed=secrets.randbits(SEED_BITS) if seed is None else seed, **options)
    except NoBot as error:
        raise click.UsageError(str(error)) from error
    common.show_preparing(bots, contest.policies)
    arena.check(contest)
    played, code = common.until_stopped(
        arena.results(contest, jobs), " ".join(bots), len(contest.schedule))
    shown = standings(contest, played, is_complete=not code)
    click.echo(json.dumps(shown) if as_json else standings_text(shown, common.terminal().width))
    sys.exit(code)
