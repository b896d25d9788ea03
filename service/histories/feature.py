from service.feature import Blueprints, Feature, Services
from service.histories.log import LogHead, PublicLog


def _blueprints() -> Blueprints:
    from service.histories import api

    yield api.blueprint


def _build(services: Services) -> None:
    games = services.games
    games.projections.append(PublicLog)
    games.store.first_members = LogHead(games.redis).members


FEATURE = Feature("histories", _blueprints, _build)
