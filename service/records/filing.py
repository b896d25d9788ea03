"""Games where all that is derived from them looks: lists, statistics, ratings."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from redis import Redis

from domain.game.state import State
from service.errors import UnknownThing
from service.games import index
from service.records import ratings, statistics
from service.store.games import GameStore, KnownGame


def file(redis: Redis, game: KnownGame, was: State | None = None) -> None:
    """Put a game where it belongs; ``was`` tells who may have left.

    A game that is over is counted, and put aside to be rated, before anything says so: the sweep
    finds it if this is cut off."""
    statistics.file(redis, game)
    ratings.file(redis, game)
    index.file(redis, game, was)


def rebuild(store: GameStore, progress: Callable[[int], object] = lambda done: None) -> int:
    """Make all that is derived, heads included, anew from the histories; return how many games
    there are."""
    ids: set[str] = set()
    rated: list[ratings.RatedGame] = []

    def refolded() -> Iterator[KnownGame]:
        for game in store.refold_all():
            index.file(store.redis, game)
            if to_rate := ratings.rated_game_in(store, game):
                rated.append(to_rate)
            ids.add(game.state.id)
            progress(len(ids))
            yield game

    def again(game_id: str) -> KnownGame | None:
        try:
            return store.load(game_id)
        except UnknownThing:
            return None

    def rated_again(game_id: str) -> ratings.RatedGame | None:
        game = again(game_id)
        return game and ratings.rated_game_in(store, game)

    statistics.rebuild(store.redis, refolded(), again)
    ratings.rebuild(store, rated, rated_again)
    index.forget_others(store.redis, ids)
    return len(ids)
