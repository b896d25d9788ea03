from functools import partial

from service.feature import Feature, Loop, Services
from service.pool.online import Online
from service.pool.pool import Pool
from service.pool.sweep import sweep


def _build(services: Services) -> None:
    pool, online = Pool(services.games), Online(services.games.redis)
    services.add(pool)
    services.games.listening.extend([pool.keep_ready, online.watch])


FEATURE = Feature(
    "pool",
    _build,
    lambda services: [Loop("pool", 1.0, partial(sweep, services.find(Pool)), is_shared=True)],
    on_account_closed=lambda services, account: services.find(Pool).leave(account),
)
