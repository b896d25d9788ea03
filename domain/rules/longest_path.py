"""The longest path: a bonus for the seat that has it; all tied seats score it (7.2)."""

from domain.board.shapes import whole
from domain.game.state import State
from domain.rules.rule import InTable, Number, Numbers, Rule


def scores(state: State, numbers: Numbers) -> Numbers:
    lengths, bonus = numbers["longest_path_length"], state.board.settings["longest_path_bonus"]
    return {"longest_path": [bonus if length == max(lengths) > 0 else 0 for length in lengths]}


RULE = Rule(
    name="longest_path",
    table=InTable(members={"longest_path_bonus": whole("Points for the longest path.")}),
    numbers=(
        Number(
            "longest_path", "Bonus for the longest path (7.2).", everywhere=True, breaks_ties=True
        ),
    ),
    scores=scores,
)
