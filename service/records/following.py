"""Following rollbacks of the histories that are also recorded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from service.errors import RecordsUnavailable
from service.games import rollbacks
from service.operation import metrics
from service.records.keeping import Kept
from service.store.loaded import K, Rollback
from service.store.news import News


def follow_rollbacks(
    kept: Kept[K], news: News, listeners: Sequence[Callable[[Rollback[K]], object]]
) -> None:
    """Put the lost end of a recorded history back; for another one, call ``listeners`` in the
    first process that finds out."""
    def report(rollback: Rollback[K]) -> None:
        with suppress(RecordsUnavailable):
            if kept.put_back(rollback.was.state.id):
                return
        with rollbacks.reported(kept.store, rollback) as is_news:
            if is_news:
                metrics.count_lost(rollback.entries)
                for listener in listeners:
                    listener(rollback)

    news.on_announced.append(kept.store.on_announced)
    kept.store.on_rollback.append(report)
