"""A game's analysis in the terminal."""

from collections.abc import Mapping
from typing import Any

from rich.console import Group
from rich.text import Text

from cli.views.game import SEAT_COLORS, readers
from cli.views.tables import table
from domain.sentences import sentence

HEADINGS = ("", "seat", "played", "expert", "cost", "95 % sure", "win %")
ACTIONS = {  # type -> templates (domain.sentences) for actions that all boards have
    "keep_tickets": ("keep {tickets:route}",),
    "draw_card": ("card? draw {card:word}", "draw from the deck"),
    "claim_route": ("claim {route} with {cards}",),
}


def analysis_table(analysis: Mapping[str, Any], board: dict) -> Group:
    """Return a row for each decision of a game, and the summary below them. ``board`` is the
    board's table with its declarations."""
    costliest = {version for row in analysis["costliest"].values() for version in row}
    turned = analysis["turning_point"]
    rows = [
        _row(row, board, is_costliest=row["version"] in costliest) for row in analysis["decisions"]
    ]
    return Group(
        table(HEADINGS, rows, ["played", "expert"], f"{board['name']}, {analysis['game']}"),
        Text(
            "the winner's chance of winning was not the largest at the last decision"
            if turned is None
            else f"since version {turned}, the winner's chance of winning was the largest"
        ),
        Text(
            "expert: what it finds better. cost: points of final lead that the move "
            "lost by that. win %: the seat's chance of winning after its move, as far as it could "
            "know. *: the costliest moves of a seat whose cost is certain."
        ),
    )


def _row(row: dict, board: dict, *, is_costliest: bool) -> tuple:
    cost = interval = win = ""
    if "cost" in row:
        cost = f"{row['cost']:z.1f}{' *' if is_costliest else '  '}"
        interval = "{:z.1f} to {:z.1f}".format(*row["interval"])
        win = f"{100 * row['win']:.0f}"
    other = "" if row["best"] == row["played"] else _words(row["best"], board)
    seat = Text(f"seat {row['seat'] + 1}", SEAT_COLORS[row["seat"] % len(SEAT_COLORS)])
    return (str(row["version"]), seat, _words(row["played"], board), other, cost, interval, win)


def _words(action: dict, board: dict) -> str:
    kind, read = action["type"], readers(board)
    declared = board["declared"]["actions"].get(kind, {})
    if said := sentence(declared.get("says") or ACTIONS.get(kind, ()), action, read):
        return said
    members = [read.get(name, str)(value) for name, value in action.items() if name != "type"]
    return " ".join([*kind.split("_"), *members])
