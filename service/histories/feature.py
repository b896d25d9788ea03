from service.feature import Feature, Services
from service.histories.log import LogHead, PublicLog


def _build(services: Services) -> None:
    games = services.games
    games.projections.append(PublicLog)
    games.store.first_members = LogHead(games.redis).members


FEATURE = Feature("histories", _build)
