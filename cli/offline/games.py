"""Games of bots without a service: rules only, with the views that the API would show."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cache
from random import Random
from typing import Any

import orjson
from fogg_client.bot import Fault, choice_of

from domain.board.board import Board
from domain.codec import from_json
from domain.entry import NOTE_BYTES, is_note
from domain.errors import Refused
from domain.game.commands import Command, CreateGame
from domain.game.events import Event
from domain.game.fold import create, play
from domain.game.state import State
from domain.game.view import view_with_terms


def new_game(board: Board, seats: tuple, deal: int, seed: int) -> State:
    """Return a new game, in which seat 0 begins. Its decks depend on the deal alone, not on the
    seating."""
    decks = Random(f"{seed} {deal}").randbytes(32)
    return create(board, CreateGame(f"deal-{deal}", "p_me", seats, decks, first_seat=0))


def play_out(state: State, bots: Sequence[Any],
             watch: Callable[[int, float], object] = lambda seat, seconds: None) -> State:
    """Return the end of a game played by bots, one for each seat; raise Fault for an illegal
    action. ``watch`` is called with each decision's seat and seconds."""
    while deciding := state.deciding():
        seat = deciding[0][0]
        state = after_choice(state, seat, bots[seat], watch)
    return state


def after_choice(state: State, seat: int, bot: Any, watch: Callable[[int, float], object]) -> State:
    where = f"{state.id}, seat {seat} ({type(bot).__name__}), version {state.version}"
    seen, start = seen_by(state, seat), time.perf_counter()
    action = choice_of(bot, seen, where)
    watch(seat, time.perf_counter() - start)
    return played(state, seat, action, where)[2]


def seen_by(state: State, seat: int) -> dict:
    """Return the API's view of a game without a clock, as if all actions took no time."""
    added = dict.fromkeys(("created", "started", "updated"), _begun())
    return orjson.loads(orjson.dumps(view_with_terms(state, seat, sealed=False) | added))


def played(
    state: State, seat: int, action: dict, where: str
) -> tuple[Command, list[Event], State]:
    """Return an action, which may have a note, as a command, its events, and the state after them;
    raise Fault if it is illegal."""
    if "note" in action and not is_note(action["note"]):
        raise Fault(where, f"a note should be 1 to {NOTE_BYTES} bytes of text", json.dumps(action))
    bare = {name: value for name, value in action.items() if name != "note"}
    try:
        command = from_json(state.board.ruleset.actions, bare)
        return command, *play(state, seat, command)
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise Fault(where, f"this is no action: {error}", json.dumps(action)) from error
    except Refused as refused:
        raise Fault(where, f"illegal action ({refused.code}, rule {refused.rule}): {refused}",
                    json.dumps(action)) from refused


@cache
def _begun() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
