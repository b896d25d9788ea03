"""Lists of tournaments, derived from their histories.

``tournaments``         all of them, by time of creation
``tournaments:STATUS``  those of a status
``tournaments:due``     those that are not over, by when the director checks them
"""

from __future__ import annotations

from domain.tournament.state import OPEN, RUNNING, STATUSES
from service.store.pages import NewestFirst, page_of_newest
from service.store.shelved_sets import ShelvedSet
from service.store.tournaments import LoadedTournament, TournamentHead, TournamentStore
from service.times import in_ms, now_in_ms

DUE = "tournaments:due"


def is_listed(store: TournamentStore, found: LoadedTournament) -> bool:
    """Return whether a tournament is in the list of its status."""
    key = f"tournaments:{found.state.status}"
    return store.redis.zscore(key, found.state.id) is not None


def project(store: TournamentStore, found: LoadedTournament) -> None:
    """Put a tournament into the list of its status, and remove it from the others."""
    row = {found.state.id: in_ms(found.created)}
    pipe = store.redis.pipeline(transaction=False)
    pipe.zadd("tournaments", row)
    for status in STATUSES:
        if status == found.state.status:
            pipe.zadd(f"tournaments:{status}", row)
        else:
            pipe.zrem(f"tournaments:{status}", found.state.id)
    pipe.execute()


def under_way(store: TournamentStore) -> list[str]:
    """Return the tournaments that are not over."""
    return [raw.decode() for status in (OPEN, RUNNING)
            for raw in store.redis.zrange(f"tournaments:{status}", 0, -1)]


def rebuild(store: TournamentStore) -> int:
    """Rebuild every index and head from the histories; return the number of tournaments."""
    count = 0
    for found in store.refold_all():
        project(store, found)
        if found.state.status in (OPEN, RUNNING):
            store.redis.zadd(DUE, {found.state.id: now_in_ms()}, nx=True)
        count += 1
    return count


def newest(
    store: TournamentStore, status: str | None, before: str | None, limit: int
) -> tuple[list[TournamentHead], str | None]:
    """Return tournaments, the newest first, and the cursor of the next page, None at the end."""
    def of_status(ids: list[str]) -> list[TournamentHead | None]:
        return [row if row and status in (None, row["status"]) else None
                for row in store.heads(ids)]

    rows = ShelvedSet(store.redis, None, f"tournaments:{status}" if status else "tournaments")
    return page_of_newest(of_status, NewestFirst([rows]), before, limit)
