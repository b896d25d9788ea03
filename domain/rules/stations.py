"""Stations: building them (6.1)."""

from __future__ import annotations

from domain.errors import Refused
from domain.game.commands import BuildStation
from domain.game.events import StationBuilt
from domain.game.state import Draft, State, add, put, take
from domain.rules import claiming, settling


def build_station(draft: Draft, seat: int, command: BuildStation) -> None:
    """Build a station; the first costs one card, the second two of a colour, and so on (6.1)."""
    state, board = draft.state, draft.state.board
    if command.location not in board.location_index:
        raise Refused("unknown-location", "6.1", f"{board.name} has no such place", "location")
    if board.location_index[command.location] in [x for built in state.stations for x in built]:
        raise Refused("station-there", "6.1", "there is a station already", "location")
    if state.stations_left(seat) == 0:
        raise Refused("no-stations-left", "6.1", "all your stations are built", "type")
    claiming.check_set(board, command.cards, len(state.stations[seat]) + 1, "6.1")
    claiming.check_held(state, seat, command.cards, "6.1")
    draft.emit(StationBuilt(seat, command.location, command.cards))
    settling.finish_turn(draft)


def station_built(state: State, event: StationBuilt) -> None:
    seat, paid = event.seat, state.board.counts(event.cards)
    state.hands = put(state.hands, seat, take(state.hands[seat], paid))
    state.discards = add(state.discards, paid)
    place = state.board.location_index[event.location]
    state.stations = put(state.stations, seat, (*state.stations[seat], place))
    state.passes = 0


DECIDES = {BuildStation: build_station}
EVOLVES = {StationBuilt: station_built}
