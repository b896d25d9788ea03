from __future__ import annotations

from service.feature import Feature, Services
from service.records.following import follow_rollbacks
from service.records.keeping import KeptGames


def _build(services: Services) -> None:
    games = services.games
    follow_rollbacks(KeptGames(games.store), games.news, games.on_rollback)


FEATURE = Feature("records", build=_build)
