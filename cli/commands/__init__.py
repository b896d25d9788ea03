"""The commands, a file for each group.

Each imports what it needs when it runs, so that none waits for another's.
"""

from __future__ import annotations

import click

from cli.commands import (
    arena,
    boards,
    bots,
    export,
    leaderboard,
    replay,
    serving,
    store,
    tournaments,
    verify,
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="fogg")
def fogg() -> None:
    """Fogg: play Ticket to Ride by API.

    \b
    Example:
      fogg demo           watch three bots play
      fogg up             run the service
    """


for command in (serving.up, serving.demo, boards.board, bots.bot, arena.arena,
                tournaments.tournament, leaderboard.leaderboard, verify.verify, replay.replay,
                replay.refold, store.import_games, export.export, store.rebuild):
    fogg.add_command(command)
