"""A leaderboard of submitted runs: a report counts if it follows from games that hold."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cli.bench.deals import Deals
from cli.bench.models import Asking, are_options
from cli.bench.player import Track
from cli.bench.report import MOST_FALLBACKS, by_anchor, strength
from cli.bench.run import FRESH, MAX_DEALS, Bench, Game, creation, outcome
from cli.recorded.games import read
from cli.recorded.sources import MAX_LINE_BYTES, Twice, decode
from domain.boards import load_folder
from domain.game.asked import asked
from domain.game.proof import finished

_BROKEN = (LookupError, ValueError, TypeError, AttributeError, RecursionError, OSError, Twice)


class Unproven(Exception):
    """A report does not follow from its games; the message says why."""


def checked(folder: Path, sets: Mapping[str, Deals]) -> dict[str, Any]:
    """Return the row of a submission, which is the folder of a run; if it does not hold, the reason
    as ``refused``. ``sets``: the known sets of deals, by commitment."""
    try:
        return {"folder": folder.name} | _row(folder, sets)
    except Unproven as reason:
        why = str(reason)
    except _BROKEN as error:
        why = f"report.json is no report of fogg bench llm: {error!r}"[:200]
    return {"folder": folder.name, "refused": why}


def _row(folder: Path, sets: Mapping[str, Deals]) -> dict[str, Any]:
    _check_file(folder, "report.json")
    with (folder / "report.json").open("rb") as file:
        shown = decode(file.read(MAX_LINE_BYTES).decode())
    whose = ["answers", "rival_answers"] if "rival" in shown else ["answers"]
    rates = [shown[name]["fallback_rate"] for name in whose]
    if not all(0 <= rate <= MOST_FALLBACKS for rate in rates):
        raise Unproven(
            f"a rate of fallbacks is not from 0 to {MOST_FALLBACKS}: too much was drawn by lot"
        )
    bench = _bench(folder, shown, sets)
    games = [_outcome(bench, game) for game in bench.games()]
    due = bench.fixed | {
        "deals": bench.deals,
        "complete": True,
        "strength": by_anchor(bench, games),
    }
    if wrong := [name for name, value in due.items() if shown[name] != value]:
        raise Unproven(f"report.json has another {', '.join(wrong)} than its games")
    return due | {"fallback_rates": rates} | strength(games)


def _check_file(folder: Path, name: str) -> None:
    """Raise Unproven for a link to a device or a pipe, whose reading would not end."""
    if (folder / name).exists() and not (folder / name).is_file():
        raise Unproven(f"{name} is no file")


def _bench(folder: Path, shown: dict[str, Any], sets: Mapping[str, Deals]) -> Bench:
    """Return the settings that a report names."""
    models = [
        Asking(one["model"], one["options"])
        for one in (shown, *([shown["rival"]] if "rival" in shown else []))
    ]
    against = tuple(row["anchor"] for row in shown["strength"])
    checks = {
        "a name cannot be printed": all(
            name.isprintable() for name in (*against, *(one.model for one in models))
        ),
        "its options are no JSON object without model, messages and stream": all(
            are_options(one.options) for one in models
        ),
        "its deals are of a season whose file is not named by --season": shown["commitment"]
        in sets,
        "its board is none of Fogg's": shown["board"] in (FRESH, *load_folder()),
        f"it is not of 1 to {MAX_DEALS} deals": shown["deals"] in range(1, MAX_DEALS + 1),
        "it does not name each opponent once": 0 < len(against) == len({*against}),
        "its games are against another model than its rival": "rival" not in shown
        or against == (models[1].model,),
    }
    for fault, is_right in checks.items():
        if not is_right:
            raise Unproven(fault)
    return Bench(
        tuple(models),
        folder,
        shown["board"],
        shown["deals"],
        against,
        Track(shown["track"] == "listed", bool(shown["planning"])),
        sets[shown["commitment"]],
    )


def _outcome(bench: Bench, game: Game) -> dict[str, Any]:
    """Return the result of a game, from its history."""
    board, name = bench.board_of(game.deal), f"histories/{game.name}.ndjson"
    _check_file(bench.folder, name)
    recorded = next(read(str(bench.folder / name)))
    proven = finished({board.digest: board}, recorded.entries())
    if proven.wrong:
        raise Unproven(f"{name}: {proven.wrong}")
    if asked(None, next(recorded.entries()))[1] != creation(bench, game):
        raise Unproven(
            f"{name} is another game than deal {game.deal} of this model against "
            f"{game.anchor} on seat {game.seat}"
        )
    return outcome(game, proven.results)
