"""The log of a worker: lines of JSON like those of the web processes (service/http/logs.py),
so that both can be read together. The code is not shared: a worker uses the service over HTTP."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime

from service import settings


class JsonLines(logging.Formatter):
    """Writes a record as a line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"time": at.replace("+00:00", "Z"), "level": record.levelname.lower(),
                "logger": record.name, "message": record.getMessage()}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line)


def begin() -> None:
    """Write all log records of this process to stderr, from FOGG_LOG_LEVEL on."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    level = settings.LOG_LEVEL.value().upper()
    logging.basicConfig(level=level, handlers=[handler])
    logging.getLogger("rq.worker").setLevel(max(logging.WARNING, logging.root.level))
