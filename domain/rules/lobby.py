"""Before the first turn: seats are taken and left; the last one taken starts the game (2.1-2.3)."""

from __future__ import annotations

from domain.chance import commitment
from domain.commands import CreateGame, LeaveSeat, Player, TakeSeat
from domain.errors import Refused
from domain.events import GameCreated, SeatLeft, SeatTaken
from domain.rules import setup
from domain.state import LOBBY, Draft, State, put

RULES_VERSION = 1


def create_game(draft: Draft, _seat: None, command: CreateGame) -> None:
    """Set out a board with its seats; start at once when none is open."""
    board, seats = draft.state.board, len(command.seats)
    if seats not in board.players:
        least, most = board.players[0], board.players[-1]
        raise Refused("wrong-number-of-seats", "1",
                         f"{board.name} is for {least} to {most} players, not {seats}", "seats")
    if command.first_seat is not None and not 0 <= command.first_seat < seats:
        raise Refused("no-such-seat", "2.3", f"first_seat is 0 to {seats - 1}", "first_seat")
    draft.emit(GameCreated(
        game=command.game, board=board.id, board_digest=board.digest, rules_version=RULES_VERSION,
        creator=command.creator, seats=seats, commitment=commitment(command.seed),
        seed=command.seed.hex(), seed_known=command.seed_known, first_seat=command.first_seat,
    ))
    for seat, taken in enumerate(command.seats):
        if taken:
            sit_down(draft, seat, *taken)
    if None not in draft.state.players:
        setup.start(draft)


def take_seat(draft: Draft, _seat: None, command: TakeSeat) -> None:
    """Sit down on the first open seat; the last one taken starts the game."""
    in_the_lobby(draft.state)
    sit_down(draft, draft.state.players.index(None), command.player, command.entropy)
    if None not in draft.state.players:
        setup.start(draft)


def leave_seat(draft: Draft, seat: int, _command: LeaveSeat) -> None:
    """Stand up from a seat before the game starts."""
    in_the_lobby(draft.state)
    if seat not in draft.state.seats or draft.state.players[seat] is None:
        raise Refused("seat-not-taken", "2.2", "nobody sits there", "seat")
    draft.emit(SeatLeft(seat))


def sit_down(draft: Draft, seat: int, player: Player, entropy: str | None) -> None:
    """Put a player on a seat; nobody sits twice, or they would see two hands."""
    if any(other and other.id == player.id for other in draft.state.players):
        raise Refused("already-seated", "2.2", f"{player.name} has a seat in this game", "seats")
    if "\n" in (entropy or ""):  # it is what entropies are joined by (docs/fairness.md)
        raise Refused("wrong-entropy", "2.1", "entropy is one line", "entropy")
    draft.emit(SeatTaken(seat, player.as_json(), entropy))


def in_the_lobby(state: State) -> None:
    """Refuse what can only be done before the game has begun."""
    if state.status != LOBBY:
        raise Refused("game-started", "2.2", "the game has begun, its seats are settled")


def game_created(state: State, event: GameCreated) -> None:
    state.id, state.creator, state.rules_version = event.game, event.creator, event.rules_version
    state.seed, state.seed_known, state.commitment = event.seed, event.seed_known, event.commitment
    state.fixed_first_seat = event.first_seat
    state.players, state.entropy = (None,) * event.seats, ("",) * event.seats


def seat_taken(state: State, event: SeatTaken) -> None:
    state.players = put(state.players, event.seat, Player(**event.player))
    state.entropy = put(state.entropy, event.seat, event.entropy or "")


def seat_left(state: State, event: SeatLeft) -> None:
    state.players = put(state.players, event.seat, None)
    state.entropy = put(state.entropy, event.seat, "")


DECIDES = {CreateGame: create_game, TakeSeat: take_seat, LeaveSeat: leave_seat}
EVOLVES = {GameCreated: game_created, SeatTaken: seat_taken, SeatLeft: seat_left}
