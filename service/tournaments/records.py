"""Tournaments whose standings are final: their rows, and the recorder of them.

``tournaments:finished``  tournaments that are over and not recorded yet: its work
``tournaments:recorded``  those that are recorded and still in Redis: tournament -> when, in
                          milliseconds since 1970

Until the standings are final the creator may disqualify entrants, so the history may still grow.
"""

from collections.abc import Iterable, Iterator, Mapping

import orjson
import sqlalchemy as sa

from domain.codec import Json
from domain.errors import BrokenHistory
from domain.game.state import FINISHED as GAME_FINISHED
from domain.tournament.state import FINISHED, OPEN, RUNNING, STATUSES
from service.errors import Finding, RecordsUnavailable
from service.eventlog.histories import Place, Records, Written
from service.games.games import Games
from service.games.store import GameStore
from service.records.comparing import Transaction, pages, within
from service.records.database import Database, add, add_one
from service.records.deriving import AT_ONCE, BROKEN, RECORDS, UNREADABLE, keyed, rows_of
from service.records.keeping import Kept
from service.records.packing import pack, unpack
from service.records.projection import Fault, Progress, Projection
from service.records.reading import DatabaseRecords, Heads, heads_of
from service.records.tables import tournament, tournament_account
from service.redis.guarding import log_errors
from service.times import in_ms, now, now_in_ms
from service.tournaments import index
from service.tournaments.index import TournamentFilter
from service.tournaments.store import LoadedTournament, TournamentStore


def add_tournament(db: sa.Connection, over: LoadedTournament, history: Iterable[Written]) -> bool:
    """Record a tournament whose standings are final; return False if it was recorded before."""
    n = add_one(db, tournament, values_of(over) | {"history": pack(history)})
    if n is not None:
        add(db, tournament_account, accounts_of(n, over))
    return n is not None


def values_of(over: LoadedTournament) -> Json:
    """Return what a tournament's own row says, as far as it follows from the history."""
    settings = over.state.settings
    return {
        "id": over.state.id,
        "creator": settings.creator,
        "created": in_ms(over.created),
        "ended": in_ms(over.updated),
        "is_listed": not settings.visibility,
        "version": over.state.version,
        "last_hash": bytes.fromhex(over.hash),
        "head": orjson.dumps(TournamentStore.head(over)).decode(),
    }


def accounts_of(n: int, over: LoadedTournament) -> list[Json]:
    """Return the rows of the accounts that took part in a tournament or organised it."""
    announced, entrants = index.last_announcements(over), index.entered_by(over.state)
    return [
        {
            "tournament": n,
            "account": account,
            "is_entrant": account in entrants,
            "created": in_ms(over.created),
            "announced": announced.get(account),
        }
        for account in sorted({over.state.settings.creator, *entrants, *announced})
    ]


def histories(db: sa.Connection, ids: Iterable[str]) -> Mapping[str, list[Written]]:
    rows = db.execute(
        sa.select(tournament.c.id, tournament.c.history, tournament.c.last_hash).where(
            tournament.c.id.in_([*ids])
        )
    )
    return {some_id: unpack(*packed) for some_id, *packed in rows}


def newest_tournaments(
    db: sa.Connection, which: TournamentFilter, below: Place, limit: int
) -> Heads:
    """Return heads (``Records.newest``) of an entrant's or a creator's, else of all public ones."""
    row = sa.select(tournament.c.created, tournament.c.id, tournament.c.head)
    if which.player:
        row = (
            sa.select(tournament_account.c.created, tournament.c.id, tournament.c.head)
            .join_from(tournament, tournament_account)
            .where(tournament_account.c.account == which.player, tournament_account.c.is_entrant)
        )
    else:
        row = row.where(
            tournament.c.creator == which.creator if which.creator else tournament.c.is_listed
        )
    return heads_of(db, row, below, limit)


def notices_about_tournaments(db: sa.Connection, account: str, since: int) -> set[str]:
    mine = tournament_account.c
    return {
        *db.scalars(
            sa.select(tournament.c.id)
            .join_from(tournament, tournament_account)
            .where(mine.account == account, mine.announced.is_not(None), mine.announced > since)
        )
    }


def tournament_records(database: Database) -> Records:
    return DatabaseRecords(
        database, tournament, histories, newest_tournaments, notices_about_tournaments
    )


class TournamentRecorder:
    """Records the tournaments of a service."""

    def __init__(self, store: TournamentStore, database: Database):
        self.store, self.database = store, database

    def run(self) -> int:
        """Record all tournaments whose standings are final, and log errors; return how many."""
        count = 0
        for raw in self.store.redis.zrange(f"tournaments:{FINISHED}", 0, -1):
            some_id = raw.decode()
            with log_errors(f"{some_id} cannot be recorded", RecordsUnavailable):
                count += self.record(some_id)
        return count

    def record(self, some_id: str) -> bool:
        """Record a tournament once its standings are final; return whether it is new."""
        over = self.store.load(some_id)
        if over.state.status != FINISHED or in_ms(over.final_at or now()) > now_in_ms():
            return False
        history = list(self.store.entries(some_id))
        with self.database.writing() as db:
            is_new = add_tournament(db, over, history)
        self.store.redis.zadd(index.RECORDED, {some_id: now_in_ms()})
        index.leave(self.store.redis, over.state)
        return is_new


class KeptTournaments(Kept[LoadedTournament]):
    """The tournaments that are recorded and still in Redis."""

    keys = (index.RECORDED,)
    store: TournamentStore

    def __init__(self, store: TournamentStore, games: GameStore):
        super().__init__(store)
        self._games = games

    def key(self, some_id: str) -> str:
        return index.RECORDED

    def lists(self, some_id: str) -> list[str]:
        return ["tournaments", *(f"tournaments:{status}" for status in STATUSES)]

    def place(self, known: LoadedTournament) -> None:
        index.project(self.store, known)
        if known.state.status in (OPEN, RUNNING):
            self.redis.zadd(index.DUE, {known.state.id: now_in_ms()}, nx=True)

    def forget(self, known: LoadedTournament) -> None:
        index.forget(self.redis, known)
        self.redis.zrem(index.DUE, known.state.id)

    def wrong_with(self, known: LoadedTournament) -> Iterator[Finding]:
        if not index.is_listed(self.store, known):
            yield Finding("lists-differ", known.state.id, "the list of its status lacks it")
        for fault in _wrong_results(self._games, known):
            yield Finding(*fault)


def _wrong_results(games: GameStore, known: LoadedTournament) -> Iterator[Fault]:
    for paired in known.state.rounds:
        ids = [game_id for table in paired.tables for game_id in table.games[: len(table.results)]]
        for game_id, head in zip(ids, games.heads(ids), strict=True):
            if head is None or head["status"] != GAME_FINISHED:
                yield (
                    "result-differs",
                    known.state.id,
                    (f"it counts {game_id} of round {paired.number}, which is not over"),
                )


class TournamentRows(Projection):
    """The rows of recorded tournaments."""

    def __init__(self, store: TournamentStore, games: Games):
        super().__init__(games)
        self._store, self._broken = store, list[Fault]()

    def differences(self, transaction: Transaction, progress: Progress) -> Iterator[Fault]:
        for db, row, over in self._recorded(self.games.database.reading):
            stored = rows_of(db, tournament_account.c.tournament, [row["n"]])[row["n"]]
            for name, value in values_of(over).items():
                if row[name] != value:
                    yield RECORDS, row["id"], f"its row has another {name}"
            if keyed(tournament_account, stored) != keyed(
                tournament_account, accounts_of(row["n"], over)
            ):
                yield RECORDS, row["id"], f"{tournament_account.name} has other rows"
            yield from _wrong_results(self.games.store, over)
            progress(row["id"])
        yield from self._broken

    def replace(self, db: sa.Connection) -> Iterator[Fault]:
        db.execute(sa.delete(tournament_account))
        for _, row, over in self._recorded(within(db)):
            db.execute(
                sa.update(tournament).where(tournament.c.n == row["n"]).values(values_of(over))
            )
            add(db, tournament_account, accounts_of(row["n"], over))
        yield from self._broken

    def _recorded(
        self, transaction: Transaction
    ) -> Iterator[tuple[sa.Connection, sa.RowMapping, LoadedTournament]]:
        """Yield all recorded tournaments that can be read, and note the others."""
        for db, rows in pages(transaction, sa.select(tournament), [tournament.c.n], AT_ONCE):
            for row in rows:
                try:
                    over = self._store.folded(unpack(row["history"], row["last_hash"]))
                except (BrokenHistory, *UNREADABLE) as error:
                    self._broken.append((BROKEN, row["id"], str(error) or repr(error)))
                    continue
                assert over
                yield db, row, over
