"""``fogg arena``."""

from __future__ import annotations

import json
import sys

import click

from cli.commands.common import (
    exit_code,
    jobs_option,
    json_option,
    seats_option,
    show_preparing,
    stop_on_signals,
    terminal,
)


@click.command()
@click.argument("bots", metavar="BOT BOT...", nargs=-1, required=True)
@click.option("--board", "boards", multiple=True, default=["usa"], show_default=True,
              help="A board, or a board's file; may be repeated.")
@click.option("--games", default=100, show_default=True, type=click.IntRange(1),
              help="Games of each table on each board, rounded up to whole rounds of the "
                   "seats.")
@seats_option()
@click.option("--duplicate", is_flag=True,
              help="Play each deal in every rotation of its seats, so that luck cancels.")
@click.option("--seed", default=0, show_default=True, help="Fixes the deals.")
@jobs_option()
@json_option("the standings")
def arena(bots: tuple[str, ...], boards: tuple[str, ...], jobs: int, as_json: bool,
          **options) -> None:
    """Play bots against each other offline, as a round robin, and rank them by strength.

    A BOT is a built-in bot or MODULE:CLASS. A suffix such as @0.5 gives it half a second for each
    decision, if it has levels. A bot that makes an illegal move loses the game. docs/bots.md
    explains the table. Ctrl-C ends the arena early and prints a table of the games played so far.

    \b
    Example:
      fogg arena planner greedy my_bot:Mine --board usa --board europe \\
        --games 40 --duplicate
    """
    from fogg_client.bot import NoBot
    from rich.progress import track

    from cli.offline import arena
    from cli.offline.standings import standings
    from cli.views.arena import standings_text

    stop_on_signals()
    try:
        found = arena.Arena(bots, boards, **options)
    except NoBot as error:
        raise click.UsageError(str(error)) from error
    show_preparing(bots)
    arena.check(found)
    played, code, console = list[arena.Result](), 0, terminal(stderr=True)
    try:
        for result in track(
                arena.results(found, jobs), " ".join(bots),
                len(found.schedule), console=console, transient=True,
                disable=not console.is_terminal):
            played.append(result)
    except KeyboardInterrupt as stop:
        if not played:
            raise
        code = exit_code(stop)
    shown = standings(found, played, is_complete=not code)
    click.echo(json.dumps(shown) if as_json else standings_text(shown, terminal().width))
    sys.exit(code)
