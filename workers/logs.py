"""What a worker says: lines of JSON like the web processes' (service/operation/logs.py), which are
read together. Nothing is shared with them: a worker knows of the service its HTTP alone."""

from __future__ import annotations

import json
import logging
import os
from datetime import UTC, datetime


class JsonLines(logging.Formatter):
    """Writes a record as a line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, without its end."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"time": at.replace("+00:00", "Z"), "level": record.levelname.lower(),
                "logger": record.name, "message": record.getMessage()}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line)


def begin() -> None:
    """Let everything that is logged in this process go to stderr, from FOGG_LOG_LEVEL on."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    level = os.environ.get("FOGG_LOG_LEVEL", "info").upper()
    logging.basicConfig(level=level, handlers=[handler])
    logging.getLogger("rq.worker").setLevel(max(logging.WARNING, logging.root.level))
