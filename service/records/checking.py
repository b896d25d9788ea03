"""``fogg check``: check every history in Redis and in the database, and all that follows from them.

It only reads, and may run next to the service. Redis may change during the check, so an apparent
error there is checked once more. The database is read in one state.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from domain.errors import BrokenHistory
from domain.game.state import FINISHED
from service.errors import Finding, UnknownThing
from service.games import buckets, index, rollbacks
from service.games.clocks import has_deadline
from service.games.games import Games
from service.games.marks import is_marked
from service.records import deriving, keeping
from service.store.conflicts import Conflict, retry
from service.store.games import LoadedGame
from service.store.loaded import K, Loaded
from service.store.store import Store
from service.store.tournaments import LoadedTournament, TournamentStore
from service.tournaments import index as tournaments_index

TRIES = 20  # attempts at a game that changes during the check
SETTLED = 1.0  # seconds after an entry by which lists are normally updated

REBUILD = "fogg rebuild makes it anew from the histories, while the service runs"
RESTORE = ("restore it from a backup (fogg restore), or the board's table in FOGG_BOARDS; until "
           "then the game is set aside, and the others go on")
TO_DO = {
    "not-recorded": "look into recorder.log, and at the database; games under way go on",
    "record-differs": "restore the database or Redis from a backup: the one that is wrong",
    "history-broken": RESTORE,
    "record-broken": "restore the database from a backup; until then the game cannot be read",
    **dict.fromkeys(("head-differs", "lists-differ", "deadline-missing", "records-differ",
                     "statistics-differ", "ratings-differ", "log-lacks"), REBUILD),
    "log-broken": "find out who has changed the table log, and put it back from a backup: who "
                  "holds heads of the log finds it out as well",
    "result-differs": "nothing: the tournament has counted a result that the game has lost, or has "
                      "not come to; it stands",
    "no-workers": "start workers (python -m workers, or with deliveries after it)",
    "bots-wait": "look into workers.log; start workers, or more of them",
}


@dataclass
class Report:
    """The number of games and tournaments checked, and the errors found. ``gone_back`` are games
    that have lost entries in the last month, and were played on since."""

    games: int = 0
    tournaments: int = 0
    findings: list[Finding] = field(default_factory=list)
    gone_back: list[Finding] = field(default_factory=list)

    def count(self, kind: str) -> None:
        """Count one more ``game`` or ``tournament``."""
        setattr(self, f"{kind}s", getattr(self, f"{kind}s") + 1)


def check(
    games: Games, progress: Callable[[Report], object] = lambda report: None
) -> Report:
    """Check everything. ``progress`` gets the report so far."""
    report = Report()

    def of_tournament(known: LoadedTournament) -> None:
        report.findings += _of_results(games, known)

    of_games, of_tournaments = keeping.all_kept(games)
    seen = {*_check_histories(of_games, report, progress, lambda game: None),
            *_check_histories(of_tournaments, report, progress, of_tournament)}
    report.findings += _unknown_in_lists(games, {*games.store.ids()})
    _check_records(games, report, seen, progress)
    report.findings += keeping.findings(games)
    report.gone_back += [
        Finding("history-lost", game_id,
                f"went back from version {rollback['previous_version']} to {rollback['version']}, "
                f"found out at {rollback['at']}")
        for game_id, rollback in rollbacks.all_rollbacks(games)]
    return report


# Redis


def _check_histories(
    kept: keeping.Kept[K], report: Report, progress: Callable[[Report], object],
    more: Callable[[K], object],
) -> set[str]:
    """Check the histories of one kind that are in Redis and not recorded, and all that follows from
    each there; return their ids."""
    store, suspects = kept.store, list[str]()
    ids = {*store.ids()}.difference(kept.noted())
    for some_id in ids:
        known, findings = _folded(store, some_id)
        report.findings += findings
        if known:
            more(known)
            if any(True for _ in _wrong_with(store, known)):
                suspects.append(some_id)
        report.count(store.kind)
        progress(report)
    if suspects:
        time.sleep(SETTLED)
    report.findings += [finding for some_id in suspects for finding in _still(store, some_id)]
    return ids


def _folded(store: Store[K], some_id: str) -> tuple[K | None, list[Finding]]:
    """Return the state of a history, None if it is gone or broken, and the errors in it."""
    try:
        version, _ = store.ends([some_id]).get(some_id, (0, ""))
        known = store.folded(store.entries(some_id))
        if known and known.state.version < version:
            raise BrokenHistory(known.state.version + 1, "an entry is missing")
        if known and known.state.id != some_id:
            raise BrokenHistory(1, f"it is the history of {known.state.id}")
    except BrokenHistory as error:
        return None, [Finding("history-broken", some_id, str(error))]
    return known, []


def _still(store: Store, some_id: str) -> Iterable[Finding]:
    """Return the errors that a game or tournament has if it is read again while nobody changes it.
    """
    def attempt() -> list[Finding]:
        head = store.heads([some_id])
        try:
            findings = [*_wrong_with(store, store.load(some_id))]
        except (UnknownThing, BrokenHistory):
            return []
        if findings and head != store.heads([some_id]):
            raise Conflict
        return findings

    try:
        return retry(attempt, TRIES)
    except Conflict:
        return []


def _wrong_with(store: Store, known: Loaded) -> Iterator[Finding]:
    """Yield the errors in the head and the lists of one game or tournament."""
    some_id, redis = known.state.id, store.redis
    yield from _of_head(store, known)
    if isinstance(store, TournamentStore) and isinstance(known, LoadedTournament):
        if not tournaments_index.is_listed(store, known):
            yield Finding("lists-differ", some_id, "the list of its status lacks it")
    elif isinstance(known, LoadedGame) and not is_marked(redis, some_id):
        # the lists of a marked game are updated by the sweep within seconds
        if keys := index.wrong_places(redis, known):
            yield Finding("lists-differ", some_id, f"{', '.join(keys)} say otherwise")
        if has_deadline(known) and (
                redis.zscore(buckets.key(some_id, "deadlines"), some_id) is None):
            yield Finding("deadline-missing", some_id, "nobody looks at its clock")


def _of_head(store: Store, known: Loaded) -> Iterator[Finding]:
    [head] = store.heads([known.state.id])
    expected = store.head(known)
    if head is None:
        yield Finding("head-differs", known.state.id, "lists know nothing of it")
    elif head["version"] != known.state.version:
        yield Finding("head-differs", known.state.id, (
            f"lists show version {head['version']}, it is at {known.state.version}"))
    elif head != expected:
        names = sorted(name for name in head.keys() | expected.keys()
                       if head.get(name) != expected.get(name))
        yield Finding("head-differs", known.state.id, f"lists show another {', '.join(names)}")


def _unknown_in_lists(games: Games, known: set[str]) -> Iterator[Finding]:
    """Yield an error for each game that a list has and that has no history."""
    for key in index.all_lists(games.redis):
        for game_id in sorted(index.games_in(games.redis, key) - known):
            if not games.store.has(game_id) and not is_marked(games.redis, game_id):
                yield Finding("lists-differ", game_id, f"{key} has it, and it has no history")


def _of_results(games: Games, known: LoadedTournament) -> Iterator[Finding]:
    """Yield an error for each result in a tournament whose game is not over."""
    for paired in known.state.rounds:
        ids = [game_id for table in paired.tables for game_id in table.games[:len(table.results)]]
        for game_id, head in zip(ids, games.store.heads(ids), strict=True):
            if head is None or head["status"] != FINISHED:
                yield Finding("result-differs", known.state.id, (
                    f"it counts {game_id} of round {paired.number}, which is not over"))


# The database


def _check_records(
    games: Games, report: Report, seen: set[str], progress: Callable[[Report], object]
) -> None:
    """Check what is recorded. ``seen`` are the histories that were counted already."""
    def count(some_id: str, kind: str = "game") -> None:
        if some_id not in seen:
            report.count(kind)
            progress(report)

    def look(over: LoadedTournament) -> None:
        count(over.state.id, "tournament")
        report.findings += _of_results(games, over)

    with games.database.reading() as db:
        faults = deriving.differences(db, games, count, look)
    report.findings += [Finding(*fault) for fault in faults]
