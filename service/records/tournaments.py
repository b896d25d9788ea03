"""Tournaments whose standings are final: their rows, and the recorder of them.

``tournaments:finished``  tournaments that are over and not recorded yet: its work
``tournaments:recorded``  those that are recorded and still in Redis: tournament -> when, in
                          milliseconds since 1970

Until the standings are final the creator may disqualify entrants, so the history may still grow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import orjson
import sqlalchemy as sa

from domain.codec import Json
from domain.tournament.state import FINISHED
from service.errors import RecordsUnavailable
from service.records.packing import pack, unpack
from service.store.guarding import log_errors
from service.store.histories import Written
from service.store.sql.database import Database, add, add_one
from service.store.sql.tables import tournament, tournament_account
from service.store.tournaments import LoadedTournament, TournamentStore
from service.times import in_ms, now, now_in_ms
from service.tournaments import index


def add_tournament(
    db: sa.Connection, over: LoadedTournament, history: Iterable[Written]
) -> bool:
    """Record a tournament whose standings are final; return False if it was recorded before."""
    n = add_one(db, tournament, values_of(over) | {"history": pack(history)})
    if n is not None:
        add(db, tournament_account, accounts_of(n, over))
    return n is not None


def values_of(over: LoadedTournament) -> Json:
    """Return the values of a tournament's own row, as far as they follow from its history."""
    settings = over.state.settings
    return {
        "id": over.state.id, "creator": settings.creator, "created": in_ms(over.created),
        "ended": in_ms(over.updated), "is_listed": not settings.visibility,
        "version": over.state.version, "last_hash": bytes.fromhex(over.hash),
        "head": orjson.dumps(TournamentStore.head(over)).decode()}


def accounts_of(n: int, over: LoadedTournament) -> list[Json]:
    """Return the rows of the accounts that took part in a tournament or organised it."""
    announced, entrants = index.last_announcements(over), index.entered_by(over.state)
    return [{"tournament": n, "account": account, "is_entrant": account in entrants,
             "created": in_ms(over.created), "announced": announced.get(account)}
            for account in sorted({over.state.settings.creator, *entrants, *announced})]


def histories(db: sa.Connection, ids: Iterable[str]) -> Mapping[str, list[Written]]:
    """Return the histories of these tournaments, as far as they are recorded."""
    rows = db.execute(sa.select(tournament.c.id, tournament.c.history, tournament.c.last_hash)
                      .where(tournament.c.id.in_([*ids])))
    return {some_id: unpack(*packed) for some_id, *packed in rows}


class TournamentRecorder:
    """Records the tournaments of a service."""

    def __init__(self, store: TournamentStore, database: Database):
        self.store, self.database = store, database

    def run(self) -> int:
        """Record all tournaments whose standings are final; return how many were recorded. One that
        cannot be recorded is logged, and waits."""
        count = 0
        for raw in self.store.redis.zrange(f"tournaments:{FINISHED}", 0, -1):
            some_id = raw.decode()
            with log_errors(f"{some_id} cannot be recorded", RecordsUnavailable):
                count += self.record(some_id)
        return count

    def record(self, some_id: str) -> bool:
        """Record a tournament if its standings are final, and remove it from the lists in Redis.
        Return whether it is new."""
        over = self.store.load(some_id)
        if over.state.status != FINISHED or in_ms(over.final_at or now()) > now_in_ms():
            return False
        history = list(self.store.entries(some_id))
        with self.database.writing() as db:
            is_new = add_tournament(db, over, history)
        self.store.redis.zadd(index.RECORDED, {some_id: now_in_ms()})
        index.leave(self.store.redis, over.state)
        return is_new
