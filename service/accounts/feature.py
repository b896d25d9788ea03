from collections.abc import Iterable
from functools import partial

from service.accounts import bots
from service.accounts.tokens import KnownCallers
from service.feature import Feature, Loop, Services


def _loops(services: Services) -> Iterable[Loop]:
    games = services.games
    yield Loop("tokens", 10.0, partial(bots.share, games.redis, games.queues.redis))


FEATURE = Feature("accounts", lambda services: services.add(KnownCallers()), _loops)
