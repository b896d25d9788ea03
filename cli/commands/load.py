"""``fogg load``."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
from click.core import ParameterSource

from cli.commands.common import (
    Amount,
    exit_code,
    json_option,
    server_option,
    stop_on_signals,
    terminal,
    unreachable,
)
from service import settings

UNLIMITED = "accounts=1000000/60 address=1000000/60"  # all clients share one address
NAMES = ("bots", "watchers", "lobbies", "tournaments", "mix")


@click.command()
@click.argument("scenario", type=click.Choice(NAMES), default="mix")
@server_option(None, words="The service, if not one that is started for this; one that is not on "
                           "this machine has to be named here, FOGG_SERVER will not do.")
@click.option("--seconds", default=10.0, show_default=True, type=Amount(0.1, 86_400),
              help="How long to run.")
@click.option("--requests", type=click.IntRange(1),
              help="Maximum number of requests; by default only the time ends a run.")
@click.option("--clients", default=16, show_default=True, type=click.IntRange(1, 2000),
              help="Clients at a time; each sends its next request after an answer.")
@click.option("--rate", type=Amount(0.1),
              help="Requests per second, even if answers are late.")
@click.option("--watchers", default=4, show_default=True, type=click.IntRange(0, 1000),
              help="Streams on each game, in the scenarios watchers and mix.")
@click.option("--web", default=1, show_default=True, type=click.IntRange(1, 64),
              help="Web processes of the service that this command starts.")
@click.option("--actions", type=click.IntRange(1),
              help="Actions before a player resigns; by default games are played to the end.")
@click.option("--board", default="usa", show_default=True, help="The board to play on.")
@json_option()
@click.pass_context
def load(context: click.Context, scenario: str, server: str | None, web: int, watchers: int,
         as_json: bool, **bounds) -> None:
    """Put load on a service; print throughput, latencies and refusals.

    Bots play games for two; watchers follow them; clients join and leave lobbies; tournaments are
    round robins of four; mix is all of these. Without --rate, each client waits for its answer
    before the next request (a closed loop). With --rate, latency counts from when a request was due
    (an open loop). Ctrl-C ends it early and prints the results so far.

    \b
    Example:
      fogg load mix --seconds 30 --clients 32
    """
    from urllib3.exceptions import HTTPError

    from cli.load.run import Settings

    if server and context.get_parameter_source("server") is ParameterSource.ENVIRONMENT:
        _check_loopback(server)
    bounds["watchers"] = watchers if scenario in ("watchers", "mix") else 0
    stop_on_signals()
    try:
        with _service(server, web) as url:
            measured, code = _measure(scenario, Settings(url, **bounds))
    except HTTPError as error:
        raise unreachable(server or "the service", error) from error
    result = {"scenario": scenario} | measured | {"complete": not code}
    click.echo(json.dumps(result)) if as_json else _show(result)
    sys.exit(code)


def _measure(scenario: str, options: Any) -> tuple[dict[str, Any], int]:
    """Run the scenario and show its progress. Return the result and the exit code, which is not 0
    if the run was interrupted."""
    from cli.load import scenarios
    from cli.load.run import Run, report

    with terminal(stderr=True).status("signing up") as status:
        clients = scenarios.sign_up(options, scenario)
        run, busy, code = Run(options), time.process_time(), 0
        threads = scenarios.begin(run, clients)
        try:
            while any(thread.is_alive() for thread in threads) and not run.is_over:
                status.update(f"{run.seconds:.0f} of {options.seconds:g} seconds, {run.asked:,} "
                              f"requests, {sum(run.errors.values())} errors")
                time.sleep(0.1)
        except KeyboardInterrupt as stop:
            code = exit_code(stop)
            run.stop()
        status.update("aborting the games under way")
        for thread in threads:
            thread.join()
    return report(run, time.process_time() - busy), code


@contextmanager
def _service(server: str | None, web: int) -> Iterator[str]:
    """Yield the address of the service. Without a name, start one on an empty Redis."""
    from service.operation.stack import Stack

    if server:
        yield server
        return
    settings.REDIS_URL.unset()  # the load must not reach another Redis
    settings.QUEUE_URL.unset()
    if not settings.LIMITS.is_set():
        settings.LIMITS.set(UNLIMITED)
    with (tempfile.TemporaryDirectory(prefix="fogg-load-") as folder,
          Stack(Path(folder), web=web) as stack):
        yield stack.url


def _check_loopback(server: str) -> None:
    host = urlsplit(server).hostname or ""
    try:
        is_here = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        is_here = False
    if not is_here:
        raise click.ClickException(f"{server} is not on this machine: to put load on it "
                                   "anyway, name it with --server")


def _show(result: dict[str, Any]) -> None:
    """Print a result for people."""
    from cli.views.tables import table

    console = terminal()
    loop = (f"an open loop of {result['rate']:g} requests a second" if result["rate"] else
            "a closed loop")
    console.print(f"{result['scenario']} for {result['seconds']:g} seconds"
                  f"{'' if result['complete'] else ', interrupted'}: "
                  f"{result['clients']} clients, {loop}")
    rows = result["by_request"] | {"all requests": result["requests"]}
    if result["seen_by_watchers"]["count"]:
        rows["from an action to its watchers"] = result["seen_by_watchers"]
    console.print(table(
        ("request", "count", "a second", "p50 ms", "p95 ms", "p99 ms"),
        [(name, f"{row['count']:,}", f"{row['per_second']:,.1f}",
          *("-" if row[point] is None else f"{row[point]:,.1f}" for point in ("p50", "p95", "p99")))
         for name, row in rows.items()], ["request"]))
    for name, count in result["errors"].items():
        console.print(f"{count:,} errors, {name}")
    if not result["errors"]:
        console.print("no errors")
    console.print(f"This client was busy for {result['busy']:.0%} of a processor"
                  + (": it may be what was measured" if result["busy"] > 0.8 else ""))
