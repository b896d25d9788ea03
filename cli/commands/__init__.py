"""The commands, one file for each group. A command's file is imported when it is first used."""

from importlib import import_module

import click

from cli.failures import render_errors

# command -> its module here and its function
COMMANDS = {
    "up": ("serving", "up"),
    "demo": ("serving", "demo"),
    "board": ("boards", "board"),
    "bot": ("bots", "bot"),
    "arena": ("arena", "arena"),
    "bench": ("bench", "bench"),
    "tournament": ("tournaments", "tournament"),
    "mcp": ("mcp", "mcp"),
    "leaderboard": ("leaderboard", "leaderboard"),
    "verify": ("verify", "verify"),
    "collusion": ("collusion", "collusion"),
    "replay": ("replay", "replay"),
    "analyse": ("analyse", "analyse"),
    "import": ("store", "import_games"),
    "export": ("export", "export"),
    "check": ("store", "check"),
    "rebuild": ("store", "rebuild"),
    "move": ("store", "move"),
    "backup": ("backups", "backup"),
    "restore": ("backups", "restore"),
}


class Group(click.Group):
    """A group whose help shows the whole first sentence of each command."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands; a long sentence takes several lines."""
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, command.get_short_help_str(limit=200))
                    for name, command in commands.items()
                    if command
                ]
            )


class Commands(Group):
    """A group that imports only the command that is run."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the command. Print an expected error as one sentence."""
        try:
            with render_errors():
                return super().invoke(ctx)
        except KeyboardInterrupt as stop:
            from cli.commands.common import exit_code

            click.echo("\nAborted!", err=True)
            ctx.exit(exit_code(stop))

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        """Return a command, or None if there is none of this name."""
        if name not in COMMANDS:
            return None
        module, function = COMMANDS[name]
        return getattr(import_module(f"cli.commands.{module}"), function)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="fogg-client")  # the server has the same version
def fogg() -> None:
    """Fogg: play Ticket to Ride by API.

    FOGG_SERVER is the URL of the service, FOGG_TOKEN_FILE the file with your account's token.
    FOGG_REDIS_URL and FOGG_DATABASE name the data of commands that work on these directly.

    \b
    Example:
      fogg demo           watch three bots play
      fogg up             run the service
    """
