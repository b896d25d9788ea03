"""The globetrotter: a bonus for most completed tickets; all tied seats score it (7.5)."""

from domain.board.shapes import whole
from domain.game.state import State
from domain.rules.rule import InTable, Number, Numbers, Rule


def scores(state: State, numbers: Numbers) -> Numbers:
    completed, bonus = numbers["tickets_completed"], state.board.settings["globetrotter_bonus"]
    return {"globetrotter": [bonus if n == max(completed) > 0 else 0 for n in completed]}


RULE = Rule(
    name="globetrotter",
    table=InTable(members={"globetrotter_bonus": whole("Points for the most tickets completed.")}),
    numbers=(
        Number(
            "globetrotter",
            "Bonus for the most tickets completed, where the board has it (7.5).",
            breaks_ties=True,
        ),
    ),
    scores=scores,
)
