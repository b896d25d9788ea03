"""The log of web processes: one JSON line an event, on stderr.

Members: ``time`` (RFC 3339, UTC, milliseconds), ``level``, ``logger``, ``message``, and where they
apply ``request_id``, ``exception`` and those of ``extra={"fields": {...}}``. FOGG_LOG_LEVEL is the
least level that is written, ``info`` by default. The workers write the same (workers/__main__.py).
"""

import json
import logging
from contextvars import ContextVar

import orjson

from service import settings
from service.times import as_time

REQUEST_ID: ContextVar[str | None] = ContextVar("request_id", default=None)


class JsonLines(logging.Formatter):
    """Writes a record as a line of JSON, with the id of the request that it was written for."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, without its end."""
        line = {
            "time": as_time(int(1000 * record.created)),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request_id := REQUEST_ID.get():
            line["request_id"] = request_id
        line |= {
            name: value
            for name, value in getattr(record, "fields", {}).items()
            if value is not None
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        try:
            return orjson.dumps(line, default=str).decode()
        except orjson.JSONEncodeError:  # half a surrogate pair, say, that a client has sent
            return json.dumps(line, default=str)


def logging_config() -> dict:
    """Return the argument of ``logging.config.dictConfig``, also for gunicorn's loggers. Switch off
    the data that ``logging`` collects for each record and that no line shows, as its HOWTO
    advises."""
    logging._srcfile = None
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging.logAsyncioTasks = False  # type: ignore[attr-defined]  # new in Python 3.12
    level = settings.LOG_LEVEL.value().upper()
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": JsonLines}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"level": level, "handlers": ["stderr"]},
        "loggers": {
            name: {"level": level, "handlers": [], "propagate": True}
            for name in ("gunicorn.error", "gunicorn.access")
        }
        | {"alembic": {"level": "WARNING"}},  # it names its parts when it is imported
    }
