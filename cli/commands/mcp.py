"""``fogg mcp``: a service's games for language models."""

from __future__ import annotations

import signal
import socket
from importlib import import_module
from pathlib import Path

import click

from cli.commands.common import server_option, token_option, unreachable

EXTRA = "this takes the package mcp: pip install 'mcp>=2.3,<3'"
PATIENCE = 3.0  # seconds that a service may be away: a model is told soon


@click.command()
@server_option()
@token_option()
@click.option("--name", default="model", show_default=True, help="Name of the new account.")
@click.option("--withhold-legal-actions", "withhold", is_flag=True,
              help="Do not list legal actions, for benchmarks: a refusal tells the broken rule.")
@click.option("--http", "is_http", is_flag=True,
              help="Serve streamable HTTP at /mcp rather than stdin and stdout.")
@click.option("--host", default="127.0.0.1", show_default=True,
              help="With --http, where to listen; whoever reaches it plays as the account.")
@click.option("--port", default=8765, show_default=True, type=click.IntRange(1, 65535),
              help="With --http, the port.")
def mcp(server: str, token_file: Path | None, name: str, withhold: bool, is_http: bool,
        host: str, port: int) -> None:
    """Let a language model play, over the Model Context Protocol.

    It offers tools to find or create a game, look, wait for a turn, act, and ask for a rule or for
    what lies near a place; boards and rules are resources. docs/mcp.md shows how to tell a client
    of it. Without --token-file every start is a new account.

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
    from fogg_client.accounts import account
    from urllib3.exceptions import HTTPError

    from cli.mcp.desk import Desk
    from cli.mcp.server import server_for

    def sign_in() -> Client:
        return Client(server, account(server, name, token_file).token, PATIENCE)

    where = f"http://{host}:{port}/mcp" if is_http else "stdin and stdout"
    if is_http:
        _check_free(host, port)
    try:
        Client(server, patience=PATIENCE).get("/healthz")
    except HTTPError as error:
        raise unreachable(server, error) from error
    click.echo(f"{server} is played on by an MCP client at {where}", err=True)
    serving = server_for(Desk(server, sign_in, with_legal_actions=not withhold))
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # else a thread that waits for stdin has to end
    if is_http:
        serving.run("streamable-http", host=host, port=port)
    else:
        serving.run("stdio")


def _check_free(host: str, port: int) -> None:
    """Tell in a sentence if nothing can be served there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        raise click.ClickException(
            f"cannot listen on {host} port {port}: {error.strerror}") from error
