"""Before the first turn: seats are taken and left; the last one taken starts the game (2.1-2.3)."""

from __future__ import annotations

from domain.chance import commitment
from domain.errors import Refused
from domain.game.clock import Clock
from domain.game.commands import AbortGame, CreateGame, LeaveSeat, Player, StartGame, TakeSeat
from domain.game.events import (
    GameAborted,
    GameCreated,
    GameForked,
    OpenSeatsClosed,
    SeatLeft,
    SeatTaken,
)
from domain.game.state import FINISHED, LOBBY, SETUP, Draft, State, put
from domain.rules import forking, setup
from domain.rules.rule import Rule

RULES_VERSION = 1


def create_game(draft: Draft, _seat: None, command: CreateGame) -> None:
    """Create a game; start it at once when no seat is open."""
    board, seats = draft.state.board, len(command.seats)
    if seats not in board.players:
        least, most = board.players[0], board.players[-1]
        raise Refused("wrong-number-of-seats", "1",
                         f"{board.name} is for {least} to {most} players, not {seats}", "seats")
    if command.first_seat is not None and not 0 <= command.first_seat < seats:
        raise Refused("no-such-seat", "2.3", f"first_seat should be 0 to {seats - 1}", "first_seat")
    draft.emit(GameCreated(
        game=command.game, board=board.id, board_digest=board.digest, rules_version=RULES_VERSION,
        creator=command.creator, seats=seats, commitment=commitment(command.seed),
        seed=command.seed.hex(), seed_known=command.seed_known, first_seat=command.first_seat,
        clock=command.clock, on_timeout=command.on_timeout, visibility=command.visibility,
        spectators=None if command.spectators else False, tournament=command.tournament,
        pool=command.pool, rating_rules=command.rating_rules,
    ))
    if fork := command.fork:
        count = len(fork.position["hands"])
        if seats != count:
            raise Refused("wrong-number-of-seats", "1", f"the game forked has {count} seats",
                          "seats")
        draft.emit(GameForked(fork.origin, fork.version, fork.cards, fork.position))
    for seat, taken in enumerate(command.seats):
        if taken:
            sit_down(draft, seat, *taken)
    _start_if_full(draft)


def _start_if_full(draft: Draft) -> None:
    if None not in draft.state.players:
        (forking.set_up if draft.state.fork else setup.start)(draft)


def take_seat(draft: Draft, _seat: None, command: TakeSeat) -> None:
    """Sit down on an open seat; the last one taken starts the game."""
    in_the_lobby(draft.state)
    players, seat = draft.state.players, command.seat
    if seat is not None and (seat not in draft.state.seats or players[seat] is not None):
        raise Refused("seat-taken", "2.2", "this seat is not open", "seat")
    if seat is None:
        seat = players.index(None)
    sit_down(draft, seat, command.player, command.entropy)
    _start_if_full(draft)


def leave_seat(draft: Draft, seat: int, _command: LeaveSeat) -> None:
    """Stand up from a seat before the game starts."""
    in_the_lobby(draft.state)
    if seat not in draft.state.seats or draft.state.players[seat] is None:
        raise Refused("seat-not-taken", "2.2", "nobody sits on this seat", "seat")
    draft.emit(SeatLeft(seat))


def start_game(draft: Draft, _seat: None, _command: StartGame) -> None:
    """Start with the seats that are taken, if the board allows that number."""
    in_the_lobby(draft.state)
    board, players = draft.state.board, draft.state.players
    taken = tuple([seat for seat in draft.state.seats if players[seat]])
    if draft.state.fork:
        raise Refused("too-few-players", "1", "a fork needs as many players as its origin")
    if len(taken) not in board.players:
        raise Refused("too-few-players", "1", f"{board.name} is for {board.players[0]} players or "
                      f"more, and {len(taken)} are here")
    draft.emit(OpenSeatsClosed(taken))
    setup.start(draft)


def abort_game(draft: Draft, _seat: None, command: AbortGame) -> None:
    """Abort the game; once the first turn has begun it is too late."""
    state = draft.state
    if state.status == FINISHED:
        raise Refused("game-finished", "7", "the game is over")
    if state.status != LOBBY and state.step != SETUP:
        raise Refused("game-started", "2.3", "the first turn has begun; players may resign")
    if command.seat is not None and not (state.was_begun and command.seat in state.active):
        raise Refused("no-such-seat", "8.4", "this seat has seen no tickets", "seat")
    draft.emit(GameAborted(command.reason, command.seat))


def sit_down(draft: Draft, seat: int, player: Player, entropy: str | None) -> None:
    """Put a player on a seat. Nobody may have two seats, as they would see two hands."""
    if any(other and other.id == player.id for other in draft.state.players):
        raise Refused("already-seated", "2.2", f"{player.name} has a seat in this game", "seats")
    if "\n" in (entropy or ""):  # a newline joins the entropies (docs/fairness.md)
        raise Refused("wrong-entropy", "2.1", "entropy should be one line", "entropy")
    draft.emit(SeatTaken(seat, player.as_json(), entropy))


def in_the_lobby(state: State) -> None:
    """Raise Refused if the game has begun."""
    if state.status != LOBBY:
        raise Refused("game-started", "2.2", "the game has begun, its seats are settled")


def game_created(state: State, event: GameCreated) -> None:
    state.id, state.creator, state.rules_version = event.game, event.creator, event.rules_version
    state.seed, state.seed_known, state.commitment = event.seed, event.seed_known, event.commitment
    state.fixed_first_seat = event.first_seat
    state.clock = Clock.of(event.clock, event.on_timeout)
    state.visibility = event.visibility or "public"
    state.spectators = event.spectators is not False
    state.tournament, state.pool = event.tournament, event.pool
    state.rating_rules = event.rating_rules or 1
    state.players, state.entropy = (None,) * event.seats, ("",) * event.seats


def seat_taken(state: State, event: SeatTaken) -> None:
    state.players = put(state.players, event.seat, Player(**event.player))
    state.entropy = put(state.entropy, event.seat, event.entropy or "")


def seat_left(state: State, event: SeatLeft) -> None:
    state.players = put(state.players, event.seat, None)
    state.entropy = put(state.entropy, event.seat, "")


def open_seats_closed(state: State, event: OpenSeatsClosed) -> None:
    if state.fixed_first_seat in event.seats:
        state.fixed_first_seat = event.seats.index(state.fixed_first_seat)
    else:
        state.fixed_first_seat = None
    state.players = tuple([state.players[seat] for seat in event.seats])
    state.entropy = tuple([state.entropy[seat] for seat in event.seats])


def game_aborted(state: State, event: GameAborted) -> None:
    state.status, state.ending = FINISHED, event.reason
    if event.seat is not None:
        state.left = put(state.left, event.seat, "aborted")


RULE = Rule(
    name="lobby",
    common=True,
    decides={
        CreateGame: create_game, TakeSeat: take_seat, LeaveSeat: leave_seat,
        StartGame: start_game, AbortGame: abort_game,
    },
    evolves={
        GameCreated: game_created, SeatTaken: seat_taken, SeatLeft: seat_left,
        OpenSeatsClosed: open_seats_closed, GameAborted: game_aborted,
    },
)
