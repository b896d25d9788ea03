"""Games where all that follows from them looks: lists, statistics, ratings, the log."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from redis import Redis

from domain.errors import BrokenHistory
from domain.game.state import FINISHED, PLAYING, State
from service.errors import UnknownThing
from service.games import index
from service.games.marks import Marks
from service.records import log, ratings, statistics
from service.store.games import GameStore, KnownGame
from service.store.known import Loss
from service.store.steps import Steps


def file(redis: Redis, game: KnownGame, was: State | None = None) -> None:
    """Put a game where it belongs; ``was`` tells who may have left.

    A game that is over is counted, and put aside to be rated and logged, before anything says so:
    the sweep finds it if this is cut off."""
    counting = Steps(redis)
    statistics.file(counting.pipe, game)
    ratings.file(counting.pipe, game)
    log.file(counting.pipe, game)
    index.file(redis, game, was, after=counting)


def refile(store: GameStore, loss: Loss[KnownGame]) -> None:
    """Put a game that has gone back where it belongs now; if it was over, take back what that has
    added to statistics and ratings."""
    if loss.was.state.status == FINISHED:
        statistics.take_back(store.redis, loss.was)
        ratings.take_back(store.redis, loss.was.state.id)
        log.take_back(store.redis, loss.was.state.id)
    if loss.now:
        file(store.redis, loss.now)
        file_anew(store, loss.now.state.id, loss.was.state)
        Marks(store.redis).look_at(loss.now.state.id)  # it may wait for a bot again


def file_anew(store: GameStore, game_id: str, was: State | None = None) -> None:
    """Put a game where its lists should have it whatever they have now: its lists are in doubt, or
    its history has gone back from ``was``."""
    Marks(store.redis).doubtful(game_id)
    index.file(store.redis, store.load(game_id), was, anew=True)


def rebuild(store: GameStore, progress: Callable[[int], object] = lambda done: None) -> int:
    """Make all that is derived, heads included, anew from the histories; return how many games
    there are. What is ``broken`` in the store then stays where it is listed, and counts nowhere.
    The log of finished games stays as it is, and gets those that it lacks."""
    ids: set[str] = set()
    rated: list[ratings.RatedGame] = []
    marks = Marks(store.redis)

    def refolded() -> Iterator[KnownGame]:
        for game in store.refold_all():
            file_anew(store, game.state.id)
            if game.state.status == PLAYING:  # for whom it waits, and until when, the sweep sees
                marks.doubtful(game.state.id)
                marks.look_at(game.state.id)
            if to_rate := ratings.rated_game_in(store, game):
                rated.append(to_rate)
            log.file(store.redis, game)
            ids.add(game.state.id)
            progress(len(ids))
            yield game

    def again(game_id: str) -> KnownGame | None:
        try:
            return store.load(game_id)
        except (UnknownThing, BrokenHistory):
            return None

    def rated_again(game_id: str) -> ratings.RatedGame | None:
        game = again(game_id)
        return game and ratings.rated_game_in(store, game)

    statistics.rebuild(store.redis, refolded(), again)
    ratings.rebuild(store, rated, rated_again)
    statistics.catch_up(store)
    log.catch_up(store)
    index.forget_others(store.redis, ids | {*store.broken})
    return len(ids)
