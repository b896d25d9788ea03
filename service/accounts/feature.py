from collections.abc import Iterable
from functools import partial

from service.accounts import bots
from service.accounts.tokens import KnownCallers
from service.feature import Blueprints, Feature, Loop, Services


def _blueprints() -> Blueprints:
    from service.accounts import api

    yield api.blueprint


def _loops(services: Services) -> Iterable[Loop]:
    games = services.games
    yield Loop("tokens", 10.0, partial(bots.share, games.redis, games.queues.redis))


FEATURE = Feature("accounts", _blueprints, lambda services: services.add(KnownCallers()), _loops)
