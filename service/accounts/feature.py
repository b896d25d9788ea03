from functools import partial

from service.accounts import bots
from service.accounts.tokens import KnownCallers
from service.feature import Feature, Loop

FEATURE = Feature(
    "accounts",
    lambda services: services.add(KnownCallers()),
    lambda services: [
        Loop("tokens", 10.0, partial(bots.share, services.games.redis, services.games.queues.redis))
    ],
)
