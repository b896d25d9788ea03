from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from service.feature import Feature, Job, Services
from service.records.following import add_kind
from service.records.keeping import KeptGames, leave


def _build(services: Services) -> None:
    games = services.games
    add_kind(games, KeptGames(games.store), games.on_rollback)


def _jobs(services: Services) -> Iterable[Job]:
    from service.records import unplayed
    from service.records.recorder import Recorder

    games = services.games
    recorder = Recorder(games, games.database)
    yield Job(recorder.begin, at_start=True)
    yield Job(recorder.run_alone)
    yield Job(partial(leave, games), 60.0)
    yield Job(partial(unplayed.delete, games), 3600.0)


FEATURE = Feature("records", build=_build, jobs=_jobs)
