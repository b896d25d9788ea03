"""Whole games, played at random, with the histories that a service would store."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

import orjson

from domain.board.board import Board
from domain.game.commands import ClaimRoute, Command, CreateGame, Resign
from domain.game.events import Event
from domain.game.fold import play
from domain.game.legal import legal_actions
from domain.game.state import PLAYING, State
from domain.rules import event_from_json
from tests.domain.given import USA, creation


@dataclass
class Game:
    """A game so far: after ``entries[i]``, a stored entry as JSON, it is in ``states[i]``."""

    entries: list[dict] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    board: Board = USA

    @property
    def state(self) -> State:
        return self.states[-1] if self.states else State(self.board)

    def play(self, seat: int | None, command: Command | CreateGame) -> list[Event]:
        """Run a seat's command; return its events."""
        events, state = play(self.state, seat, command)
        self.entries.append(stored(state.version, seat, command, events))
        self.states.append(state)
        return events


def stored(version: int, seat: int | None, command: object, events: list[Event]) -> dict:
    """An entry as it comes back from where histories are kept."""
    entry: dict = {"version": version}
    if isinstance(command, Command):
        entry |= {"seat": seat, "action": command.json}
    return orjson.loads(orjson.dumps(entry | {"events": [event.as_json() for event in events]}))


def events_of(entry: dict) -> list[Event]:
    return [event_from_json(event) for event in entry["events"]]


def random_game(
    seats: int, seed: int, *, claiming: float = 1, leaving: float = 0, board: Board = USA
) -> Game:
    """A game to its end, played at random: see ``random_move``."""
    game, random = Game(board=board), Random(seed)
    game.play(None, creation(seats, seed=random.randbytes(32), first_seat=None))
    while game.state.status == PLAYING:
        game.play(*random_move(game.state, random, claiming, leaving))
    return game


def random_move(
    state: State, random: Random, claiming: float, leaving: float
) -> tuple[int, Command]:
    """A legal action of one of the seats that the game waits for.

    ``claiming`` is how often a seat thinks of claiming at all while it can do something else:
    never doing so makes for big hands and empty decks. ``leaving`` is how often, instead, any of
    the seats resigns.
    """
    if random.random() < leaving:
        return random.choice(state.active), Resign()
    seat, _ = random.choice(state.deciding())
    actions = legal_actions(state, seat)
    if random.random() >= claiming:
        actions = [a for a in actions if type(a) is not ClaimRoute] or actions
    return seat, random.choice(actions)
