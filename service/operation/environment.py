"""Refuse settings that are unknown or senseless, before anything is started with them."""

from __future__ import annotations

import os
import re

from service.operation import limits, logs
from service.store import caps, numbers
from service.store.numbers import BadSetting

# every setting of the service, of its workers, of the commands, and of deploy/ (docs/operations.md)
NAMES = frozenset(numbers.NUMBERS) | {
    "FOGG_ARCHIVE", "FOGG_BACKUP_COPY", "FOGG_BOARDS", "FOGG_BOTS", "FOGG_CACHE", "FOGG_CAPS",
    "FOGG_LIMITS", "FOGG_LOG_LEVEL", "FOGG_LOG_REQUESTS", "FOGG_METRICS_TOKEN", "FOGG_QUEUE_URL",
    "FOGG_REDIS_SERVER", "FOGG_REDIS_URL", "FOGG_SERVER", "FOGG_SITE", "FOGG_TOKEN_FILE",
    "FOGG_URL", "FOGG_WEBHOOKS_PRIVATE",
}
# The first is for tests. Kubernetes sets the others in every pod, for a Service whose name begins
# with fogg.
OF_OTHERS = re.compile(r"FOGG_(CHROMIUM|(\w+_)?(SERVICE_(HOST|PORT(_\w+)?)|PORT(_\d+_\w+)?))")
SWITCHES = ("FOGG_LOG_REQUESTS", "FOGG_WEBHOOKS_PRIVATE")
SWITCHED = ("1", "true", "yes", "0", "false", "no")
MOST_WEB_PROCESSES = 1000


def check() -> None:
    """Raise BadSetting if a setting is unknown, or its value makes no sense; the message says
    which, and what it should be."""
    for name in sorted({name for name in os.environ if name.startswith("FOGG_")} - NAMES):
        if not OF_OTHERS.fullmatch(name):
            raise BadSetting(f"{name} is no setting of Fogg{_perhaps(name)}")
    numbers.check()
    caps.settings(os.environ.get("FOGG_CAPS", ""))
    limits.settings(os.environ.get("FOGG_LIMITS", ""))
    logs.level()
    for name in SWITCHES:
        if (text := os.environ.get(name, "").lower()) and text not in SWITCHED:
            raise BadSetting(f"{name} is {text!r}; it should be one of {', '.join(SWITCHED)}")
    processes = os.environ.get("WEB_CONCURRENCY", "1")  # gunicorn's
    if not re.fullmatch("[0-9]{1,4}", processes) or not 1 <= int(processes) <= MOST_WEB_PROCESSES:
        raise BadSetting(f"WEB_CONCURRENCY is {processes!r}; it should be how many web processes "
                         f"there are to be, from 1 to {MOST_WEB_PROCESSES}")


def _perhaps(name: str) -> str:
    from difflib import get_close_matches  # only a service that does not start waits for it

    near = get_close_matches(name, NAMES, 1)
    return f"; did you mean {near[0]}?" if near else "; docs/operations.md lists all settings"
