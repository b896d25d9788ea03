"""Forks: games that continue from a position of a finished game.

The position is in the first entry, so the history of a fork is complete in itself. It is set up
once all seats are taken. The undrawn cards and tickets are then shuffled again, unless the fork
keeps their order.
"""

from typing import Any

from domain.codec import Json
from domain.errors import Refused
from domain.game.events import GameForked, PositionSet, UndrawnShuffled
from domain.game.state import PLAYING, Draft, State
from domain.rules import settling
from domain.rules.rule import Rule

# The attributes of a State that make a position, in addition to those that rules add. These are
# all that change during play, except those derived from the claimed routes, and ``last_progress``:
# a fork begins to count anew (8.6).
FIELDS = (
    "first_seat",
    "deck",
    "discards",
    "row",
    "shuffles",
    "ticket_deck",
    "long_deck",
    "hands",
    "tickets",
    "offered",
    "refused",
    "removed",
    "unseen",
    "trains",
    "points",
    "routes",
    "step",
    "turn",
    "passes",
    "final",
    "left",
    "leavers",
)


def position_of(state: State) -> Json:
    """Return the position of a game under way as JSON; numbers are places in the board's table."""
    if state.status != PLAYING:
        raise Refused(
            "no-position", "2.3", "the game was not under way at this version", "fork.version"
        )
    position = {name: getattr(state, name) for name in FIELDS}
    for name, each in state.board.ruleset.attributes.items():
        value = getattr(state, name)
        position[name] = each.packed(value) if each.packed else value
    return position | {"deck": list(state.deck)}


def set_up(draft: Draft) -> None:
    """Set up the position; shuffle the undrawn cards and tickets if the fork asks for it."""
    draft.emit(PositionSet())
    state, board = draft.state, draft.state.board
    if state.fork and state.fork.cards == "kept":
        return
    chance = state.chance
    deck = [board.colors[card] for card in sorted(state.deck)]
    decks = [
        [board.tickets[ticket].id for ticket in sorted(tickets)]
        for tickets in (state.ticket_deck, state.long_deck)
    ]
    labels = ("fork/cards", "fork/tickets", "fork/long-tickets")
    draft.emit(
        UndrawnShuffled(
            *(
                tuple(chance.shuffled(label, items))
                for label, items in zip(labels, (deck, *decks), strict=True)
            )
        )
    )


def game_forked(state: State, event: GameForked) -> None:
    state.fork = event


def position_set(state: State, _event: PositionSet) -> None:
    if state.fork is None:
        raise ValueError("there is no position to set")
    position, seats = state.fork.position, len(state.players)
    for name in FIELDS:
        setattr(state, name, _frozen(position[name]))
    state.deck = bytes(position["deck"])
    for name, each in state.board.ruleset.attributes.items():
        value = each.start if each.for_all else (each.start,) * seats
        if name in position:  # else the rule was added after the position was stored
            value = (each.unpacked or _frozen)(position[name])
        setattr(state, name, value)
    state.status, state.open = PLAYING, (1 << len(state.board.routes)) - 1
    state.last_progress = state.version
    state.closed = (0,) * seats
    for seat, routes in enumerate(state.routes):
        for route in routes:
            settling.close_route(state, seat, route)


def undrawn_shuffled(state: State, event: UndrawnShuffled) -> None:
    index = state.board.ticket_index
    state.deck = state.board.numbers(event.cards)
    state.ticket_deck = tuple([index[ticket] for ticket in event.tickets])
    state.long_deck = tuple([index[ticket] for ticket in event.long_tickets])


def _frozen(value: Any) -> Any:
    return tuple([_frozen(inner) for inner in value]) if isinstance(value, list | tuple) else value


RULE = Rule(
    name="forking",
    common=True,
    evolves={GameForked: game_forked, PositionSet: position_set, UndrawnShuffled: undrawn_shuffled},
)
