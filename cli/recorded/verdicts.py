"""Verdicts on recorded games, computed on all processors, and compared with the log."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import cache
from itertools import chain, islice

from cli.processes import processes
from cli.recorded.games import RecordedGame, read
from cli.recorded.sources import Twice, Unreadable, decode, lines_of, open_source
from domain.boards import boards_by_digest
from domain.game.proof import Verdict, finished
from domain.log import Head, Log

BATCH_BYTES = 1 << 20  # bytes of games sent to another process at once

_boards = cache(boards_by_digest)


def verdict_row(game: RecordedGame, result: Verdict) -> dict:
    row = {"source": game.source, "game": result.game, "ok": result.wrong is None}
    if result.wrong:
        return row | game.fault(result.wrong)
    row |= {"version": result.version, "hash": result.hash}
    if result.unknown:
        row["unknown"] = [*result.unknown]
    return row | ({"log_head": result.log_head._asdict()} if result.log_head else {})


def verdicts(
    sources: Iterable[str],
    folders: tuple[str, ...] = (),
    jobs: int = 1,
    progress: Callable[[str, int], None] = lambda source, position: None,
) -> Iterator[dict]:
    """Yield a verdict as JSON for every game in the sources, in their order.

    Reading stays only a few batches ahead. ``progress`` is called with the position in the source.
    """
    batches = _batches(
        game
        for source in sources
        for game in read(source, lambda at, source=source: progress(source, at))
    )
    first = list(islice(batches, 2))
    if jobs == 1 or len(first) < 2:  # starting processes would take longer
        for batch in chain(first, batches):
            yield from _rows(batch, folders)
        return
    batches = chain(first, batches)
    with processes(jobs) as pool:
        under_way = [pool.submit(_rows, batch, folders) for batch in islice(batches, 2 * jobs)]
        while under_way:
            yield from under_way.pop(0).result()
            under_way += [pool.submit(_rows, batch, folders) for batch in islice(batches, 1)]


def _rows(batch: list[RecordedGame], folders: tuple[str, ...]) -> list[dict]:
    return [verdict_row(game, finished(_boards(folders), game.entries())) for game in batch]


def _batches(games: Iterable[RecordedGame]) -> Iterator[list[RecordedGame]]:
    """Group games into batches that are large enough to be sent to another process."""
    batch: list[RecordedGame] = []
    for lines in games:
        batch.append(lines)
        if sum(one.size for one in batch) >= BATCH_BYTES or len(batch) >= 64:
            yield batch
            batch = []
    if batch:
        yield batch


def read_log(source: str) -> Log:
    """Read a source as a log and check it. Raise Unreadable if it cannot be read, BrokenLog if it
    is no valid log."""
    log = Log()
    with closing(open_source(source)) as stream:
        for number, line in lines_of(stream):
            if line is not None and not line.strip():
                continue
            try:
                line_value = decode((line or b"").decode())
            except (ValueError, RecursionError, Twice) as error:
                raise Unreadable("not-json", f"line {number} is no JSON text") from error
            log.add(line_value)
    return log


def against(row: dict, log: Log) -> dict:
    """Return the verdict on a history that passed its own checks, given the log."""
    began_after = Head(**row["log_head"]) if "log_head" in row else None
    reason = log.wrong_with(row["game"], row["hash"], began_after) if row["ok"] else None
    return row | {"ok": False, "code": "not-in-log", "reason": reason} if reason else row
