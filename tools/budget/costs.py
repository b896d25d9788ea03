"""Counting the costs of every operation, and comparing them with the budget."""

from __future__ import annotations

import gc
import json
import logging
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from logging.config import dictConfig
from pathlib import Path

from redis import Redis

from service import settings
from service.http import logs
from service.records.database import sqlite_url
from service.redis.connection import EmbeddedRedis, connect
from tools.budget.meter import PYTHON, C, Costs, Meter

FILE = Path(__file__).with_name("budget.json")
GROWTH = 1.01  # by which a count may exceed the budget
ROUNDING = 0.01


def growth(budget: Costs, now: Costs) -> Iterator[str]:
    """Yield a line for each count that is larger than the budget lets it be."""
    for operation, costs in now.items():
        for name, count in costs.items():
            allowed = budget.get(operation, {}).get(name, 0)
            if count > allowed * GROWTH + ROUNDING:
                yield f"{operation}: {name}: {allowed} -> {count}"


def measured() -> Costs:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings.PROMETHEUS_MULTIPROC_DIR.set(name)  # web processes count in a folder
        settings.DATABASE.set(sqlite_url(folder / "records.sqlite3"))  # there is none
        log = folder / "log"
        with (
            log.open("w") as lines,
            EmbeddedRedis(folder, durable=False) as server,
            connect(server.url) as redis,
            Meter(server.url) as meter,
        ):
            dictConfig(logs.logging_config())
            logging.root.handlers[0].setStream(lines)
            meter.follow_this_thread()
            gc.disable()  # it would call the ends of generators at any time
            costs = _measured(redis, meter, server.url)
            costs["import of the application"] = _import_costs()
            sys.setprofile(None)
            gc.enable()
        if wrong := [
            line for line in log.read_text().splitlines() if json.loads(line)["level"] != "info"
        ]:
            raise AssertionError("\n".join(wrong))
    return costs


def _measured(redis: Redis, meter: Meter, url: str) -> Costs:
    # imported here, as the application looks for the folder of metrics when it is imported
    from tools.budget import worker
    from tools.budget.operations import Operations

    operations = Operations(redis, meter)
    return operations.measure() | worker.measure(operations, url)


def _import_costs() -> dict[str, float]:
    """Return the calls of an import by a new process; this one has compiled all that it reads."""
    said = subprocess.run(
        [sys.executable, "-m", "tools.budget.importing"], check=True, capture_output=True, text=True
    ).stdout
    return dict(zip((PYTHON, C), map(float, said.split()), strict=True))
