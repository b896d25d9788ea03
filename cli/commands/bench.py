"""``fogg bench``: players measured against the built-in bots."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import click

from cli.commands import Group, common
from service import settings

ANCHORS = ("random", "greedy", "planner", "expert@0.05", "expert@0.3")


@click.group(cls=Group)
def bench() -> None:
    """Measure language models against the built-in bots. docs/llm.md shows how.

    \b
    Example:
      fogg bench llm --endpoint http://127.0.0.1:8080/v1 --model my-model
    """


def _endpoint(_ctx: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    if value is not None and not settings.is_http_url(value):
        raise click.BadParameter(f"{value!r} is not a URL (example: https://api.openai.com/v1)")
    return value.rstrip("/") if value else None


def _options(_ctx: click.Context, _option: click.Parameter, value: str) -> dict[str, Any]:
    try:
        members = json.loads(value)
    except ValueError:
        members = None
    if not isinstance(members, dict) or members.keys() & {"model", "messages", "stream"}:
        raise click.BadParameter("should be a JSON object without model, messages and stream")
    return members


@bench.command()
@click.option("--endpoint", metavar="URL", callback=_endpoint,
              help="An endpoint of the OpenAI kind; FOGG_LLM_KEY has its key.")
@click.option("--exec", "program", metavar="COMMAND",
              help="A program that answers requests by lines of JSON, instead of an endpoint.")
@click.option("--model", default="", help="The model's name; needed with --endpoint.")
@click.option("--board", default="fresh", show_default=True,
              help="A board, a board's file, or fresh: one invented for each deal.")
@click.option("--track", default="listed", show_default=True,
              type=click.Choice(("listed", "withheld")), help="Whether legal actions are listed.")
@click.option("--planning/--no-planning", default=False, show_default=True,
              help="Show a plan for the tickets.")
@click.option("--deals", default=20, show_default=True, type=click.IntRange(1, 999),
              help="Number of deals; each is played from both seats against each anchor.")
@click.option("--against", multiple=True, default=ANCHORS, show_default=True, metavar="BOT",
              help="An anchor; may be repeated.")
@click.option("--options", default="{}", callback=_options, metavar="JSON",
              help='More members of each request, such as \'{"temperature": 0}\'.')
@click.option("--wait", default=120.0, show_default=True, type=common.Amount(0.01),
              help="Seconds that the model has for each answer.")
@click.option("--retry-for", default=120.0, show_default=True, type=common.Amount(0),
              help="Seconds for which an endpoint that is busy or away is asked again.")
@click.option("--prices", nargs=2, type=common.Amount(0), metavar="READ WRITTEN",
              help="US dollars for a million tokens read and written, if answers have no cost.")
@click.option("--out", "folder", type=click.Path(file_okay=False, path_type=Path),
              help="The folder of the run.  [default: var/bench/MODEL]")
@click.option("--season", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Play the secret deals of this file of fogg bench season, not the published "
                   "ones.")
@click.option("--at-once", default=1, show_default=True, type=click.IntRange(1, 64),
              help="Number of games at the same time.")
@common.json_option("the report")
def llm(endpoint: str | None, program: str | None, model: str, track: str, planning: bool,
        wait: float, retry_for: float, options: dict[str, Any], folder: Path | None,
        season: Path | None, at_once: int, as_json: bool, **members) -> None:
    """Play a language model against the anchors, and report its strength.

    The folder keeps histories, transcripts and the report. If the run is broken off, the same
    command continues it. docs/llm.md explains the report.

    \b
    Example:
      fogg bench llm --endpoint http://127.0.0.1:8080/v1 --model my-model
      fogg bench llm --exec "./my_model" --track withheld --against planner
    """
    from cli.bench.deals import PUBLISHED, season_in
    from cli.bench.models import Asking, Source
    from cli.bench.player import Track
    from cli.bench.report import report
    from cli.bench.run import Bench, check, results
    from cli.views.bench import report_text

    if bool(endpoint) == bool(program):
        raise click.UsageError("name the model by either --endpoint or --exec")
    if endpoint and not model:
        raise click.UsageError("--endpoint needs --model")
    model = model or str(program)
    common.stop_on_signals()
    file_name = re.sub(r"[^\w.@-]+", "-", model).strip("-.")[:80] or "model"
    run = Bench(model, folder or Path("var", "bench", file_name), options=options,
                track=Track(track == "listed", planning),
                set=season_in(season) if season else PUBLISHED, **members)
    common.show_preparing(run.against)
    source = Source(endpoint, program, Asking(model, options, wait, retry_for))
    source.open().close()
    check(run)
    rows, code = common.until_stopped(results(run, source, at_once), model, len(run.games()))
    shown = report(run, rows)
    (run.folder / "report.json").write_text(json.dumps(shown, indent=1) + "\n")
    common.show(as_json, shown, report_text(shown))
    sys.exit(code)


@bench.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--name", help="Make a new season of this name; without it, show that of the file.")
@common.json_option("name and commitment")
def season(file: Path, name: str | None, as_json: bool) -> None:
    """Make a set of secret deals and boards, or show its commitment.

    Publish the commitment when the season begins, and the file when it is over. Then anyone can
    check that they belong together, and that the games had these deals.

    \b
    Example:
      fogg bench season autumn.json --name autumn-2026
      fogg bench season autumn.json
    """
    from cli.bench.deals import new_season, season_in

    made = new_season(file, name) if name else season_in(file)
    shown = {"season": made.name, "commitment": made.commitment}
    click.echo(json.dumps(shown) if as_json else f"{made.name}: {made.commitment}")
