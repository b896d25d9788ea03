"""Lists of tournaments, derived from their histories.

``tournaments``         all of them, by time of creation
``tournaments:STATUS``  those of a status
``player:ID:organised``  those that an account has created
``player:ID:entered``    those that an account has entered, also if it withdrew after the start
``player:ID:announced``  those that an account was told something about, by the last time of that
``tournaments:due``     those that are not over, by when the director checks them
"""

from __future__ import annotations

from domain.tournament.state import OPEN, RUNNING, STATUSES
from service.store.pages import NewestFirst, page_of_newest
from service.store.tournaments import LoadedTournament, TournamentHead, TournamentStore
from service.times import in_ms, now_in_ms

DUE = "tournaments:due"


def is_listed(store: TournamentStore, tournament: LoadedTournament) -> bool:
    """Return whether a tournament is in the list of its status, and its last announcement in that
    of those concerned."""
    pipe, some_id = store.redis.pipeline(transaction=False), tournament.state.id
    pipe.zscore(f"tournaments:{tournament.state.status}", some_id)
    for announcement in tournament.announced[-1:]:
        pipe.zscore(announced_key(min(announcement.to)), some_id)
    is_there, *told = pipe.execute()
    return is_there is not None and all(
        at is not None and at >= in_ms(announcement.at)
        for at, announcement in zip(told, tournament.announced[-1:], strict=True))


def project(
    store: TournamentStore, tournament: LoadedTournament, was: LoadedTournament | None = None
) -> None:
    """Put a tournament into the lists where it belongs, and remove it from others. ``was`` is the
    tournament before."""
    row = {tournament.state.id: in_ms(tournament.created)}
    pipe = store.redis.pipeline(transaction=False)
    pipe.zadd(f"player:{tournament.state.settings.creator}:organised", row)
    for entrant in tournament.state.entrants.values():
        if not entrant.player.is_built_in:
            pipe.zadd(f"player:{entrant.id}:entered", row)
    for gone in was.state.entrants.keys() - tournament.state.entrants.keys() if was else ():
        pipe.zrem(f"player:{gone}:entered", tournament.state.id)
    last_told = {account: announcement.at for announcement in tournament.announced
                 for account in announcement.to}
    for account, at in last_told.items():
        pipe.zadd(announced_key(account), {tournament.state.id: in_ms(at)})
    pipe.zadd("tournaments", row)
    for status in STATUSES:
        if status == tournament.state.status:
            pipe.zadd(f"tournaments:{status}", row)
        else:
            pipe.zrem(f"tournaments:{status}", tournament.state.id)
    pipe.execute()


def announced_key(account: str) -> str:
    """Return the key of the tournaments that an account has got notices of."""
    return f"player:{account}:announced"


def under_way(store: TournamentStore) -> list[str]:
    """Return the tournaments that are not over."""
    return [raw.decode() for status in (OPEN, RUNNING)
            for raw in store.redis.zrange(f"tournaments:{status}", 0, -1)]


def rebuild(store: TournamentStore) -> int:
    """Rebuild every index and head from the histories; return the number of tournaments."""
    count = 0
    for tournament in store.refold_all():
        project(store, tournament)
        if tournament.state.status in (OPEN, RUNNING):
            store.redis.zadd(DUE, {tournament.state.id: now_in_ms()}, nx=True)
        count += 1
    return count


def newest(
    store: TournamentStore, key: str, status: str | None, before: str | None, limit: int, *,
    creator: str | None = None, unlisted: bool = False,
) -> tuple[list[TournamentHead], str | None]:
    """Return tournaments of a set, the newest first, and the cursor of the next page, None at the
    end. Leave out those of another status, those of another creator and, unless ``unlisted``,
    unlisted ones."""
    def fitting(ids: list[str]) -> list[TournamentHead | None]:
        return [row if row and status in (None, row["status"])
                and creator in (None, row["creator"])
                and (unlisted or "visibility" not in row) else None for row in store.heads(ids)]

    return page_of_newest(fitting, NewestFirst(store.redis, [key]), before, limit)
