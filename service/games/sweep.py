"""The sweep, which finishes within seconds the work that a crash has interrupted.

It looks only at the games that are due (``service.games.marks``).
"""

from collections.abc import Sequence
from functools import partial

from domain.game.commands import Player
from service.games import buckets, listing, lobby, marks, workers
from service.games.games import Games
from service.games.marks import Mark
from service.games.store import GameHead
from service.redis.gathering import gather
from service.redis.guarding import log_errors
from service.redis.locks import time_left, try_lock
from service.redis.schedule import BATCH_SIZE
from service.times import now_in_ms

FORGET_AFTER_MS = 60_000  # until an announced entry that was never written is forgotten
RETRY_AFTER_MS = 60_000  # milliseconds until a game is retried after an error


def sweep(games: Games) -> None:
    """Do the work that a crash or a failure has left: update lists that missed an entry, call
    workers for bots that nobody plays, and abort games that nobody joined."""
    _run_due(games)
    lobby.expire_all(games)


def _run_due(games: Games) -> None:
    """Check the due games of all buckets concurrently, so that their Redis commands share round
    trips. Claim at a time only as many as can be checked before the claims expire."""
    for _ in buckets.TAGS:
        keys = games.marks.keys_due()
        share = BATCH_SIZE // max(1, len(keys))
        claimed: list[int] = []
        gather([partial(_run_due_in, games, key, share, claimed) for key in keys])
        if share > max(claimed, default=0):  # nothing is left
            return


def _run_due_in(games: Games, key: str, most: int, claimed: list[int]) -> None:
    """Check at most so many due games of one bucket; append their number to ``claimed``."""
    claim, ids = games.marks.due.claim(key, marks.CLAIM_MS, most)
    games.marks.due.end(key, claim, _next_times(games, ids))
    claimed.append(len(ids))


def _next_times(games: Games, ids: Sequence[str]) -> dict[str, int | None]:
    """Check games of one bucket; return for each when to check it again, None for never."""
    again: dict[str, int | None] = {}
    settled: dict[str, Mark] = {}

    def check(game_id: str, head: GameHead | None, mark: Mark | None) -> None:
        again[game_id] = now_in_ms() + RETRY_AFTER_MS  # in case of an error
        with log_errors(f"{game_id} cannot be looked after"):
            again[game_id], is_settled = _checked(games, game_id, head, mark)
            if mark and is_settled:
                settled[game_id] = mark

    rows = zip(ids, games.store.live_heads(ids), games.marks.of(ids), strict=True)
    gather([partial(check, *row) for row in rows])
    games.marks.forget(settled)
    return again


def _checked(
    games: Games, game_id: str, head: GameHead | None, mark: Mark | None
) -> tuple[int | None, bool]:
    """Check a game. Return when to check it again, and whether its mark can be removed."""
    is_settled = True
    if mark:
        if (ripe := mark.at + marks.CHECK_AFTER_MS) > now_in_ms():  # its writer may be at work
            return ripe, False
        is_settled = (head is not None and head["version"] >= mark.version) or (
            now_in_ms() > mark.at + FORGET_AFTER_MS
        )
        if head:
            game = games.get(game_id)
            listing.project(games.store, game, game.state)
            games.clocks.schedule(game, games.clocks.deadlines(game))
            for listener in games.listeners:
                listener(game)
    then = _call_worker(games, game_id) if head and waits_for_bot(head) else None
    return then if is_settled else now_in_ms() + marks.CLAIM_MS, is_settled


def _call_worker(games: Games, game_id: str) -> int:
    """Call a worker for a game that waits for a bot, unless one is playing it; return when to look
    again, in milliseconds since 1970."""
    lease = games.store.key(game_id, "bots")
    left = time_left(games.redis, lease, workers.LEASE)
    if left <= 0:
        state = games.get(game_id).state  # raises if the game is broken, as no worker can help
        if try_lock(games.redis, lease, workers.LEASE) and workers.bots_to_play(state):
            workers.call(games.queues, state, games.answering_for(state.terms.creator))
        left = workers.LEASE
    return now_in_ms() + left


def waits_for_bot(head: GameHead) -> bool:
    return any(
        Player(**head["seats"][row["seat"]]["player"]).is_built_in for row in head["deciding"]
    )
