"""``fogg mcp``: games of a service for language models."""

import signal
import socket
from importlib import import_module
from pathlib import Path

import click

from cli.commands.common import server_option, token_option, unreachable

EXTRA = "this takes the package mcp: pip install 'mcp>=2.3,<3'"
RETRY_FOR_S = 3.0  # how long requests to the service are retried


@click.command()
@server_option()
@token_option()
@click.option("--name", default="model", show_default=True, help="Name of the new account.")
@click.option(
    "--http",
    "is_http",
    is_flag=True,
    help="Serve streamable HTTP at /mcp rather than stdin and stdout.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="With --http, where to listen; anyone who can reach it plays as the account.",
)
@click.option(
    "--port",
    default=8765,
    show_default=True,
    type=click.IntRange(1, 65535),
    help="With --http, the port.",
)
def mcp(
    server: str, token_file: Path | None, name: str, is_http: bool, host: str, port: int
) -> None:
    """Give a language model the tools to play, over the Model Context Protocol.

    The tools find or create a game, look at it, wait for a turn, act, plan tickets, show a board
    and explain a rule. docs/mcp.md shows how to configure a client. Without --token-file every
    start creates a new account.

    \b
    Example:
      fogg mcp --token-file model.token
      fogg mcp --token-file model.token --http --port 8765
    """
    try:
        import_module("mcp")
    except ModuleNotFoundError as error:
        raise click.ClickException(EXTRA) from error
    from fogg_client import Client
    from fogg_client.accounts import account, reach
    from urllib3.exceptions import HTTPError

    from cli.mcp.desk import Desk
    from cli.mcp.server import server_for

    where = f"http://{host}:{port}/mcp" if is_http else "stdin and stdout"
    if is_http:
        _check_free(host, port)
    try:
        reach(server, RETRY_FOR_S)
    except HTTPError as error:
        raise unreachable(server, error) from error
    click.echo(f"{server} is played on by an MCP client at {where}", err=True)
    serving = server_for(
        Desk(server, lambda: Client(server, account(server, name, token_file).token, RETRY_FOR_S))
    )
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # else exit waits for a thread that reads stdin
    if is_http:
        serving.run("streamable-http", host=host, port=port)
    else:
        serving.run("stdio")


def _check_free(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        raise click.ClickException(
            f"cannot listen on {host} port {port}: {error.strerror}"
        ) from error
