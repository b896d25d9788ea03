"""Games where all that follows from them looks: lists, statistics, ratings, the log."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial

from redis import Redis

from domain.errors import BrokenHistory
from domain.game.state import FINISHED, PLAYING, State
from service.errors import UnknownThing
from service.games import index
from service.games.marks import Marks
from service.projections import log, ratings, statistics
from service.store.cores import Cores, GoOn, batches_of, in_turn
from service.store.games import GameStore, KnownGame
from service.store.known import Loss
from service.store.steps import Steps

AT_ONCE = 50  # games that one process makes anew before it reports


def project(redis: Redis, game: KnownGame, was: State | None = None) -> None:
    """Put a game where it belongs; ``was`` tells who may have left.

    A game that is over is counted, and put aside to be rated and logged, before anything says so:
    the sweep finds it if this is cut off."""
    counting = Steps(redis)
    statistics.file(counting.pipe, game)
    ratings.file(counting.pipe, game)
    log.file(counting.pipe, game)
    index.file(redis, game, was, after=counting)


def roll_back(store: GameStore, loss: Loss[KnownGame]) -> None:
    """Put a game that has gone back where it belongs now; if it was over, take back what that has
    added to statistics and ratings."""
    if loss.was.state.status == FINISHED:
        statistics.take_back(store.redis, loss.was)
        ratings.take_back(store.redis, loss.was.state.id)
        log.take_back(store.redis, loss.was.state.id)
    if loss.now:
        project(store.redis, loss.now)
        _project_whatever_there_is(store, loss.now.state.id, loss.was.state)
        Marks(store.redis).look_at(loss.now.state.id)  # it may wait for a bot again


def _project_whatever_there_is(store: GameStore, game_id: str, was: State | None = None) -> None:
    """Put a game where its lists should have it whatever they have now: its lists are in doubt, or
    its history has gone back from ``was``."""
    Marks(store.redis).doubtful(game_id)
    index.file(store.redis, store.load(game_id), was, anew=True)


@dataclass
class _Rebuilt:
    """What was made anew of some games: which they are, what is to be rated of them, and those that
    are broken, with the entry and why."""

    ids: set[str] = field(default_factory=set)
    rated: list[ratings.RatedGame] = field(default_factory=list)
    broken: dict[str, tuple[int, str]] = field(default_factory=dict)


def rebuild(
    store: GameStore, progress: Callable[[int], object] = lambda done: None,
    cores: Cores | None = None,
) -> int:
    """Make all that is derived, heads included, anew from the histories; return how many games
    there are. What is ``broken`` in the store then stays where it is listed, and counts nowhere.
    The log of finished games stays as it is, and gets those that it lacks. With ``cores``, several
    processes read the histories."""
    ids: set[str] = set()
    rated: list[ratings.RatedGame] = []
    counts = statistics.Recount.begin(store.redis)
    work = partial(_rebuild, counts)
    spread = cores.spread if cores else in_turn
    for part in spread(store, work, batches_of(AT_ONCE, store.ids())):
        counts.keep(store.redis)
        ids |= part.ids
        rated += part.rated
        for game_id, error in part.broken.items():
            store.set_aside(game_id, BrokenHistory(*error))
        progress(len(ids))

    def again(game_id: str) -> KnownGame | None:
        try:
            return store.load(game_id)
        except (UnknownThing, BrokenHistory):
            return None

    def rated_again(game_id: str) -> ratings.RatedGame | None:
        game = again(game_id)
        return game and ratings.rated_game_in(store, game)

    counts.finish(store.redis, again)
    ratings.rebuild(store, rated, rated_again)
    statistics.catch_up(store)
    log.catch_up(store)
    index.forget_others(store.redis, ids | {*store.broken})
    return len(ids)


def _rebuild(
    counts: statistics.Recount, store: GameStore, game_ids: Iterable[str], go_on: GoOn
) -> _Rebuilt:
    """Make all that is derived of some games anew, and count them."""
    found, marks, game_ids = _Rebuilt(), Marks(store.redis), [*game_ids]
    for game in store.refold_all(game_ids):
        _project_whatever_there_is(store, game.state.id)
        if game.state.status == PLAYING:  # for whom it waits, and until when, the sweep sees
            marks.doubtful(game.state.id)
            marks.look_at(game.state.id)
        if to_rate := ratings.rated_game_in(store, game):
            found.rated.append(to_rate)
        log.file(store.redis, game)
        counts.count(store.redis, game)
        found.ids.add(game.state.id)
        go_on()
    for game_id in game_ids:
        if error := store.broken.error(game_id):
            found.broken[game_id] = error.version, error.reason
    return found
