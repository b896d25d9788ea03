"""Move finished games to the archive when they are old, or take too much memory. Remove games that
were never played.

A game is removed from Redis only after it was read back from the archive, and only if it still ends
with the same entry as there. If a run dies, the game is in Redis, in the archive, or in both, and
the next run goes on. A segment that Redis does not refer to is left in the archive.

``fogg:archive``  a lock: one run at a time
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import orjson

from domain.boards import parse
from domain.errors import BrokenHistory, FoggError
from domain.game.state import FINISHED, State
from service import settings
from service.games.marks import is_marked
from service.projections import projecting
from service.store.archive import Place
from service.store.batches import batches_of
from service.store.cores import Cores, GoOn, in_turn
from service.store.games import GameHead, GameStore
from service.store.locks import locked
from service.store.packing import Written
from service.store.segments import Row, Writer
from service.times import in_ms, now_in_ms

MAX_GAMES = 1000  # games in a segment, at most
MIN_GAMES = 250  # games in a segment, at least, where more than one process archives
HEADS = 200  # heads, or sizes, read at a time
ROOM = 0.75  # share of the memory limit that finished games keep after it was exceeded
# LOCK_S is in seconds. A run renews its lock; the lock of a killed run ends after that time.
LOCK, LOCK_S = "fogg:archive", 15
DAY = 86_400_000  # milliseconds
ACTION = b'{"action":'  # the start of the text of an entry with a player's action


@dataclass
class Report:
    """The progress of a run: the number of games archived, the number of unplayed games removed,
    and the games that stay because of an error: id -> reason."""

    archived: int = 0
    forgotten: int = 0
    wrong: dict[str, str] = field(default_factory=dict)


Progress = Callable[[Report], object]


def days_in_redis() -> float:
    """Return the number of days after which a finished game is archived."""
    return settings.ARCHIVE_DAYS.value()


def days_unplayed() -> float:
    """Return the number of days after which a game is removed that was aborted before anybody
    played."""
    return settings.FORGET_DAYS.value()


def bytes_in_redis() -> float:
    """Return how many bytes of Redis' memory finished games may take; beyond that, the oldest are
    archived sooner."""
    return settings.ARCHIVE_MB.value() * 1e6


def run(
    store: GameStore, days: float | None = None, least: int = 1,
    say: Progress = lambda report: None, cores: Cores | None = None,
) -> Report:
    """Archive the games that ended ``days`` ago, once there are ``least`` of them or one has been
    due for a day. If finished games take too much of Redis' memory, also archive the oldest of the
    others. Remove games that were never played. With ``cores``, several processes archive.

    Without an archive, only remove unplayed games. Raise Busy if another run is active, ArchiveDown
    if the archive cannot be written."""
    report = Report()
    with locked(store.redis, LOCK, LOCK_S) as go_on:
        old = now_in_ms() - (days_in_redis() if days is None else days) * DAY
        unplayed = now_in_ms() - days_unplayed() * DAY
        finished: list[tuple[int, str]] = []
        for head in _finished_heads(store, go_on):
            ended = in_ms(head["updated"])
            if ended < unplayed and _may_be_unplayed(head) and _forget(store, head["id"]):
                report.forgotten += 1
            else:
                finished.append((ended, head["id"]))
        if store.archive.is_there:
            finished.sort()
            ids = [game_id for _, game_id in finished]
            due = sum(ended < old for ended, _ in finished)
            if due < least and not any(ended < old - DAY for ended, _ in finished[:1]):
                due = 0
            due = max(due, _too_many(store, ids, go_on))
            segments = batches_of(_games_in_segment(due, cores), ids[:due])
            spread = cores.spread if cores else in_turn
            for part in spread(store, _archive, segments, go_on):
                report.archived += part.archived
                report.wrong |= part.wrong
                say(report)
            go_on()
            projecting.archive(store, int(max([old, *(ended for ended, _ in finished[:due])])))
    return report


def _games_in_segment(due: int, cores: Cores | None) -> int:
    """Return the number of games per segment, so that no process is idle. It is some hundreds at
    least, as large segments take less space per game."""
    share = -(-due // cores.count) if cores else due
    return min(MAX_GAMES, max(MIN_GAMES, share))


def _too_many(store: GameStore, ids: Sequence[str], go_on: Callable[[], object]) -> int:
    """Return how many of these games, the oldest first, have to be archived to respect the memory
    limit for finished games."""
    sizes: list[int] = []
    for some in batches_of(HEADS, ids):
        go_on()
        sizes += store.sizes(some)
    most, left = bytes_in_redis(), sum(sizes)
    if left <= most:
        return 0
    for count, size in enumerate(sizes, 1):
        left -= size
        if left <= most * ROOM:
            return count
    return len(sizes)


def _finished_heads(store: GameStore, go_on: Callable[[], object]) -> Iterator[GameHead]:
    """Yield the heads of the finished games that Redis has."""
    for ids in batches_of(HEADS, store.ids_here()):
        go_on()
        for head in store.heads(ids):
            if head and head["status"] == FINISHED:
                yield head


# The archive


def _archive(store: GameStore, ids: Iterable[str], go_on: GoOn) -> Report:
    """Archive games in one segment."""
    writer, count, report = Writer(), 0, Report()
    for game_id in ids:
        try:
            count += _add(store, writer, game_id)
        except (BrokenHistory, ValueError) as error:
            report.wrong[game_id] = str(error)
        go_on()
    for row, place in store.archive.put(writer) if count else ():
        report.archived += _remove(store, row, place)
        go_on()
    return report


def _add(store: GameStore, writer: Writer, game_id: str) -> bool:
    """Add a game to a segment; return False if it is not in Redis any more. Raise ValueError if its
    entries do not match their hashes."""
    history = list(store.entries(game_id))
    head, is_imported = store.heads([game_id])[0], bool(store.imported([game_id]))
    if not history or head is None or store.place(game_id) or is_marked(store.redis, game_id):
        return False  # a marked game is not in every list yet
    if head["version"] != len(history):
        raise ValueError(f"it has {len(history)} entries, and {head['version']} in lists")
    board = store.before(orjson.loads(history[0][0])).state.board
    writer.add(game_id, board, history, is_imported)
    return True


def _remove(store: GameStore, row: Row, place: Place) -> bool:
    return store.remove(row.game, (row.version, row.hash), place)


# Unplayed games


def is_unplayed(state: State) -> bool:
    """Return whether a game is over without a result. Games of tournaments do not count, as these
    still refer to them."""
    return state.status == FINISHED and not state.results and state.tournament is None


def _may_be_unplayed(head: GameHead) -> bool:
    return not any("total" in seat for seat in head["seats"])


def _forget(store: GameStore, game_id: str) -> bool:
    """Remove a game from Redis and from all lists, if nobody has played in it; return whether it
    was removed."""
    try:
        game, history = store.load(game_id), list(store.entries(game_id))
    except BrokenHistory:
        return False
    is_ours = not store.imported([game_id])
    if not is_ours or not is_unplayed(game.state) or any(
            text.startswith(ACTION) for text, _ in history):
        return False
    projecting.forget(store.redis, game.state)  # first, so that every listed game has a history
    return store.remove(game_id, (game.state.version, game.hash), None)


# Games that Redis has lost


def find(
    store: GameStore, say: Callable[[int], object] = lambda done: None,
    say_damaged: Callable[[str, str], object] = lambda name, reason: None,
) -> int:
    """Store the place of every archived game that is missing in Redis; return their number. Call
    ``say_damaged`` with the name of each damaged segment and the reason."""
    count = 0
    for segment in store.archive.everything():
        for reason in segment.damage:
            say_damaged(segment.name, reason)
        for table in segment.tables:
            try:
                store.keep_table(parse(orjson.dumps(table).decode()))
            except FoggError as error:
                say_damaged(segment.name, f"a board's table in it cannot be read: {error}")
        for row, place in segment.games:
            if not store.is_id(row.game) or store.has(row.game):
                continue
            if segment.damage and not _is_of(row.game, store.archive.history(place)):
                say_damaged(segment.name,
                            f"its index has the history of another game as {row.game}")
            elif store.locate(row.game, place, row.is_imported):
                count += 1
                say(count)
    return count


def _is_of(game_id: str, history: list[Written]) -> bool:
    return b'"game":"%s"' % game_id.encode() in history[0][0]
