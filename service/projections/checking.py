"""``fogg check``: check every history and every projection.

It only reads, and may run next to the service: an apparent error is checked once more, as somebody
may have played meanwhile.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

from domain.errors import BrokenHistory
from domain.game.state import FINISHED
from service.games import rollbacks
from service.games.games import Games
from service.games.marks import is_marked
from service.projections import PROJECTIONS
from service.projections.projection import REBUILD, Finding, Read, Survey, readable
from service.store.conflicts import Conflict, retry
from service.store.games import GameStore
from service.store.loaded import K, Loaded
from service.store.store import Store
from service.store.tournaments import LoadedTournament
from service.tournaments.tournaments import Tournaments

BATCH = 50  # games that one process reads before it reports
TRIES = 20  # attempts at a game that changes during the check
SETTLED = 1.0  # seconds after an entry by which projections are normally updated

RESTORE = ("restore it from a backup (fogg restore), or the board's table in FOGG_BOARDS; until "
           "then the game is set aside, and the others go on")
TO_DO = {
    "history-broken": RESTORE,
    "head-differs": REBUILD,
    "result-differs": "nothing: the tournament has counted a result that the game has lost, or has "
                      "not come to; it stands",
    "no-workers": "start workers (python -m workers, or with deliveries after it)",
    "bots-wait": "look into workers.log; start workers, or more of them",
}
for each in PROJECTIONS:
    TO_DO.update(each.advice)


@dataclass
class Report:
    """The number of games and tournaments checked, and the errors found. ``gone_back`` are games
    that have lost entries in the last month, and were played on since."""

    games: int = 0
    tournaments: int = 0
    findings: list[Finding] = field(default_factory=list)
    gone_back: list[Finding] = field(default_factory=list)


def check(
    games: Games, tournaments: Tournaments,
    progress: Callable[[Report, int], object] = lambda done, all_games: None,
) -> Report:
    """Check everything. ``progress`` gets the report so far and the number of all games."""
    seen = _Games()
    for survey in seen.surveys.values():
        survey.begin(games.store)
    ids = [*games.store.ids()]
    report = Report()
    for game_id in ids:
        report.games += 1
        report.findings += seen.note(games.store, game_id)
        progress(report, len(ids))
    suspects = [partial(_still, games.store, game_id) for game_id in seen.suspects]
    for tournament_id in tournaments.store.ids():
        report.tournaments += 1
        known, findings = _folded(tournaments.store, tournament_id)
        report.findings += findings
        if known:
            report.findings += _of_results(known, seen)
            suspects.append(partial(_still, tournaments.store, tournament_id))
        progress(report, len(ids))
    time.sleep(SETTLED)
    report.findings += [finding for look in suspects for finding in look()]
    for survey in seen.surveys.values():
        report.findings += survey.findings(games.store, Read(seen.ids, seen.unread))
    report.gone_back += [
        Finding("history-lost", game_id,
                f"went back from version {rollback['previous_version']} to {rollback['version']}, "
                f"found out at {rollback['at']}")
        for game_id, rollback in rollbacks.all_rollbacks(games)]
    return report


@dataclass
class _Games:
    """The games that were read."""

    suspects: list[str] = field(default_factory=list)  # to be checked once more
    ids: set[str] = field(default_factory=set)
    unread: set[str] = field(default_factory=set)  # broken
    over: set[str] = field(default_factory=set)
    surveys: dict[str, Survey] = field(
        default_factory=lambda: {each.name: each.survey() for each in PROJECTIONS})

    def note(self, store: GameStore, game_id: str) -> list[Finding]:
        """Read a game, and note what every projection should hold of it. Return the errors in its
        history."""
        self.ids.add(game_id)
        game, findings = _folded(store, game_id)
        if findings:
            self.unread.add(game_id)
        if game is None:  # unreadable if there are findings, else removed meanwhile
            return findings
        if game.state.status == FINISHED:
            self.over.add(game_id)
        for survey in self.surveys.values():
            survey.note(store, game)
        if any(True for _ in _wrong_with(store, game)):
            self.suspects.append(game_id)
        return findings

    def is_over(self, game_id: str) -> bool:
        """Return whether a game is over, or cannot be read."""
        return game_id in self.over or game_id in self.unread


def _folded(store: Store[K], some_id: str) -> tuple[K | None, list[Finding]]:
    """Return the state of a history, None if it is gone or broken, and the errors in it."""
    try:
        ends = store.ends(some_id)
        known = next(iter(deque(store.fold(some_id), maxlen=1)), None)
        if ends and known and known.state.version < ends[0]:
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
        known = readable(store, some_id)
        findings = list(_wrong_with(store, known)) if known else []
        if findings and head != store.heads([some_id]):
            raise Conflict
        return findings

    try:
        return retry(attempt, TRIES)
    except Conflict:
        return []


def _wrong_with(store: Store, known: Loaded) -> Iterator[Finding]:
    """Yield the errors in the head and the projections of one game or tournament."""
    yield from _of_head(store, known)
    if is_marked(store.redis, known.state.id):  # the sweep will update them within seconds
        return
    for projection in PROJECTIONS:
        if projection.kind == store.kind:
            yield from projection.wrong_with(store, known)


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


def _of_results(known: LoadedTournament, seen: _Games) -> Iterator[Finding]:
    """Yield an error for each result in a tournament whose game is not over."""
    for paired in known.state.rounds:
        for game_id in (game for table in paired.tables
                        for game in table.games[:len(table.results)]):
            if not seen.is_over(game_id):
                yield Finding("result-differs", known.state.id, (
                    f"it counts {game_id} of round {paired.number}, which is not over"))
