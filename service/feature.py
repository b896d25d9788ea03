"""A feature of the service: what the rest of the house knows of it.

Each feature declares one ``Feature``. ``service/app.py`` lists them all, and is the only module
that imports more than one. The HTTP kit, the loops, the metrics, ``fogg check``, the recorder and
the closing of accounts ask the features of ``Services`` and name none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from redis import Redis

if TYPE_CHECKING:
    from flask import Blueprint
    from prometheus_client.core import Metric

    from service.accounts.accounts import Account
    from service.errors import Finding
    from service.store.sql.database import Database

T = TypeVar("T")


class Services:
    """The service objects of a process, looked up by their type."""

    def __init__(self, redis: Redis, queues: Redis, database: Database,
                 features: Sequence[Feature] = ()):
        self.redis = redis  # of the games
        self.queues = queues  # the Redis of the jobs of workers
        self.database = database  # of what is over
        self.features = features
        self._by_type: dict[type, Any] = {}
        for feature in features:
            feature.build(self)

    def add(self, made: T) -> T:
        """Add a service object, the only one of its type; return it."""
        self._by_type[type(made)] = made
        return made

    def find(self, kind: type[T]) -> T:
        """Return the service object of a type. Raise KeyError if no feature has added one."""
        return self._by_type[kind]


@dataclass(frozen=True)
class Loop:
    """A job that a web process repeats. With ``is_alone``, usually only one process at a time runs
    it."""

    name: str
    seconds: float  # between two runs
    run: Callable[[], object]
    is_alone: bool = False


@dataclass(frozen=True)
class Job:
    """A job of the recorder, which runs all jobs one after another."""

    run: Callable[[], object]
    seconds: float = 0.0  # between two runs


def _nothing(*_: Any) -> tuple[()]:
    return ()


@dataclass(frozen=True)
class Feature:
    """What a feature adds to the service. Each function gets the ``Services`` first.

    ``build`` adds the service objects of the feature, and registers what it listens to: see
    ``Games`` for the lists of listeners. Features are built in the order of ``FEATURES``.
    """

    name: str  # the tag of its operations in openapi.yaml
    blueprints: Sequence[Blueprint] = ()
    build: Callable[[Services], object] = _nothing
    loops: Callable[[Services], Iterable[Loop]] = _nothing  # of web processes
    jobs: Callable[[Services], Iterable[Job]] = _nothing  # of the recorder
    measures: Callable[[Services], Iterable[Metric]] = _nothing  # for Prometheus
    findings: Callable[[Services], Iterable[Finding]] = _nothing  # for ``fogg check``
    # called twice when an account is deleted, before and after it is gone: leave everything
    on_account_closed: Callable[[Services, Account], object] = _nothing
    limits: Mapping[str, str] = field(default_factory=dict)  # kind in FOGG_LIMITS -> its words
