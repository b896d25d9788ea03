"""The composition root: creates the services of a process and connects them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from socket import socket

from redis import Redis
from rq import Queue

from service import settings
from service.accounts.tokens import Caller
from service.errors import RecordsUnavailable
from service.games import analyses, listing, rollbacks, workers
from service.games.analyses import Analyses
from service.games.boards import all_boards
from service.games.clocks import Clocks
from service.games.games import Games
from service.games.live import Live
from service.matching.online import Online
from service.matching.pool import Pool
from service.operation import durability, layout, metrics
from service.operation.limits import Limits
from service.operation.redis import connect
from service.operation.slots import Slots
from service.operation.starting import queue_url
from service.operation.workforce import Watch
from service.records.keeping import Kept, KeptGames
from service.records.log import PublicLog
from service.records.rated import RatedStrengths, Ratings
from service.records.reading import game_records
from service.records.statistics import Statistics
from service.store.games import LoadedGame
from service.store.loaded import K, Rollback
from service.store.news import News
from service.store.sql.database import Database
from service.store.tournaments import TournamentStore
from service.tournaments.records import KeptTournaments, TournamentRows, tournament_records
from service.tournaments.tournaments import Tournaments
from service.webhooks.deliveries import Deliveries
from service.webhooks.lanes import QUEUE

DOWNLOADS = 4  # bulk downloads that a process serves at the same time; others wait
# open streams and waiting requests, by kind of cap and holder: their connections, or None where the
# server gives none
Streams = dict[tuple[str, str], list[socket | None]]


@dataclass(frozen=True)
class Services:
    """The services that requests, loops and commands use."""

    games: Games
    tournaments: Tournaments
    pool: Pool
    deliveries: Deliveries
    analyses: Analyses
    limits: Limits
    live: Live
    online: Online
    watch: Watch
    callers: dict[str, Caller] = field(default_factory=dict)  # cache, by the token's key
    downloads: Slots = field(default_factory=lambda: Slots(DOWNLOADS))
    streams: Streams = field(default_factory=lambda: defaultdict(list))  # of this process


def services(redis: Redis | None = None) -> Services:
    """Return the services over a Redis, by default the one at FOGG_REDIS_URL, and the database at
    FOGG_DATABASE."""
    redis, database = redis or connect(), Database(settings.DATABASE.value())
    durability.refuse_unfit(redis)
    layout.settle(redis)
    # JSON, because with RQ's default (pickle) anyone who can write a job can run any code in a
    # worker
    queues = _queue_redis(redis)
    bots, lanes, to_analyse = (Queue(name, connection=queues, serializer="json")
                               for name in (workers.QUEUE, QUEUE, analyses.QUEUE))
    games = Games(metrics.CountedStore(redis, all_boards(), game_records(database)),
                  News(redis), bots, Clocks(redis), database)
    tournaments = Tournaments(games, TournamentStore(redis, tournament_records(database)))
    games.strengths = RatedStrengths(games)
    games.projections.extend([PublicLog, Statistics, Ratings,
                              partial(TournamentRows, tournaments.store)])
    games.kept.extend([KeptGames(games.store), KeptTournaments(tournaments)])
    deliveries = Deliveries(games, lanes, metrics.count_outcome)
    games.listeners.append(deliveries.note_last_entry)
    tournaments.listeners.append(deliveries.note_announcements)

    def on_rollback(rollback: Rollback[LoadedGame]) -> None:
        rollbacks.note(games, rollback)
        if rollback.now:
            listing.move(games.store, rollback.now.state.id, rollback.was.state)
        deliveries.on_rollback(rollback)

    of_games, of_tournaments = games.kept
    _follow_rollbacks(of_games, games.news, on_rollback)
    _follow_rollbacks(of_tournaments, games.news, tournaments.reproject)
    return Services(games, tournaments, Pool(games), deliveries, Analyses(games, to_analyse),
                    Limits(redis), Live(games.store, games.news), Online(redis), Watch(games))


def _follow_rollbacks(
    kept: Kept[K], news: News, on_rollback: Callable[[Rollback[K]], object]
) -> None:
    """Put the lost end of a recorded history back; for another one, call ``on_rollback`` in the
    first process that finds out."""
    def report(rollback: Rollback[K]) -> None:
        with suppress(RecordsUnavailable):
            if kept.put_back(rollback.was.state.id):
                return
        with rollbacks.reported(kept.store, rollback) as is_news:
            if is_news:
                metrics.count_lost(rollback.entries)
                on_rollback(rollback)

    news.on_announced.append(kept.store.on_announced)
    kept.store.on_rollback.append(report)


def _queue_redis(redis: Redis) -> Redis:
    """Return the Redis of the queues: FOGG_QUEUE_URL, else the one of the games. Its commands are
    not retried, since nothing is lost if it does not answer."""
    url = queue_url()
    return connect(url, retry=False) if settings.QUEUE_URL.value() else redis
