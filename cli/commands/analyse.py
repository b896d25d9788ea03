"""``fogg analyse``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

import click

from cli.commands import common

if TYPE_CHECKING:
    from cli.recorded.recording import Recording
    from domain.analysis import JudgedDecision

GAME_ID = re.compile("g_[0-9a-f]{20}")


@click.command()
@click.argument("game", metavar="GAME")
@common.BOARDS
@common.server_option(
    words="The service that has the game, if GAME is an id; FOGG_SERVER names it, too."
)
@click.option(
    "--seconds",
    default=0.5,
    show_default=True,
    type=common.Amount(0.01, 3600),
    help="CPU seconds for each decision.",
)
@click.option(
    "--worlds",
    type=click.IntRange(8, 1_000_000),
    metavar="N",
    help="Try each decision in so many possible worlds instead, at least 8.",
)
@click.option(
    "--game", "chosen", metavar="ID", help="The game's id, if GAME is a file that holds many."
)
@common.json_option("the analysis")
def analyse(
    game: str,
    folders: tuple[str, ...],
    server: str,
    seconds: float,
    worlds: int | None,
    chosen: str | None,
    as_json: bool,
) -> None:
    """Show what expert finds best at each decision of a finished game, and what the moves played
    have cost.

    GAME is the file of a history, the id of a game, or its address. A file with several games is
    listed. The analysis is made on this machine. Each decision is judged from what its seat could
    know then. docs/analysis.md says what the numbers mean.

    \b
    Example:
      fogg analyse var/demo/20260101-120000/history.ndjson
      fogg analyse g_0123456789abcdef0123 --server https://fogg.example
      fogg analyse https://fogg.example/v1/games/g_0123456789abcdef0123 --json
    """
    from cli.views.analysis import analysis_table
    from domain.analysis import summary
    from domain.boards import boards_by_digest
    from domain.game.proof import finished

    common.stop_on_signals()
    source = f"{server}/v1/games/{game}" if GAME_ID.fullmatch(game) else game
    recording = common.recording_in(source, folders, chosen, as_json)
    if wrong := recording.wrong or finished(boards_by_digest(folders), recording.entries).wrong:
        raise click.ClickException(f"{source}: {common.words_about(wrong)}")
    state = recording.at(None)
    if not state.results:
        raise click.ClickException("the game was not played to its end, so nobody has won it")
    common.show_preparing(["expert"])
    due = [
        (version, entry)
        for version, entry in enumerate(recording.entries[1:], 1)
        if "action" in entry and recording.at(version).decision(entry["seat"]) is not None
    ]
    with common.progress_bar("judging", "decisions") as bar:
        rows = [*bar.track(_judged(recording, due, seconds, worlds or 0), len(due))]
    shown = {
        "game": state.id,
        "board": recording.board.id,
        "status": "done",
        "progress": 1.0,
        "decisions": rows,
    } | summary(rows, [result["rank"] for result in state.results])
    common.show(as_json, shown, analysis_table(shown, recording.board.described))


def _judged(
    recording: Recording, due: list[tuple[int, dict]], seconds: float, worlds: int
) -> Iterator[JudgedDecision]:
    """Judge one decision of a game after the other, each given by the version before it and the
    entry that it became; ``expert`` must be installed."""
    from domain.game.view import view_with_terms
    from workers.judgement import judged

    def as_json(value: Any) -> Any:
        """Return a value as a bot over HTTP would get it."""
        return json.loads(json.dumps(value))

    board, rng = as_json(recording.board.described), Random()
    for version, entry in due:
        seen = as_json(view_with_terms(recording.at(version), entry["seat"], sealed=True))
        yield judged(board, version + 1, seen, entry["action"], rng, seconds=seconds, worlds=worlds)
