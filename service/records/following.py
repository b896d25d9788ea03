"""Adding a kind of histories to the service: games, or those of a feature."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from service.errors import RecordsUnavailable
from service.games import rollbacks
from service.games.games import Games
from service.operation import metrics
from service.records.keeping import Kept
from service.store.loaded import K, Rollback


def add_kind(
    games: Games, kept: Kept[K], listeners: Sequence[Callable[[Rollback[K]], object]]
) -> None:
    """Add a kind of histories. After a rollback, put the lost end of a recorded history back; for
    another one, call ``listeners`` in the first process that finds out."""
    def report(rollback: Rollback[K]) -> None:
        with suppress(RecordsUnavailable):
            if kept.put_back(rollback.was.state.id):
                return
        with rollbacks.reported(kept.store, rollback) as is_news:
            if is_news:
                metrics.count_lost(rollback.entries)
                for listener in listeners:
                    listener(rollback)

    games.kept.append(kept)
    games.news.on_announced.append(kept.store.on_announced)
    kept.store.on_rollback.append(report)
