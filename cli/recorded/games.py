"""The games of a source of histories, read with care.

A history has one entry in each line. A source may hold many histories, or a whole game in each
line, as ``fogg export --histories`` writes them. It may be compressed with gzip, or be the
archive.zip of a tournament. Reading takes bounded memory and ends, for any content: lines, games
and unpacked sources have a maximum size.
Codes in addition to those of ``domain.game.proof``:

another-format the source holds something else than histories unreadable the source cannot be opened
or read to its end not-json a line is no JSON text, or holds what JSON does not allow
duplicate-member an object has a member twice too-large a line, a game, or what a compressed source
unpacks to empty there is no entry
"""

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from cli.recorded import sources
from domain.game.proof import Wrong

MAX_GAME_BYTES = 64 << 20  # bytes in a game
MAX_GAME_LINES = 100_000  # lines in a game
ANOTHER = (
    "another-format",
    f"this is another format: a history has an entry in each line (GET /v1/games/ID/events "
    f"gives it with Accept: {sources.NDJSON}) or a game in each line (fogg export "
    "--histories), or is the archive.zip of a tournament",
)
# Only a first entry has this outside a string: within one, each quote has a backslash before it.
FIRST = re.compile(rb'"type"\s*:\s*"game_created"')


@dataclass
class RecordedGame:
    """The lines of one game in a source; ``first`` is the number of its first line."""

    source: str
    first: int
    lines: list[bytes] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    size: int = 0
    wrong: tuple[str, str] | None = None  # code and reason of a fault that ended reading
    wrong_at: int = 0  # the fault's line

    def add(self, line: bytes, number: int) -> None:
        """Add another line, unless there are too many."""
        if self.wrong:
            return
        self.size += len(line)
        if self.size > MAX_GAME_BYTES or len(self.lines) == MAX_GAME_LINES:
            self.refuse(
                number,
                "too-large",
                f"a game of more than {MAX_GAME_BYTES >> 20} MiB or {MAX_GAME_LINES} entries",
            )
        else:
            self.lines.append(line)
            self.numbers.append(number)

    def refuse(self, number: int, code: str, reason: str) -> None:
        """Record a fault at a line, unless there was one before."""
        if not self.wrong:
            self.wrong, self.wrong_at = (code, reason), number

    def entries(self) -> Iterator[dict]:
        """Yield the entries; raise Wrong at a line without an entry."""
        version = 0
        for entry in self._values():
            version += 1
            yield entry
        if self.wrong:
            raise Wrong(version + 1, *self.wrong)

    def _values(self) -> Iterator[dict]:
        """Yield the lines' values: one entry each, or all entries in one line."""
        for version, line in enumerate(self.lines, 1):
            value = value_in(line, version)
            if version == 1 and not (
                isinstance(value, dict) and "version" in value and "events" in value
            ):
                yield from _exported(value)
            else:
                yield value

    def id(self) -> str | None:
        """Return the game's id from its first line, or None."""
        try:
            return next(self.entries())["events"][0]["game"]
        except (Wrong, LookupError, TypeError, StopIteration):
            return None

    def about(self) -> dict[str, Any]:
        """Return the game's id and board, and the players with their totals if it is over. If a
        line cannot be read, return only the id, and no players."""
        try:
            events = [event for entry in self.entries() for event in entry["events"]]
            seated = [event for event in events if event["type"] == "seat_taken"]
            players = {event["seat"]: {"name": event["player"]["name"]} for event in seated}
            for seat, result in enumerate(events[-1].get("results", ())):
                players[seat]["total"] = result["total"]
            rows = [players[seat] for seat in sorted(players)]
            return {"game": events[0]["game"], "board": events[0]["board"], "players": rows}
        except (Wrong, LookupError, TypeError, AttributeError):
            return {"game": self.id(), "board": None, "players": []}

    def line_of(self, version: int) -> int:
        """Return the number of the line that should hold an entry."""
        if version <= len(self.numbers):
            return self.numbers[version - 1]
        return self.wrong_at or (self.numbers[-1] if self.numbers else self.first)

    def fault(self, wrong: Wrong) -> dict[str, Any]:
        return {
            "source": self.source,
            "line": self.line_of(wrong.version),
            "version": wrong.version,
            "code": wrong.code,
            "reason": wrong.reason,
        }


def value_in(line: bytes, version: int) -> Any:
    """Return a line's value; raise Wrong if it is not strict JSON."""
    try:
        return sources.decode(line.decode())
    except sources.Twice as twice:
        raise Wrong(version, "duplicate-member", f"an object has {twice} twice") from None
    except RecursionError:
        raise Wrong(version, "not-json", "objects and arrays lie too deep in each other") from None
    except ValueError as error:
        if version == 1 and not FIRST.search(line):
            raise Wrong(1, *ANOTHER) from None
        raise Wrong(version, "not-json", f"is no JSON text: {error}"[:200]) from None


def _exported(value: Any) -> list[dict]:
    """Return the entries of a game in one line; raise Wrong if it holds none."""
    entries = value.get("entries") if isinstance(value, dict) else None
    if isinstance(entries, list):
        return entries
    raise Wrong(1, *ANOTHER)


def games_in(source: str, stream: BinaryIO) -> Iterator[RecordedGame]:
    """Yield the games of a source, each as soon as it has been read."""
    game, number = None, 0
    try:
        for number, line in sources.lines_of(stream):
            if line is not None and not line.strip():
                continue
            if game is None or (line is not None and FIRST.search(line)):
                if game:
                    yield game
                game = RecordedGame(source, number)
            if line is None:
                game.refuse(
                    number, "too-large", f"a line of more than {sources.MAX_LINE_BYTES >> 20} MiB"
                )
            else:
                game.add(line, number)
    except sources.Unreadable as error:
        game = game or RecordedGame(source, number + 1)
        game.refuse(number + 1, error.code, str(error))
    if game is None:
        game = RecordedGame(source, 1)
        game.refuse(1, "empty", "there is no entry")
    yield game


def read(
    source: str, progress: Callable[[int], None] = lambda position: None
) -> Iterator[RecordedGame]:
    """Yield the games of a file or an address; an unreadable one yields a game with a fault.
    ``progress`` is called with the bytes read so far."""
    try:
        stream = sources.open_source(source)
    except sources.Unreadable as error:
        game = RecordedGame(source, 1)
        game.refuse(1, error.code, str(error))
        yield game
        return
    with closing(stream):
        for game in games_in(source, stream):
            progress(sources.position_in(stream))
            yield game


def game_with(source: str, game: str) -> RecordedGame:
    """Return a source's game with this id."""
    if chosen := next((one for one in read(source) if one.id() == game), None):
        return chosen
    raise sources.Unreadable("unknown-game", f"holds no game {game}")
