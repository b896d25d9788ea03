"""Which finished games are in the log, and when they get there (docs/fairness.md).

A game that is over waits for its line; the sweep writes it within seconds (``service.store.log``).
So no request waits for it, and whoever dies loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from redis import Redis

from domain.game.state import FINISHED, State
from domain.log import BrokenLog, Log
from service.games.sight import is_public
from service.projections.guarding import told
from service.store.games import GameStore, KnownGame
from service.store.log import AT_ONCE, LINES, Ended, GameLog
from service.times import in_ms


def is_logged(state: State) -> bool:
    """Return whether a game belongs in the log, unless it was imported: it is over, and was begun.
    What it was does not matter, as the hash of its last entry tells nobody anything."""
    return state.status == FINISHED and state.was_begun


def file(redis: Redis, game: KnownGame) -> None:
    """Let a game that is over wait for its line; as often as one likes. ``redis`` may be a
    pipeline, which is then to be executed."""
    if is_logged(game.state):
        GameLog(redis).wait([Ended(in_ms(game.updated), game.state.id, game.hash,
                                   is_public(game.state))])


def take_back(redis: Redis, game_id: str) -> None:
    """Let a game wait no more that was over, and is not. Its line, if it has one, stays."""
    GameLog(redis).drop([game_id])


def catch_up(store: GameStore) -> None:
    """Write the lines of the games that wait."""
    game_log = GameLog(store.redis)
    with told("finished games cannot be logged"):
        waiting = game_log.waiting()
        imported = store.imported(game.game for game in waiting)
        game_log.drop(imported)
        game_log.append([game for game in waiting if game.game not in imported])


def wrong(redis: Redis, ended: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield (where, why) of what is wrong with the log, given the games that should be in it, each
    with its last hash."""
    game_log, read, start = GameLog(redis), Log(), 0
    try:
        while lines := game_log.lines(start, AT_ONCE):
            for line in lines:
                read.add(line)
            start += len(lines)
    except (BrokenLog, ValueError) as error:
        yield LINES, str(error)
        return
    for game_id, last in ended.items():
        if reason := read.wrong_with(game_id, last):
            yield game_id, reason
