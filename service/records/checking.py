"""``fogg check``: check every history in Redis and in the database, and all that follows from them.

It only reads, and may run next to the service. Redis and the database may change during the check,
so an apparent error is checked once more.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from domain.errors import BrokenHistory
from service.errors import Finding, UnknownThing
from service.eventlog.loaded import K, Loaded
from service.eventlog.store import Store
from service.games import index, rollbacks
from service.games.games import Games
from service.games.marks import is_marked
from service.records import deriving, keeping
from service.redis.conflicts import Conflict, retry

TRIES = 20  # attempts at a game that changes during the check
SETTLED = 1.0  # seconds after an entry by which lists are normally updated

REBUILD = "fogg rebuild makes it anew from the histories, while the service runs"
RESTORE = (
    "restore it from a backup (fogg restore), or the board's table in FOGG_BOARDS; until "
    "then the game is set aside, and the others go on"
)
TO_DO = {
    "not-recorded": "look into recorder.log, and at the database; games under way go on",
    "record-differs": "restore the database or Redis from a backup: the one that is wrong",
    "history-broken": RESTORE,
    "record-broken": "restore the database from a backup; until then the game cannot be read",
    **dict.fromkeys(
        (
            "head-differs",
            "lists-differ",
            "deadline-missing",
            "records-differ",
            "statistics-differ",
            "ratings-differ",
            "log-lacks",
        ),
        REBUILD,
    ),
    "log-broken": "find out who has changed the table log, and put it back from a backup: who "
    "holds heads of the log finds it out as well",
    "result-differs": "nothing: the tournament has counted a result that the game has lost, or has "
    "not come to; it stands",
    "no-workers": "start workers (python -m workers, or with deliveries after it)",
    "bots-wait": "look into workers.log; start workers, or more of them",
}


@dataclass
class Report:
    """How many histories of each kind were checked, and the errors found. ``gone_back`` are games
    that have lost entries in the last month, and were played on since."""

    counts: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    gone_back: list[Finding] = field(default_factory=list)


def check(games: Games, progress: Callable[[Report], object] = lambda report: None) -> Report:
    """Check everything. ``progress`` gets the report so far."""
    report = Report(Counter({kept.store.kind: 0 for kept in games.kept}))
    seen = {some_id for kept in games.kept for some_id in _check_histories(kept, report, progress)}
    report.findings += _unknown_in_lists(games, {*games.store.ids()})
    _check_records(games, report, seen, progress)
    report.findings += keeping.findings(games)
    report.gone_back += [
        Finding(
            "history-lost",
            game_id,
            f"went back from version {rollback['previous_version']} to {rollback['version']}, "
            f"found out at {rollback['at']}",
        )
        for game_id, rollback in rollbacks.all_rollbacks(games)
    ]
    return report


def _check_histories(
    kept: keeping.Kept[K], report: Report, progress: Callable[[Report], object]
) -> set[str]:
    """Check the histories of a kind that only Redis has, and their lists; return their ids."""
    store, suspects = kept.store, list[str]()
    ids = {*store.ids()}.difference(kept.noted())
    for some_id in ids:
        known, findings = _folded(store, some_id)
        report.findings += findings
        if known and any(True for _ in _wrong_with(kept, known)):
            suspects.append(some_id)
        report.counts[store.kind] += 1
        progress(report)
    if suspects:
        time.sleep(SETTLED)
    report.findings += [finding for some_id in suspects for finding in _still(kept, some_id)]
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


def _still(kept: keeping.Kept, some_id: str) -> Iterable[Finding]:
    """Return the errors that a history has if it is read again while nobody changes it."""
    store = kept.store

    def attempt() -> list[Finding]:
        head = store.heads([some_id])
        try:
            findings = [*_wrong_with(kept, store.load(some_id))]
        except (UnknownThing, BrokenHistory):
            return []
        if findings and head != store.heads([some_id]):
            raise Conflict
        return findings

    try:
        return retry(attempt, TRIES)
    except Conflict:
        return []


def _wrong_with(kept: keeping.Kept[K], known: K) -> Iterator[Finding]:
    yield from _of_head(kept.store, known)
    yield from kept.wrong_with(known)


def _of_head(store: Store, known: Loaded) -> Iterator[Finding]:
    [head] = store.heads([known.state.id])
    expected = store.head(known)
    if head is None:
        yield Finding("head-differs", known.state.id, "lists know nothing of it")
    elif head["version"] != known.state.version:
        yield Finding(
            "head-differs",
            known.state.id,
            (f"lists show version {head['version']}, it is at {known.state.version}"),
        )
    elif head != expected:
        names = sorted(
            name for name in head.keys() | expected.keys() if head.get(name) != expected.get(name)
        )
        yield Finding("head-differs", known.state.id, f"lists show another {', '.join(names)}")


def _unknown_in_lists(games: Games, known: set[str]) -> Iterator[Finding]:
    """Yield an error for each game that a list has and that has no history."""
    for key in index.all_lists(games.redis):
        for game_id in sorted(index.games_in(games.redis, key) - known):
            if not games.store.has(game_id) and not is_marked(games.redis, game_id):
                yield Finding("lists-differ", game_id, f"{key} has it, and it has no history")


def _check_records(
    games: Games, report: Report, seen: set[str], progress: Callable[[Report], object]
) -> None:
    """Check what is recorded. ``seen`` are the histories that were counted already."""

    def count(some_id: str) -> None:
        if some_id not in seen:
            seen.add(some_id)
            report.counts[games.store_of(some_id).kind] += 1
            progress(report)

    report.findings += [Finding(*fault) for fault in deriving.differences(games, count)]
