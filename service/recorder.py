"""The recorder as a process: its jobs, one after another (``python -m service.recorder``)."""

import logging
import signal
import sys
import time
from collections.abc import Callable
from logging.config import dictConfig
from pathlib import Path

from service import settings
from service.app import build_services
from service.errors import RecordsUnavailable
from service.eventlog.failovers import Failovers
from service.feature import Services
from service.http.logs import logging_config
from service.redis.guarding import UNREACHABLE
from service.starting import RedisUnavailable

SECONDS = 0.2  # between two looks for games that are over
RETRY_AFTER_S = 10.0  # until a job is tried again that has failed
log = logging.getLogger("fogg.recorder")


class Jobs:
    """The jobs of the recorder, one after another in one thread."""

    def __init__(self, services: Services):
        self._is_ready = self._is_away = False
        failovers = Failovers(services.games.redis, services.games.stores, self._forget)
        jobs = [job for feature in services.features for job in feature.jobs(services)]
        self._at_start = [job.run for job in jobs if job.at_start]
        # job -> seconds between two runs
        self._every: dict[Callable[[], object], float] = {
            failovers.check: 1.0,
            self._begin: 0.0,
            **{job.run: job.seconds for job in jobs if not job.at_start},
        }
        self._next = dict.fromkeys(self._every, 0.0)

    def run(self) -> None:
        """Run the jobs that are due, in their order, until one fails. Log errors; an outage once,
        when it begins."""
        job: Callable[[], object] | None = None
        try:
            for job, seconds in self._every.items():
                if self._next[job] <= time.monotonic():
                    self._next[job] = time.monotonic() + seconds
                    if job():
                        self._next[job] = 0.0
        except (RecordsUnavailable, settings.BadSetting, *UNREACHABLE) as error:
            if not self._is_away:
                log.error("games that are over wait: %s", str(error) or repr(error))
            self._is_away = True
            self._is_ready = False  # the database that comes back may be an older one
        except Exception:
            log.exception("a job of the recorder failed; it is tried again")
            if job:
                self._next[job] = time.monotonic() + RETRY_AFTER_S
        else:
            if self._is_away:
                log.warning("games that are over are recorded again")
            self._is_away = False

    def _forget(self) -> None:
        self._is_ready = False

    def _begin(self) -> None:
        if not self._is_ready:
            for run in self._at_start:
                run()
            self._is_ready = True


def main() -> None:
    """Record games until a signal ends the process. A transaction under way is rolled back then."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit())
    try:
        dictConfig(logging_config())
        services = build_services()
        services.games.database.refuse_unfit()
        jobs = Jobs(services)
    except (settings.BadSetting, RedisUnavailable) as error:
        sys.exit(str(error))
    log.info("waiting for games that are over")
    while True:
        if file := settings.HEARTBEAT_FILE.value():
            Path(file).touch()
        jobs.run()
        time.sleep(SECONDS)


if __name__ == "__main__":
    main()
