"""The order of turns, and the end of the game (2.3, 7.1, 8.1)."""

from typing import Literal

from domain.board.ruleset import accepted
from domain.errors import Refused
from domain.game.commands import ClaimRoute, Command, Pass
from domain.game.events import FinalTurnsBegan, GameEnded, Passed, TurnBegan
from domain.game.scoring import results
from domain.game.state import FINISHED, TURN, Draft, State
from domain.rules.paying import paid
from domain.rules.rule import Decision, Rule

FEW_TRAINS = 2  # trains left at the end of a turn that trigger the final turns (7.1)
MAX_IDLE = 1_000  # decisions in a row without progress after which a game ends (8.6)


def turn_actions(state: State, seat: int) -> list[Command]:
    """Return the legal actions of a turn except passing; empty when the seat must pass (8.1)."""
    actions: list[Command] = []
    for add_to in state.board.ruleset.add_actions:
        add_to(actions, state, seat)
    if checks := state.board.ruleset.claim_checks:
        routes, index = state.board.routes, state.board.route_index
        return [
            action
            for action in actions
            if type(action) is not ClaimRoute
            or accepted(checks, state, seat, routes[index[action.route]], paid(state, seat, action))
        ]
    return actions


def begin_first_turn(draft: Draft) -> None:
    """Begin the turn of the first seat, or of the next seat in play if that one has left (2.3)."""
    state = draft.state
    first = state.first_seat
    draft.emit(TurnBegan(first if state.left[first] is None else state.next_seat(first)))


def end_turn(draft: Draft) -> None:
    """Trigger the final turns, end the game, or begin the next seat's turn (7.1, 8.6)."""
    state = draft.state
    seat = state.turn
    if state.version - state.last_progress >= MAX_IDLE:
        end_game(draft, "no_progress")
    elif state.final is None and state.left[seat] is None and state.trains[seat] <= FEW_TRAINS:
        active = state.active
        order = (*[s for s in active if s > seat], *[s for s in active if s <= seat])
        draft.emit(FinalTurnsBegan(order))
        draft.emit(TurnBegan(order[0]))
    elif state.final is None:
        draft.emit(TurnBegan(state.next_seat(seat)))
    elif waiting := [s for s in state.final if s != seat]:
        draft.emit(TurnBegan(waiting[0]))
    else:
        end_game(draft, "final_turns")


def end_game(
    draft: Draft, reason: Literal["final_turns", "all_passed", "no_progress", "one_seat_left"]
) -> None:
    draft.emit(GameEnded(reason, results(draft.state)))


def do_pass(draft: Draft, seat: int, _command: Pass) -> None:
    """Pass; once all seats have passed in a row, end the game (8.1)."""
    if turn_actions(draft.state, seat):
        raise Refused(
            "cannot-pass", "8.1", "you may pass only when you can do nothing else", "type"
        )
    draft.emit(Passed(seat))
    if draft.state.passes >= len(draft.state.active):
        end_game(draft, "all_passed")
    else:
        end_turn(draft)


def turn_began(state: State, event: TurnBegan) -> None:
    state.turn, state.step = event.seat, TURN
    if state.final is not None:
        state.final = state.final[state.final.index(event.seat) :]


def final_turns_began(state: State, event: FinalTurnsBegan) -> None:
    state.final = tuple(event.seats)


def passed(state: State, _event: Passed) -> None:
    state.passes += 1


def game_ended(state: State, event: GameEnded) -> None:
    state.status, state.ending, state.results = FINISHED, event.reason, event.results
    state.final = None


RULE = Rule(
    name="ending",
    common=True,
    decides={Pass: do_pass},
    evolves={
        TurnBegan: turn_began,
        FinalTurnsBegan: final_turns_began,
        Passed: passed,
        GameEnded: game_ended,
    },
    # passing is legal only if nothing else is (8.1)
    decisions={
        TURN: Decision(
            (), "3.1", "take your turn", lambda state, seat: turn_actions(state, seat) or [Pass()]
        )
    },
    turn_actions=(Pass,),
)
