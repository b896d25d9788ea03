"""Flags: a card of a blue, white or red route may be kept, and one of each makes a flag (4.5)."""

from collections.abc import Mapping

from domain.board.board import Board
from domain.board.parts import ANY, Route
from domain.codec import tagged
from domain.errors import Refused
from domain.game.commands import ClaimRoute, Command
from domain.game.events import Event, Resigned, RouteClaimed
from domain.game.state import Draft, State, add, put
from domain.rules.paying import holds, paid
from domain.rules.rule import Attribute, Claims, InTable, Number, Rule
from domain.secrecy import EVERYBODY, Member, Public

FLAG = ("blue", "white", "red")
POINTS = 4  # for each flag


@tagged
class FlagCompleted(Event):
    """A seat discarded the cards of a whole flag and scored the points (4.5)."""

    seat: Public[int]
    cards: Public[Mapping[str, int]]
    points: Public[int]


def check(board: Board) -> str | None:
    """Return why a board cannot have flags (it lacks one of their colours), None if it can."""
    return None if set(FLAG) <= board.cards.keys() else f"needs the colours {', '.join(FLAG)}"


def check_members(state: State, seat: int, route: Route, command: ClaimRoute) -> None:
    if not command.keep_for_flag:
        return
    board, field = state.board, "keep_for_flag"
    if not board.ruleset.has(RULE.name) or route.color not in FLAG:
        raise Refused("no-flag-card", "4.5", "no card of this route can be kept for a flag", field)
    if route.color not in command.cards:
        raise Refused("no-flag-card", "4.5", "wilds cannot be kept for a flag", field)
    if board.color_index[route.color] in state.flags[seat]:
        raise Refused(
            "flag-card-twice", "4.5", f"a {route.color} card lies before you already", field
        )


def add_claims(actions: list[Command], state: State, seat: int) -> None:
    board = state.board
    missing = {color for color in FLAG if board.color_index[color] not in state.flags[seat]}
    actions += [
        action.keeping
        for action in actions
        if type(action) is ClaimRoute
        and (color := board.routes[board.route_index[action.route]].color) in missing
        and (
            color in action.cards
            or (ANY in action.cards and holds(state, seat, paid(state, seat, action.keeping).cards))
        )
    ]


def complete(draft: Draft, seat: int, _route: Route) -> None:
    if len(draft.state.flags[seat]) == len(FLAG):
        draft.emit(FlagCompleted(seat, dict.fromkeys(FLAG, 1), POINTS))


def card_kept(state: State, event: RouteClaimed) -> None:
    if not event.kept:
        return
    color, seat = state.board.color_index[event.kept], event.seat
    state.flags = put(state.flags, seat, (*state.flags[seat], color))
    state.discards = put(state.discards, color, state.discards[color] - 1)


def flag_completed(state: State, event: FlagCompleted) -> None:
    seat = event.seat
    state.discards = add(state.discards, state.board.counts(event.cards))
    state.flags = put(state.flags, seat, ())
    state.points = put(state.points, seat, state.points[seat] + event.points)
    state.flag_points = put(state.flag_points, seat, state.flag_points[seat] + event.points)


def dropped(state: State, event: Resigned) -> None:
    state.flags = put(state.flags, event.seat, ())


RULE = Rule(
    name="flags",
    table=InTable(
        check=check,
        listed=lambda board: sum(route.length for route in board.routes if route.color in FLAG),
    ),
    claims=Claims(check_members=check_members, done=complete),
    evolves={FlagCompleted: flag_completed, RouteClaimed: card_kept, Resigned: dropped},
    # colours kept; points for whole flags
    attributes={"flags": Attribute(()), "flag_points": Attribute(0)},
    add_actions=add_claims,
    lying=lambda state, seat: state.flags[seat],
    numbers=(
        Number("flags", "Points for flags, where the board has them (4.5).", everywhere=True),
    ),
    scores=lambda state, _numbers: {"flags": state.flag_points},
    seat_view=(
        Member(
            "flag",
            EVERYBODY,
            tuple[str, ...],
            "Cards kept for the flag, where the board has flags.",
            lambda state, seat: state.board.names(state.flags[seat]),
        ),
    ),
)
