"""Whether all that is stored is right: every history, and whatever is derived from it.

It only reads, and may while the service runs: what seems wrong since somebody plays is looked at
once more.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any

from domain.errors import BrokenHistory
from domain.game.state import FINISHED
from service.errors import ArchiveDown, UnknownThing
from service.games import buckets, index, losses
from service.games.clocks import has_deadline
from service.games.games import Games
from service.games.sight import is_deal_over, is_duplicate
from service.projections import log, ratings, statistics, tallies
from service.projections.ledger import Ledger
from service.store.archive import has_digest
from service.store.cores import Cores, GoOn, batches_of, in_turn
from service.store.games import GameStore, KnownGame
from service.store.known import Known
from service.store.log import GameLog
from service.store.store import Store
from service.store.tournaments import KnownTournament
from service.tournaments import index as tournaments_index
from service.tournaments.tournaments import Tournaments

AT_ONCE = 50  # games that one process reads before it reports
TRIES = 20  # how often something is looked at that moves on meanwhile
SETTLED = 1.0  # seconds after which what is derived of an entry is there, if all is well

RESTORE = ("restore it from a backup (fogg restore), or the board's table in FOGG_BOARDS; until "
           "then the game is set aside, and the others go on")
REBUILD = "fogg rebuild makes it anew from the histories, while the service runs"
TO_DO = {
    "history-broken": RESTORE,
    "archive-unavailable": "let the archive that FOGG_ARCHIVE names be read, and check again",
    "archive-damaged": "put the file back from a copy of the archive: the games in it that are "
                       "whole are still read, but fogg archive --find needs all of it",
    "head-differs": REBUILD,
    "lists-differ": REBUILD,
    "deadline-missing": REBUILD,
    "statistics-differ": REBUILD,
    "ratings-differ": REBUILD,
    "log-lacks": REBUILD,
    "log-broken": "find out who has changed the list in Redis, and put it back from a backup: who "
                  "holds heads of the log finds it out as well",
    "result-differs": "nothing: the tournament has counted a result that the game has lost, or has "
                      "not come to; it stands",
    "no-workers": "start workers (python -m workers, or with deliveries after it)",
    "bots-wait": "look into workers.log; start workers, or more of them",
}


@dataclass(frozen=True)
class Finding:
    """Something that is wrong: what, with which game, tournament or list, and why."""

    code: str
    where: str
    reason: str


@dataclass
class Report:
    """What was looked at, and what is wrong; beside, the games that have gone back lately, which
    were played on since."""

    games: int = 0
    tournaments: int = 0
    archived: int = 0
    findings: list[Finding] = field(default_factory=list)
    gone_back: list[Finding] = field(default_factory=list)


def check(
    games: Games, tournaments: Tournaments, progress: Callable[[Report], object] = lambda _: None,
    cores: Cores | None = None,
) -> Report:
    """Look at everything; return what was found. With ``cores``, several processes read games."""
    report, seen = Report(), _Games(games)
    spread = cores.spread if cores else in_turn
    for part in spread(games.store, _look, batches_of(AT_ONCE, games.store.ids())):
        report.games += part.games
        report.archived += part.in_segments.total()
        report.findings += part.findings
        seen.add(part)
        progress(report)
    suspects = [partial(_still, games.store, game_id, partial(_derived, games.store))
                for game_id in seen.of.suspects]
    for tournament_id in tournaments.store.ids():
        report.tournaments += 1
        known, findings = _folded(tournaments.store, tournament_id)
        report.findings += findings
        if known:
            report.findings += _of_results(known, seen)
            suspects.append(partial(_still, tournaments.store, tournament_id,
                                    partial(_of_tournament, tournaments)))
        progress(report)
    report.findings += _of_segments(games.store, seen.of.in_segments)
    time.sleep(SETTLED)
    report.findings += [finding for look in suspects for finding in look()]
    report.findings += seen.all_together()
    report.gone_back += [
        Finding("history-lost", game_id, f"went back from version {loss['was']} to "
                                         f"{loss['version']}, found out at {loss['at']}")
        for game_id, loss in losses.all_losses(games)]
    return report


@dataclass
class _Part:
    """What was seen of some games."""

    games: int = 0
    findings: list[Finding] = field(default_factory=list)
    suspects: list[str] = field(default_factory=list)  # that are to be looked at once more
    in_segments: Counter[str] = field(default_factory=Counter)  # games that lie in each
    ids: set[str] = field(default_factory=set)
    unread: set[str] = field(default_factory=set)  # what these add up to is not known
    over: set[str] = field(default_factory=set)
    counted: set[str] = field(default_factory=set)
    counts: Counter[str] = field(default_factory=Counter)
    rated: set[str] = field(default_factory=set)
    ended: dict[str, str] = field(default_factory=dict)  # that belong in the log -> last hashes

    def note(self, store: GameStore, game_id: str) -> None:
        """Read a game, and note what it adds to what is derived of all."""
        self.games += 1
        self.ids.add(game_id)
        if place := store.place(game_id):
            self.in_segments[place.segment] += 1
        game, findings = _folded(store, game_id)
        self.findings += findings
        if findings:
            self.unread.add(game_id)
        if game is None:  # it cannot be read, if something was found, or is gone by now
            return
        state = game.state
        if state.status == FINISHED:
            self.over.add(game_id)
        is_sealed = is_duplicate(state) and not is_deal_over(store, state.deal)
        if statistics.is_counted(state) and not is_sealed:
            self.counted.add(game_id)
            self.counts.update(statistics.counts_of(state))
            self.counts.update(tallies.flat(tallies.tallies_of(game).items()))
        if ratings.rated_game_in(store, game):
            self.rated.add(game_id)
        if log.is_logged(state) and not store.imported([game_id]):
            self.ended[game_id] = game.hash
        if any(True for _ in _derived(store, game)):
            self.suspects.append(game_id)


def _look(store: GameStore, game_ids: Iterable[str], go_on: GoOn) -> _Part:
    """Read some games."""
    part = _Part()
    for game_id in game_ids:
        part.note(store, game_id)
        go_on()
    return part


def _folded(store: Store, some_id: str) -> tuple[Known | None, list[Finding]]:
    """Return what a history leads to, None if it is gone, or broken; and what is wrong with it."""
    try:
        ends = store.ends(some_id)
        known = next(iter(deque(store.fold(some_id), maxlen=1)), None)
        if ends and known and known.state.version < ends[0]:
            raise BrokenHistory(known.state.version + 1, "an entry is missing")
        if known and known.state.id != some_id:
            raise BrokenHistory(1, f"it is the history of {known.state.id}")
    except BrokenHistory as error:
        return None, [Finding("history-broken", some_id, str(error))]
    except ArchiveDown as error:
        return None, [Finding(error.code, some_id, str(error))]
    return known, []


def _of_segments(store: GameStore, in_segments: Counter[str]) -> Iterable[Finding]:
    """Return what is wrong with the files of the archive, given how many games Redis reads from
    each. Their games are looked at one by one (``_folded``)."""
    findings = []
    try:
        for found in store.archive.everything(read_games=False):
            findings += [Finding("archive-damaged", found.name, why) for why in found.damage]
            if not found.damage and not has_digest(found.name):
                known = store.places([row.game for row, _ in found.games])
                same = sum(place == other
                           for (_, place), other in zip(found.games, known, strict=True))
                if same < in_segments[found.name]:
                    findings.append(Finding("archive-damaged", found.name, (
                        f"{in_segments[found.name] - same} games are not where its index says")))
    except ArchiveDown as error:
        findings.append(Finding(error.code, "FOGG_ARCHIVE", str(error)))
    return findings


def _still(
    store: Store, some_id: str, look: Callable[[Any], Iterable[Finding]]
) -> Iterable[Finding]:
    """Return what is found in something as it is now, while nobody changes it."""
    for _ in range(TRIES):
        head = store.heads([some_id])
        known = _loaded(store, some_id)
        found = list(look(known)) if known else []
        if not found or head == store.heads([some_id]):
            return found
    return []


def _loaded(store: Store, some_id: str) -> Any:
    """Return something as it is now, None if it is gone or cannot be read."""
    try:
        return store.load(some_id)
    except (UnknownThing, BrokenHistory, ArchiveDown):
        return None


class _Games:
    """What was seen of all games, and what is derived of them together."""

    def __init__(self, games: Games):
        self._games, self._store, self.of = games, games.store, _Part()
        self._filed_before = self._filed()

    def add(self, part: _Part) -> None:
        """Add what was seen of some games."""
        for item in fields(_Part):
            if item.name not in ("games", "findings"):  # which are the report's
                mine, more = getattr(self.of, item.name), getattr(part, item.name)
                mine.extend(more) if isinstance(mine, list) else mine.update(more)

    def is_over(self, game_id: str) -> bool:
        """Return whether a game is over, or cannot be read."""
        return game_id in self.of.over or game_id in self.of.unread

    def all_together(self) -> Iterator[Finding]:
        """Yield what is wrong with what is derived of all games together."""
        yield from self._strangers()
        yield from self._of_statistics()
        yield from self._of_ratings()
        yield from self._of_log()

    def _strangers(self) -> Iterator[Finding]:
        for key, game_ids in index.strangers(self._games.redis, self.of.ids):
            for game_id in game_ids:
                if not self._store.has(game_id) and not _is_marked(self._store, game_id):
                    yield Finding("lists-differ", game_id, f"{key} has it, and it has no history")

    def _filed(self) -> set[str]:
        return {member.decode() for member, _ in self._games.redis.zscan_iter(statistics.GAMES)}

    def _of_statistics(self) -> Iterator[Finding]:
        filed = self._filed()
        waiting = {game.decode() for game in self._games.redis.hkeys(statistics.WAITING)}
        for game_id in sorted(self.of.counted - filed - waiting):
            yield Finding("statistics-differ", game_id, "it is not counted")
        for game_id in sorted(filed - self.of.counted - self.of.unread):
            game = _loaded(self._store, game_id)  # it may be over by now
            if game is None or not statistics.is_counted(game.state):
                yield Finding("statistics-differ", game_id, "it is counted, and should not be")
        if filed == self._filed_before == self.of.counted:  # else nobody knows what was meanwhile
            counts = {name: count for name, count in self.of.counts.items() if count}
            redis = self._games.redis
            there = statistics.all_counts(redis) | tallies.all_tallies(redis)
            wrong = sorted(counts.items() ^ there.items())
            if wrong:
                names = ", ".join(sorted({name for name, _ in wrong})[:5])
                yield Finding("statistics-differ", statistics.COUNTS, f"wrong counts: {names}")

    def _of_ratings(self) -> Iterator[Finding]:
        ledger = Ledger(self._games.redis)
        waiting = {game.id for game in ledger.waiting_games()}
        counted = ledger.counted_ids()
        waiting |= {game.id for game in ledger.waiting_games()}  # some may have come back
        for game_id in sorted(self.of.rated - waiting - counted):
            yield Finding("ratings-differ", game_id, "it is not rated")
        for game_id in sorted((waiting | counted) - self.of.rated - self.of.unread):
            game = _loaded(self._store, game_id)
            is_early = game_id in waiting  # what waits is looked at once it is to be counted
            if game is None or not (is_early or ratings.rated_game_in(self._store, game)):
                yield Finding("ratings-differ", game_id, "it is rated, and should not be")

    def _of_log(self) -> Iterator[Finding]:
        waiting = {game.game for game in GameLog(self._games.redis).waiting()}
        for where, reason in log.wrong(self._games.redis, self.of.ended):
            if where not in self.of.ended:
                yield Finding("log-broken", where, reason)
            elif where not in waiting and not _is_marked(self._store, where):
                game = _loaded(self._store, where)  # it may have gone back
                if game and game.hash == self.of.ended[where]:
                    yield Finding("log-lacks", where, reason)


def _derived(store: GameStore, game: KnownGame) -> Iterator[Finding]:
    """Yield what is wrong with what is derived of one game alone."""
    game_id = game.state.id
    yield from _of_head(store, game)
    if _is_marked(store, game_id):  # the sweep is to file it within seconds
        return
    if keys := index.wrong_places(store.redis, game):
        yield Finding("lists-differ", game_id, f"{', '.join(keys)} say otherwise")
    deadline = store.redis.zscore(buckets.key(game_id, "deadlines"), game_id)
    if has_deadline(game) and deadline is None:
        yield Finding("deadline-missing", game_id, "nobody looks at its clock")


def _is_marked(store: GameStore, game_id: str) -> bool:
    return bool(store.redis.hexists(buckets.key(game_id, "unfiled"), game_id))


def _of_head(store: Store, known: Known) -> Iterator[Finding]:
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


def _of_tournament(tournaments: Tournaments, found: KnownTournament) -> Iterator[Finding]:
    """Yield what is wrong with what is derived of a tournament."""
    yield from _of_head(tournaments.store, found)
    if not tournaments_index.is_filed(tournaments.store, found):
        yield Finding("lists-differ", found.state.id, "the list of its status lacks it")


def _of_results(known: KnownTournament, seen: _Games) -> Iterator[Finding]:
    """Yield the results that a tournament counts, of games that are not over."""
    for paired in known.state.rounds:
        for game_id in (game for table in paired.tables
                        for game in table.games[:len(table.results)]):
            if not seen.is_over(game_id):
                yield Finding("result-differs", known.state.id, (
                    f"it counts {game_id} of round {paired.number}, which is not over"))
