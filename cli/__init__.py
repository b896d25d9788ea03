"""The command ``fogg``: the one place where the service and its clients meet.

Each command imports what it needs when it runs, so that none waits for another's.
"""

from __future__ import annotations

import click

from cli.commands import COMMANDS


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="fogg")
def main() -> None:
    """Fogg: play Ticket to Ride by API.

    \b
    Example:
      fogg demo           watch three bots play
      fogg up             run the service
    """


for command in COMMANDS:
    main.add_command(command)
