"""What goes wrong with one record stops neither the game that it is of nor the others; nor does an
offer that cannot become a game."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from redis import RedisError
from redis.exceptions import RedisClusterException

from domain.errors import FoggError

log = logging.getLogger(__name__)


@contextmanager
def told(what: str) -> Iterator[None]:
    """Do something; log ``what`` cannot be, with the reason, and go on. Only a Redis that does not
    answer is raised, as what is to be done then is done by the next look."""
    try:
        yield
    except (RedisError, RedisClusterException, OSError):
        raise
    except FoggError as error:
        log.warning("%s: %s", what, error)
    except Exception:
        log.exception("%s", what)
