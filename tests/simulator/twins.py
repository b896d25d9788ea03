"""The same game in both engines: the domain, and the simulator, compared at every decision."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from fogg_simulator import Simulator
from fogg_simulator.views import as_text

from domain.board.board import Board
from domain.boards import parse
from domain.game.commands import ClaimRoute, Command, CreateGame, DrawTickets, Player, Resign
from domain.game.fold import create, play
from domain.game.legal import legal_actions
from domain.game.state import State
from domain.rules.stations import BuildStation
from domain.rules.tunnels import WithdrawTunnel


@dataclass(frozen=True)
class Style:
    """How players choose: how often only among claims and stations, how often among all but these;
    how often tickets are drawn and tunnels paid when possible; how often a seat leaves."""

    claims: float = 0.3
    hoards: float = 0.0
    tickets: float = 0.0
    pays: float = 0.5
    leaves: float = 0.0
    leaves_late: float = 0.0  # during the final turns
    is_stubborn: bool = False  # withdraws from each tunnel


STYLES = {
    "random": Style(),
    "eager": Style(claims=0.9),
    "collector": Style(claims=0.0, hoards=0.97),
    "traveller": Style(claims=0.6, tickets=0.5, pays=0.9),
    "quitter": Style(claims=0.5, leaves=0.02, leaves_late=0.02),
    "hoarding quitter": Style(claims=0.0, hoards=0.97, leaves=0.02),
    "deserter": Style(leaves=0.15),
    "late deserter": Style(claims=0.9, leaves_late=0.3),
}


class Twins:
    """Both engines, for games of one board with so many seats."""

    def __init__(self, board: Board, seats: int):
        self.simulator = Simulator(board, seats, restarts=False)
        record = self.simulator._tables.record[0]
        self._keeps = range(record["keep"], record["first_claim"][0])  # differ from offer to offer
        # The number of each other command so far: positions share most commands.
        self._known: dict[int, tuple[Command, int]] = {}  # by the command's id

    def play(self, seed: int, style: Style = STYLES["random"]) -> State:
        """Play a game in both; return the domain's state at its end. Raise AssertionError at the
        first difference."""
        random, simulator = Random(seed), self.simulator
        simulator.begin(0, random.randbytes(32))
        state = create(simulator.board, creation(simulator))
        while deciding := state.deciding():
            seat, _ = deciding[0]
            actions = self.compared(state, seat)
            leaves = style.leaves if state.final is None else style.leaves_late
            if random.random() < leaves:
                seat, command = random.choice(state.active), Resign()
                simulator.resign(0, seat)
            else:
                command, action = choice(actions, random, style)
                simulator.step([action])
            state = play(state, seat, command)[1]
        assert simulator.finished[0]
        assert not simulator.mask.any()
        compare_results(state, simulator.results(0))
        return state

    def compared(self, state: State, seat: int) -> list[tuple[Command, int]]:
        """Return the legal actions, each in both engines, once everything is equal in both."""
        simulator = self.simulator
        assert simulator.seat[0] == seat
        assert simulator.scores[0].tolist() == [*state.points]
        marked, legal = np.flatnonzero(simulator.mask[0]).tolist(), legal_actions(state, seat)
        if any(number in self._keeps for number in marked):
            numbers = self._by_text(legal, marked)
        else:
            numbers = self._by_command(legal, marked)
        assert sorted(numbers) == marked
        return [*zip(legal, numbers, strict=True)]

    def _by_command(self, legal: Sequence[Command], marked: Sequence[int]) -> list[int]:
        """Return the numbers of commands, most of which were legal before."""
        known = self._known
        if new := [command for command in legal if id(command) not in known]:
            old = {known[id(command)][1] for command in legal if id(command) in known}
            numbers = self._by_text(new, {*marked} - old)
            known |= {
                id(command): (command, number) for command, number in zip(new, numbers, strict=True)
            }
        return [known[id(command)][1] for command in legal]

    def _by_text(self, legal: Sequence[Command], marked: Collection[int]) -> list[int]:
        """Return the numbers of commands, found by the JSON of both."""
        numbers = {as_text(self.simulator.action(0, number)): number for number in marked}
        texts = [as_text(command.json) for command in legal]
        assert numbers.keys() == {*texts}
        assert len(numbers) == len(marked)
        return [numbers[key] for key in texts]


def creation(simulator: Simulator) -> CreateGame:
    players = tuple((Player(f"p{seat}", f"Player {seat}"), None) for seat in range(simulator.seats))
    return CreateGame("g", "p0", players, seed=simulator.seed(0))


def choice(actions: list[tuple[Command, int]], random: Random, style: Style) -> tuple[Command, int]:
    """Return one of the actions, as players of the style choose."""
    builds = (ClaimRoute, BuildStation)
    drawn = random.random()
    if drawn < style.claims:
        liked = [a for a in actions if type(a[0]) in builds]
    elif drawn < style.claims + style.hoards:
        liked = [a for a in actions if type(a[0]) not in builds]
    else:
        liked = actions
    if random.random() < style.tickets:
        liked = [a for a in actions if type(a[0]) is DrawTickets] or liked
    if random.random() < style.pays:
        liked = [a for a in liked if type(a[0]) is not WithdrawTunnel] or liked
    if style.is_stubborn:
        liked = [a for a in actions if type(a[0]) is WithdrawTunnel] or liked
    return random.choice(liked or actions)


def compare_results(state: State, results: list[dict[str, int]]) -> None:
    """Compare the final scores; parts that the board does not have are 0."""
    for expected, result in zip(state.results, results, strict=True):
        assert {name: result[name] for name in expected} == dict(expected)
        assert not any(value for name, value in result.items() if name not in expected)


def changed(board: Board, **members: object) -> Board:
    return parse(json.dumps(board.table | members))
