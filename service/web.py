"""The web processes: ``python -m service.web``, which is gunicorn with the settings below.

It takes gunicorn's options: ``python -m service.web --bind 0.0.0.0:8000 --workers 2``.
"""

import os
import sys
from contextlib import closing, suppress
from logging.config import dictConfig
from pathlib import Path
from typing import Any

from gunicorn.glogging import Logger

from service import settings, starting
from service.http import logs

wsgi_app = starting.APP
bind = "127.0.0.1:8000"
worker_class = "service.http.server.Worker"
forwarder_headers = ""  # no header SCRIPT_NAME is trusted
graceful_timeout = starting.STOP_GRACE_S
control_socket_disable = True
# Like ``-m gunicorn``, but without the current folder, which may hold anything. gunicorn would put
# that folder first in sys.path if it were not there yet.
GUNICORN = """
import os, sys
sys.path[:] = [path for path in sys.path if path] + [os.getcwd()]
from gunicorn.app.wsgiapp import run
run()
"""


class logger_class(Logger):
    """gunicorn's log, in the service's format. service/http/envelope.py logs requests, as
    gunicorn would log their queries."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        dictConfig(logs.logging_config())


def child_exit(_server: object, worker: Any) -> None:
    """Remove the count of open streams of a process that has ended; its other metrics stay."""
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(worker.pid)


def on_exit(_server: object) -> None:
    """Remove the folder of the metrics, unless a setting names it."""
    starting.drop_metrics(str(settings.PROMETHEUS_MULTIPROC_DIR.needed()))


def main() -> None:
    """Prepare, and replace this process by gunicorn, so that no module is loaded before gevent
    patches it.

    Empty the folder of the metrics."""
    from redis import RedisError
    from redis.exceptions import RedisClusterException

    from service.redis import durability
    from service.redis.connection import connect

    try:
        settings.check()
        starting.queue_url()
        _refuse_unfit_database()
        # if Redis is down, the processes that gunicorn starts report it
        with suppress(RedisError, RedisClusterException), connect() as redis:
            durability.refuse_unfit(redis)
    except (settings.BadSetting, starting.RedisUnavailable) as error:
        sys.exit(str(error))
    folder = Path(starting.metrics_folder())
    settings.PROMETHEUS_MULTIPROC_DIR.set(str(folder))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for file in folder.glob("*.db"):
        file.unlink()
    os.execv(
        sys.executable,
        [sys.executable, "-c", GUNICORN, "--config", "python:service.web", *sys.argv[1:]],
    )


def _refuse_unfit_database() -> None:
    """Raise BadSetting if FOGG_DATABASE names a PostgreSQL that cannot hold records."""
    url = settings.DATABASE.value()
    if url.startswith("sqlite"):
        return
    from service.records.database import Database  # takes long to load

    with closing(Database(url)) as database:
        database.refuse_unfit()


if __name__ == "__main__":
    main()
