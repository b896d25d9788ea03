from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from prometheus_client.core import Metric

from service import settings
from service.feature import Feature, Job, Services
from service.http.metrics import gauge
from service.records import keeping
from service.records.keeping import KeptGames, add_kind


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
    yield Job(partial(keeping.leave, games), 60.0)
    yield Job(partial(unplayed.delete, games), 3600.0)


def _measures(services: Services) -> Iterator[Metric]:
    not_recorded, oldest_s = keeping.waiting(services.games)
    yield gauge(
        "fogg_keep_seconds",
        "For how long a game stays in Redis after it was recorded.",
        3600 * settings.KEEP_HOURS.value(),
    )
    yield gauge(
        "fogg_records_up",
        "Whether the database of what is over answers.",
        services.games.database.answers(),
    )
    yield gauge("fogg_records_waiting", "Games that are over and not recorded yet.", not_recorded)
    yield gauge(
        "fogg_records_oldest_seconds",
        "For how long the one that has waited longest has been over.",
        oldest_s,
    )
    yield gauge(
        "fogg_records_wal_bytes",
        "Bytes of SQLite's file -wal, which grows while a program reads in one transaction.",
        _wal_bytes(services.games.database.file),
    )


def _wal_bytes(file: Path | None) -> int:
    """Return the size of SQLite's file -wal, 0 if there is none."""
    try:
        return file.with_name(f"{file.name}-wal").stat().st_size if file else 0
    except OSError:
        return 0


FEATURE = Feature("records", _build, jobs=_jobs, blueprints=(), measures=_measures)
