"""Games of bots without a service: rules only, with the views that the API would show."""

import json
import secrets
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import orjson
from fogg_client.bot import Fault, choice_of

from domain.board.board import Board
from domain.codec import from_json
from domain.entry import NOTE_BYTES, SALT_BYTES, Step, history, is_note
from domain.errors import Refused
from domain.game.commands import Command, CreateGame, Player, Resign
from domain.game.events import Event
from domain.game.fold import play
from domain.game.state import State
from domain.game.view import view_with_terms
from service.times import as_time, now, now_in_ms
from workers.bots import BOTS

ME = "p_me"  # the account that creates the games; bots that are not built in belong to it


class Game:
    """A game of bots under way, in which seat 0 begins. Its decks depend on the deal alone, not on
    the seating. ``state`` is the latest one, ``seconds`` how long each seat took to decide: in the
    history, nothing else takes time."""

    def __init__(self, board: Board, bots: Sequence[str], deal: int, seed: int):
        decks = Random(f"{seed} {deal}").randbytes(32)
        seats = tuple([(player(bot, seat), None) for seat, bot in enumerate(bots)])
        events, self.state = play(
            State(board),
            None,
            CreateGame(f"deal-{deal}", ME, seats, decks, seed_known=True, first_seat=0),
        )
        self._name, self._ms = f"deal-{deal} of seed {seed}", float(now_in_ms())
        self._steps = [Step(as_time(int(self._ms)), events)]
        self.seconds: list[list[float]] = [[] for _ in seats]

    def decide(self, seat: int, bot: Any) -> None:
        """Play the action that a bot chooses; raise Fault if it is illegal."""
        where = f"{self._name}, seat {seat} ({type(bot).__name__}), version {self.state.version}"
        seen, start = seen_by(self.state, seat), time.perf_counter()
        action = choice_of(bot, seen, where)
        self.seconds[seat].append(took := time.perf_counter() - start)
        self._ms += 1000 * took
        command, events, self.state = played(self.state, seat, action, where)
        self._add(events, seat, command, action.get("note"))

    def resign(self, seat: int) -> None:
        events, self.state = play(self.state, seat, Resign())
        self._add(events, seat, Resign())

    def _add(
        self, events: list[Event], seat: int, command: Command, note: str | None = None
    ) -> None:
        self._steps.append(Step(as_time(int(self._ms)), events, seat, command.json, note))

    def history(self) -> bytes:
        """Return the game's history as GET /v1/games/ID/events does, under a new id."""
        (at, (created, *seated), *_), *steps = self._steps
        first = Step(at, [replace(created, game=f"g_{secrets.token_hex(10)}"), *seated])
        return history(secrets.token_hex(SALT_BYTES), [first, *steps])


def player(bot: str, seat: int) -> Player:
    """Return the player of a bot on a seat. A built-in one has the account that plays it on a
    service; the level in its name is not part of that."""
    kind = bot.partition("@")[0]
    if kind in BOTS:
        return Player(f"bot_{kind}_{seat}", bot[-40:], kind)
    return Player(f"p_{seat}", bot[-40:], "external", ME)


def seen_by(state: State, seat: int) -> dict:
    """Return the API's view of a game without a clock, as if all actions took no time."""
    added = dict.fromkeys(("created", "started", "updated"), _begun())
    return orjson.loads(orjson.dumps(view_with_terms(state, seat, sealed=False) | added))


def played(state: State, seat: int, action: dict, where: str) -> tuple[Command, list[Event], State]:
    """Return an action, which may have a note, as a command, its events, and the state after them;
    raise Fault if it is illegal."""
    if "note" in action and not is_note(action["note"]):
        raise Fault(where, f"a note should be 1 to {NOTE_BYTES} bytes of text", json.dumps(action))
    bare = {name: value for name, value in action.items() if name != "note"}
    try:
        orjson.dumps(action)  # as over HTTP, its texts can be written in UTF-8
        command = from_json(state.board.ruleset.actions, bare)
        return command, *play(state, seat, command)
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise Fault(where, f"this is no action: {error}", json.dumps(action)) from error
    except Refused as refused:
        raise Fault(
            where,
            f"illegal action ({refused.code}, rule {refused.rule}): {refused}",
            json.dumps(action),
        ) from refused


@cache
def _begun() -> str:
    return now()
