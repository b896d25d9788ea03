"""Every legal action of a seat, exactly those that ``decide`` accepts (9.4).

The order is fixed: blind draw, row, tickets, claims, then what other rules add; choices of tickets
from the fewest up. It decides which action the service plays for a seat whose time is up (8.3).
``resign`` is legal throughout and not listed.

With a big hand, a few routes and payments make a thousand actions. Grouped, they take a tenth of
the space: in a group, each member of an action is the list of its possible values. Every
combination is a legal action, and none is in two groups.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

from domain.codec import Json
from domain.game.commands import Command
from domain.game.state import State

Listed = Literal["true", "grouped", "false"]  # how a view has them, in the API's words


def legal_actions(state: State, seat: int) -> list[Command]:
    """Return the seat's legal actions; none when the game does not wait for it."""
    decision = state.decision(seat)
    return state.board.ruleset.decisions[decision].options(state, seat) if decision else []


def grouped(actions: Iterable[Command]) -> list[Json]:
    """Return actions as groups. First join actions with the same first member (a route with all its
    payments), then first members with the same options (routes with the same payments)."""
    by_first: dict[str, list[Command]] = {}
    for action in actions:
        by_first.setdefault(action.keys[0], []).append(action)
    together: dict[tuple[str, ...], list[list[Command]]] = {}
    for ways in by_first.values():
        together.setdefault(tuple([way.keys[1] for way in ways]), []).append(ways)
    return [_group(firsts) for firsts in together.values()]


def _group(firsts: Sequence[Sequence[Command]]) -> Json:
    """Return the group of actions of one kind, given for each first member its ways."""
    example = firsts[0][0].json
    first, second, *rest = [*example, None, None][1:]
    group: Json = {"type": example["type"]}
    if first:
        group[first] = [ways[0].json[first] for ways in firsts]
    if second:
        group[second] = [way.json[second] for way in firsts[0]]
    return group | {name: [example[name]] for name in rest if name}
