from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import Metric

from service import settings
from service.feature import Feature, Services
from service.operation.metrics import gauge
from service.records import keeping
from service.records.following import follow_rollbacks
from service.records.keeping import KeptGames


def _build(services: Services) -> None:
    games = services.games
    follow_rollbacks(KeptGames(games.store), games.news, games.on_rollback)


def _measures(services: Services) -> Iterator[Metric]:
    not_recorded, oldest_s = keeping.waiting(services.games)
    yield gauge("fogg_keep_seconds", "For how long a game stays in Redis after it was recorded.",
                3600 * settings.KEEP_HOURS.value())
    yield gauge("fogg_records_up", "Whether the database of what is over answers.",
                services.games.database.answers())
    yield gauge("fogg_records_waiting", "Games that are over and not recorded yet.", not_recorded)
    yield gauge("fogg_records_oldest_seconds", "For how long the one that has waited longest has "
                "been over.", oldest_s)


FEATURE = Feature("records", build=_build, measures=_measures)
