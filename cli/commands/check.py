"""``fogg check``: whether all stored data of a service is right."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from cli.commands.common import json_option, on_the_store, terminal

if TYPE_CHECKING:
    from service.records.checking import Report


@click.command()
@json_option("the findings")
@on_the_store
def check(as_json: bool) -> None:
    """Check every history and all data derived from them; print faults and how to repair them.

    Checks games and tournaments, in Redis and in the database: the hash chain, gaps, and whether
    they fold. Then it checks lists, deadlines, statistics, ratings and the log and, if the service
    runs, whether a worker plays its bots. It changes nothing, is safe while the service runs, and
    exits with 1 if it finds a fault.

    \b
    Example:
      fogg check --data /srv/fogg/var
    """
    from service.app import build_services
    from service.records import checking
    from service.redis import durability, layout

    services = build_services()
    redis = services.games.redis
    warnings = [*durability.risky_settings(redis), *layout.warnings(redis)]
    waiting = [one for feature in services.features for one in feature.findings(services)]
    with (closing(services.games.database),
          terminal(stderr=True).status("reading histories") as status):
        report = checking.check(services.games, lambda done: status.update(
            f"{counts_of(done)}, {len(done.findings)} wrong"))
    report.findings += waiting
    if as_json:
        rows = [asdict(finding) | {"do": checking.TO_DO[finding.code]}
                for finding in report.findings]
        counts = {f"{kind}s": count for kind, count in report.counts.items()}
        click.echo(json.dumps({"ok": not rows, "warnings": warnings} | counts | {
            "findings": rows, "gone_back": [asdict(one) for one in report.gone_back]}))
    else:
        for warning in warnings:
            click.echo(f"warning: {warning}")
        _print_findings(report, checking.TO_DO)
    sys.exit(1 if report.findings else 0)


def _print_findings(report: Report, to_do: dict[str, str]) -> None:
    for finding in report.gone_back:
        click.echo(f"{finding.where} {finding.reason}")
    for code in dict.fromkeys(finding.code for finding in report.findings):
        findings = [finding for finding in report.findings if finding.code == code]
        click.echo(f"{code}: {len(findings)}; {to_do[code]}")
        for finding in findings:
            click.echo(f"  {finding.where}: {finding.reason}")
    verdict = f"{len(report.findings)} things are wrong" if report.findings else "all is right"
    click.echo(f"{counts_of(report, ' and ')}: {verdict}")


def counts_of(report: Report, joint: str = ", ") -> str:
    """Return how many histories of each kind were checked, in words."""
    return joint.join(f"{count} {kind}s" for kind, count in report.counts.items())
