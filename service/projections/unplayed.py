"""Delete games that were over before anybody had played."""

from __future__ import annotations

from collections.abc import Iterator

from domain.errors import BrokenHistory
from domain.game.state import FINISHED, State
from service import settings
from service.projections import projecting
from service.records.standing import ABORTED
from service.store.batches import batches_of
from service.store.games import GameHead, GameStore
from service.times import in_ms, now_in_ms

HEADS = 200  # heads read at a time
DAY = 86_400_000  # milliseconds
ACTION = b'{"action":'  # the start of the text of an entry with a player's action


def delete(store: GameStore) -> int:
    """Delete the games that ended FOGG_FORGET_DAYS ago without a player's action or a recorded
    abort; return their number."""
    before, count = now_in_ms() - settings.FORGET_DAYS.value() * DAY, 0
    for head in _finished_heads(store):
        if in_ms(head["updated"]) < before and _may_be_unplayed(head):
            count += _delete(store, head["id"])
    return count


def _finished_heads(store: GameStore) -> Iterator[GameHead]:
    for ids in batches_of(HEADS, store.ids()):
        for head in store.heads(ids):
            if head and head["status"] == FINISHED:
                yield head


def _may_be_unplayed(head: GameHead) -> bool:
    return not any("total" in seat for seat in head["seats"])


def is_unplayed(state: State) -> bool:
    """Return whether a game is over without a result and without a trace. Games of tournaments do
    not count, as these still refer to them, nor do aborts that are recorded (8.4)."""
    return (state.status == FINISHED and not state.results and state.tournament is None
            and ABORTED not in state.left)


def _delete(store: GameStore, game_id: str) -> bool:
    """Delete a game, and remove it from all lists, if nobody has played in it; return whether it
    was deleted."""
    try:
        game, history = store.load(game_id), list(store.entries(game_id))
    except BrokenHistory:
        return False
    if store.imported([game_id]) or not is_unplayed(game.state) or any(
            text.startswith(ACTION) for text, _ in history):
        return False
    projecting.forget(store.redis, game.state)  # first, so that every listed game has a history
    return store.remove(game_id, game.state.version, game.hash)
