"""``fogg bench``: players measured against the built-in bots."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.commands import Group, common
from service import settings

if TYPE_CHECKING:
    from cli.bench.models import Asking

ANCHORS = ("random", "greedy", "planner", "expert@0.05", "expert@0.3")


@click.group(cls=Group)
def bench() -> None:
    """Measure language models, and rank them. docs/llm.md shows how.

    \b
    Example:
      fogg bench llm --endpoint http://127.0.0.1:8080/v1 --model my-model
    """


def _url(value: str) -> str:
    if not settings.is_http_url(value):
        raise click.BadParameter(f"{value!r} is not a URL (example: https://api.openai.com/v1)")
    return value.rstrip("/")


def _members(value: str) -> dict[str, Any]:
    from cli.bench.models import are_options
    from cli.recorded.sources import Twice, decode

    with suppress(ValueError, RecursionError, Twice):
        if are_options(members := decode(value)):
            return members
    raise click.BadParameter("should be a JSON object without model, messages and stream")


@bench.command()
@click.option(
    "--endpoint",
    "endpoints",
    metavar="URL",
    multiple=True,
    type=_url,
    help="An endpoint of the OpenAI kind; FOGG_LLM_KEY has its key.",
)
@click.option(
    "--exec",
    "programs",
    metavar="COMMAND",
    multiple=True,
    help="A program that answers requests by lines of JSON, instead of an endpoint.",
)
@click.option(
    "--model",
    "models",
    metavar="NAME",
    multiple=True,
    help="The model's name; needed with --endpoint.",
)
@click.option(
    "--board",
    default="fresh",
    show_default=True,
    help="A board, a board's file, or fresh: one invented for each deal.",
)
@click.option(
    "--track",
    default="listed",
    show_default=True,
    type=click.Choice(("listed", "withheld")),
    help="Whether legal actions are listed.",
)
@click.option(
    "--planning/--no-planning",
    default=False,
    show_default=True,
    help="Show a plan for the tickets.",
)
@click.option(
    "--deals",
    default=20,
    show_default=True,
    type=click.IntRange(1, 999),
    help="Number of deals; each is played from both seats against each anchor.",
)
@click.option(
    "--against",
    multiple=True,
    metavar="BOT",
    help=f"An anchor; may be repeated.  [default: {', '.join(ANCHORS)}]",
)
@click.option(
    "--options",
    multiple=True,
    default=["{}"],
    type=_members,
    metavar="JSON",
    help="More members of each request, such as '{\"temperature\": 0}'.",
)
@click.option(
    "--wait",
    default=120.0,
    show_default=True,
    type=common.Amount(0.01),
    help="Seconds that the model has for each answer.",
)
@click.option(
    "--retry-for",
    default=120.0,
    show_default=True,
    type=common.Amount(0),
    help="Seconds for which an endpoint that is busy or away is asked again.",
)
@click.option(
    "--prices",
    nargs=2,
    multiple=True,
    type=common.Amount(0),
    metavar="READ WRITTEN",
    help="US dollars for a million tokens read and written, if answers have no cost.",
)
@click.option(
    "--out",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of the run.  [default: var/bench/MODEL, or MODEL-v-RIVAL]",
)
@click.option(
    "--season",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Play the secret deals of this file of fogg bench season, not the published ones.",
)
@click.option(
    "--at-once",
    default=1,
    show_default=True,
    type=click.IntRange(1, 64),
    help="Number of games at the same time.",
)
@common.json_option("the report")
def llm(
    track: str,
    planning: bool,
    against: tuple[str, ...],
    folder: Path | None,
    season: Path | None,
    at_once: int,
    as_json: bool,
    board: str,
    deals: int,
    **asked: Any,
) -> None:
    """Play a language model against the anchors or against another model, and report its strength.

    Each of --endpoint, --exec, --model, --options and --prices may be given twice: the second is
    then a rival's, and the two models play each deal in both seatings. An option given once is for
    both.

    The folder keeps histories, transcripts and the report. If the run is broken off, the same
    command continues it. If more than a tenth of the decisions had to be drawn by lot, the report
    has no strength, and the exit code is 1. docs/llm.md explains the report.

    \b
    Example:
      fogg bench llm --endpoint http://127.0.0.1:8080/v1 --model my-model
      fogg bench llm --endpoint http://127.0.0.1:8080/v1 --model one --model other
      fogg bench llm --exec "./my_model" --track withheld --against planner
    """
    from cli.bench.deals import PUBLISHED, season_in
    from cli.bench.player import Track
    from cli.bench.report import report
    from cli.bench.run import Bench, check, file_name, results
    from cli.views.bench import report_text

    models = _models(**asked)
    names = [one.model for one in models]
    if names[1:] and against:
        raise click.UsageError("--against is for one model: two play each other alone")
    if len({file_name(one) for one in against}) < len(against):
        raise click.UsageError("name each opponent once")
    common.stop_on_signals()
    run = Bench(
        models,
        folder or Path("var", "bench", file_name("-v-".join(names))),
        board,
        deals,
        tuple(names[1:]) or against or ANCHORS,
        Track(track == "listed", planning),
        season_in(season) if season else PUBLISHED,
    )
    common.show_preparing(run.anchors)
    for one in models:
        one.open().close()
    check(run)
    rows, code = common.until_stopped(results(run, at_once), names[0], len(run.games()))
    shown = report(run, rows)
    (run.folder / "games.ndjson").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    (run.folder / "report.json").write_text(json.dumps(shown, indent=1) + "\n")
    common.show(as_json, shown, report_text(shown))
    sys.exit(code or int(not shown["measured"]))


def _models(
    endpoints: tuple[str, ...],
    programs: tuple[str, ...],
    models: tuple[str, ...],
    options: tuple[dict[str, Any], ...],
    prices: tuple[tuple[float, float], ...],
    wait: float,
    retry_for: float,
) -> tuple[Asking, ...]:
    """Return how the model is asked, and its rival if an option is given twice. A key goes to its
    own endpoint only."""
    from cli.bench.models import Asking

    if bool(endpoints) == bool(programs):
        raise click.UsageError("name the model by either --endpoint or --exec")
    if endpoints and not models:
        raise click.UsageError("--endpoint needs --model")
    if not all(name.isprintable() for name in models):
        raise click.UsageError("a model's name should be text that can be printed")
    keys = dict(zip(endpoints, (settings.LLM_KEY.value() or "").split(), strict=False))
    given: tuple[tuple, ...] = (
        models or programs,
        options,
        prices or (None,),
        endpoints or (None,),
        programs or ("",),
    )
    count = max(map(len, given))
    if count > 2:
        raise click.UsageError("two models play each other, not more: give no option three times")
    rows = zip(*(values * (count // len(values)) for values in given), strict=True)
    return tuple(
        Asking(model, members, wait, retry_for, price, url, keys.get(url), program)
        for model, members, price, url, program in rows
    )


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


@bench.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--season",
    "seasons",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The file of a season whose deals were played; may be repeated.",
)
@click.option(
    "--out",
    "page",
    default="leaderboard.html",
    show_default=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The page's file.",
)
@common.json_option("reports that hold and refused ones")
def leaderboard(folder: Path, seasons: tuple[Path, ...], page: Path, as_json: bool) -> None:
    """Verify the games of submitted reports, and write a page that ranks the models.

    FOLDER has the folders of runs, such as var/bench, each with its report.json and histories. A
    report is refused, and the exit code is 1, if a game is wrong or missing, or if the report does
    not follow from its games.

    \b
    Example:
      fogg bench leaderboard var/bench --season autumn.json
    """
    from cli.bench.deals import PUBLISHED, season_in
    from cli.bench.leaderboard import checked
    from cli.views.bench import leaderboard_text
    from service.http.markdown import page_of

    common.stop_on_signals()
    sets = {one.commitment: one for one in (PUBLISHED, *map(season_in, seasons))}
    runs = sorted(file.parent for file in folder.glob("*/report.json"))
    if not runs:
        raise click.ClickException(
            f"{folder} has no reports: it should have a folder for each run "
            "of fogg bench llm, with its report.json and histories"
        )
    rows, code = common.until_stopped((checked(run, sets) for run in runs), "reports", len(runs))
    if code:
        sys.exit(code)
    refused = [row for row in rows if "refused" in row]
    held = sorted((row for row in rows if row not in refused), key=lambda row: -row["margin"])
    page.write_text(page_of(leaderboard_text(held)), encoding="utf-8")
    common.show(
        as_json,
        {"reports": held, "refused": refused},
        "\n".join(
            [
                *(f"{row['folder']} is refused: {row['refused']}" for row in refused),
                f"{page} has {len(held)} of {len(rows)} reports",
            ]
        ),
    )
    sys.exit(1 if refused else 0)
