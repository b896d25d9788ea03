"""A feature of the service: what all other modules know of it.

Each feature declares one ``Feature``. ``service/app.py`` lists them, and is the only module that
imports more than one. The loops, the metrics, ``fogg check``, the recorder and the closing of
accounts ask ``Services.features``, and name none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from prometheus_client.core import Metric

    from service.accounts.accounts import Account
    from service.errors import Finding
    from service.games.games import Games
    from service.redis.queue import Crew, Work

T = TypeVar("T")


class Services:
    """The service objects of a process: its games, and all others by their type."""

    def __init__(self, games: Games, features: Sequence[Feature]):
        self.games, self.features = games, features
        self._by_type: dict[type, Any] = {}
        for feature in features:
            feature.build(self)

    def add(self, made: object) -> None:
        """Add a service object, the only one of its type."""
        self._by_type[type(made)] = made

    def find(self, kind: type[T]) -> T:
        """Return the service object of a type. Raise KeyError if no feature has added one."""
        return self._by_type[kind]


@dataclass(frozen=True)
class Loop:
    """A job that each web process repeats. If it ``is_shared``, usually only one process at a time
    runs it."""

    name: str
    seconds: float  # between two runs
    run: Callable[[], object]
    is_shared: bool = False


@dataclass(frozen=True)
class Job:
    """A job of the recorder, which runs all of them one after another. If ``run`` returns a number
    above 0, it is due again at once, as more may be left."""

    run: Callable[[], object]
    seconds: float = 0.0  # between two runs
    at_start: bool = False  # run before the others, and again after a failover or an outage


def _nothing(*_: Any) -> tuple[()]:
    return ()


@dataclass(frozen=True)
class Feature:
    """What a feature adds to the service.

    Features are built in the order of ``FEATURES``. A closed account leaves them in the reverse
    order."""

    name: str  # of its folder
    # adds service objects to ``Services``, and listeners to ``Services.games``
    build: Callable[[Services], object] = _nothing
    loops: Callable[[Services], Iterable[Loop]] = _nothing
    jobs: Callable[[Services], Iterable[Job]] = _nothing
    # its operations; imported only when asked for, as the recorder and commands need no Flask
    blueprints: Sequence[str] = ("api:blueprint",)
    works: Sequence[Work] = ()  # what workers do for it
    crew: Crew | None = None  # the workers that it has for itself
    measures: Callable[[Services], Iterable[Metric]] = _nothing  # for Prometheus
    findings: Callable[[Services], Iterable[Finding]] = _nothing  # for ``fogg check``
    # address of a screen in service/page/screens.json -> makes the title and the sentence of a link
    # to it, from the id in it and the reader's language
    previews: Mapping[str, Callable[[Services, str, str], tuple[str, str]]] = field(
        default_factory=dict
    )
    limits: Mapping[str, str] = field(default_factory=dict)  # kind of FOGG_LIMITS -> words for it
    # called before an account is deleted, and again after that
    on_account_closed: Callable[[Services, Account], object] = _nothing
