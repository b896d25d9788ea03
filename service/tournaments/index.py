"""Lists of tournaments. Those of tournaments that are not recorded yet are in Redis, derived from
their histories; recorded ones are listed by the database (``service.tournaments.records``).

``tournaments``         all tournaments, by time of creation
``tournaments:STATUS``  those of a status
``player:ID:organised``  those that an account has created
``player:ID:entered``    those that an account has entered, also if it withdrew after the start
``player:ID:announced``  those with a notice for an account, by the time of the last one; until they
                         leave Redis
``tournaments:due``     those that are not over, by when the director checks them
"""

from dataclasses import dataclass
from functools import partial

from redis import Redis

from domain.tournament.state import OPEN, RUNNING, STATUSES, Tournament
from service.eventlog.histories import Records
from service.eventlog.pages import NewestFirst, page_of_newest, place_of
from service.times import in_ms
from service.tournaments.store import LoadedTournament, TournamentHead, TournamentStore

DUE = "tournaments:due"
RECORDED = "tournaments:recorded"  # recorded and still in Redis (``service.tournaments.records``)


def is_listed(store: TournamentStore, tournament: LoadedTournament) -> bool:
    """Return whether the lists are right: the tournament is in that of its status, and its last
    announcement in those of its accounts; or it is recorded."""
    pipe, some_id = store.redis.pipeline(transaction=False), tournament.state.id
    if store.redis.zscore(RECORDED, some_id) is not None:
        return True
    pipe.zscore(f"tournaments:{tournament.state.status}", some_id)
    for announcement in tournament.announced[-1:]:
        pipe.zscore(announced_key(min(announcement.to)), some_id)
    is_there, *told = pipe.execute()
    return is_there is not None and all(
        at is not None and at >= in_ms(announcement.at)
        for at, announcement in zip(told, tournament.announced[-1:], strict=True)
    )


def project(
    store: TournamentStore, tournament: LoadedTournament, was: LoadedTournament | None = None
) -> None:
    """Put a tournament into the lists where it belongs, and out of those where it ``was``."""
    row = {tournament.state.id: in_ms(tournament.created)}
    pipe = store.redis.pipeline(transaction=False)
    pipe.zadd(f"player:{tournament.state.settings.creator}:organised", row)
    for entrant in entered_by(tournament.state):
        pipe.zadd(f"player:{entrant}:entered", row)
    for gone in was.state.entrants.keys() - tournament.state.entrants.keys() if was else ():
        pipe.zrem(f"player:{gone}:entered", tournament.state.id)
    for account, at in last_announcements(tournament).items():
        pipe.zadd(announced_key(account), {tournament.state.id: at})
    pipe.zadd("tournaments", row)
    for status in STATUSES:
        if status == tournament.state.status:
            pipe.zadd(f"tournaments:{status}", row)
        else:
            pipe.zrem(f"tournaments:{status}", tournament.state.id)
    pipe.execute()


def leave(redis: Redis, state: Tournament) -> None:
    """Remove a recorded tournament from the lists, but for notices that are still to be sent."""
    keys = [
        "tournaments",
        *(f"tournaments:{status}" for status in STATUSES),
        f"player:{state.settings.creator}:organised",
        *(f"player:{entrant}:entered" for entrant in entered_by(state)),
    ]
    pipe = redis.pipeline(transaction=False)
    for key in keys:
        pipe.zrem(key, state.id)
    pipe.execute()


def forget(redis: Redis, tournament: LoadedTournament) -> None:
    """Remove a tournament that leaves Redis from every list."""
    leave(redis, tournament.state)
    pipe = redis.pipeline(transaction=False)
    for account in last_announcements(tournament):
        pipe.zrem(announced_key(account), tournament.state.id)
    pipe.execute()


def entered_by(state: Tournament) -> set[str]:
    return {entrant.id for entrant in state.entrants.values() if not entrant.player.is_built_in}


def last_announcements(tournament: LoadedTournament) -> dict[str, int]:
    """Return when each account got its last notice of a tournament, in milliseconds since 1970."""
    return {
        account: in_ms(announcement.at)
        for announcement in tournament.announced
        for account in announcement.to
    }


def announced_key(account: str) -> str:
    return f"player:{account}:announced"


def under_way(store: TournamentStore) -> list[str]:
    """Return the tournaments that are not over."""
    return [
        raw.decode()
        for status in (OPEN, RUNNING)
        for raw in store.redis.zrange(f"tournaments:{status}", 0, -1)
    ]


@dataclass(frozen=True)
class TournamentFilter:
    """Which tournaments to list: None is any. ``player`` is an account that has entered."""

    status: str | None = None
    creator: str | None = None
    player: str | None = None

    @property
    def key(self) -> str:
        """The shortest list in Redis that contains all matching tournaments."""
        if self.player:
            return f"player:{self.player}:entered"
        if self.creator:
            return f"player:{self.creator}:organised"
        return f"tournaments:{self.status}" if self.status else "tournaments"


def newest(
    store: TournamentStore,
    which: TournamentFilter,
    before: str | None,
    limit: int,
    *,
    unlisted: bool = False,
) -> tuple[list[TournamentHead], str | None]:
    """Return tournaments, the newest first, and the cursor of the next page, None at the end. Leave
    out unlisted ones, unless ``unlisted``. Raise RecordsUnavailable if some may be over and the
    database does not answer."""

    def fitting(heads: list[TournamentHead]) -> list[TournamentHead]:
        return [
            head
            for head in heads
            if which.status in (None, head["status"])
            and which.creator in (None, head["creator"])
            and (unlisted or "visibility" not in head)
        ]

    records = Records() if which.status in (OPEN, RUNNING) else store.records
    return page_of_newest(
        fitting,
        store,
        NewestFirst(store.redis, [which.key]),
        partial(records.newest, which),
        place_of(before),
        limit,
    )
