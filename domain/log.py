"""The log of finished games: a line for each, in one hash chain (docs/fairness.md).

A line holds the hash of a game's last entry, which covers the whole history, and the hash of the
previous line. Anyone who has kept one line's hash can detect a change of any game before it.
"""

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from domain.codec import Json
from domain.entry import text_of

NEEDED, OPTIONAL = {"n", "last", "previous", "hash"}, {"game"}
_HASH = re.compile("[0-9a-f]{64}")


class BrokenLog(Exception):
    """A line that is invalid or does not follow the previous one."""


class Head(NamedTuple):
    """A head of the log: the number and hash of its last line at some time."""

    n: int
    hash: str


EMPTY = Head(0, "")


def line_after(head: Head, last: str, game: str | None = None) -> Json:
    """Return the line of a game that ends with the hash ``last``; ``game`` is its id, if public."""
    line = {"n": head.n + 1, "last": last, "previous": head.hash} | ({"game": game} if game else {})
    return {**line, "hash": _hash_of(line)}


def _hash_of(line: Mapping[str, Any]) -> str:
    return sha256(
        text_of({name: v for name, v in line.items() if name != "hash"}).encode()
    ).hexdigest()


class Log:
    """A copy of the log, checked line by line: all of it, or from some line on."""

    def __init__(self, lines: Iterable[Mapping[str, Any]] = ()) -> None:
        self.head, self.first = EMPTY, 1
        self._hashes: list[bytes] = []  # of the lines
        self._places: dict[bytes, int] = {}  # the hash of a game's last entry -> n
        self._games: dict[str, int] = {}  # public game's id -> its last n
        for line in lines:
            self.add(line)

    def add(self, line: Mapping[str, Any]) -> None:
        """Add the next line; raise BrokenLog if it does not follow."""
        _check_form(line, self.head.n + 1)
        if not self._hashes:
            self.first, self.head = line["n"], Head(line["n"] - 1, line["previous"])
        if (line["n"], line["previous"]) != (self.head.n + 1, self.head.hash):
            raise BrokenLog(f"line {self.head.n + 1} does not follow the one before")
        if line["n"] == 1 and line["previous"]:
            raise BrokenLog("line 1 has a line before")
        if line["hash"] != _hash_of(line):
            raise BrokenLog(f"line {line['n']} has another hash than its text")
        self.head = Head(line["n"], line["hash"])
        self._hashes.append(bytes.fromhex(line["hash"]))
        self._places[bytes.fromhex(line["last"])] = line["n"]
        if "game" in line:
            self._games[line["game"]] = line["n"]

    def has(self, head: Head) -> bool | None:
        """Return whether the log's nth line has this hash; None if the copy lacks that line."""
        place = head.n - self.first
        if not 0 <= place < len(self._hashes):
            return None
        return self._hashes[place].hex() == head.hash

    def n_with(self, line_hash: str) -> int | None:
        wanted = bytes.fromhex(line_hash)
        return self.first + self._hashes.index(wanted) if wanted in self._hashes else None

    def wrong_with(self, game: str, last: str, began_after: Head | None = None) -> str | None:
        """Return how the log contradicts a history that ends with the hash ``last``; None if the
        log contains it. ``began_after`` is the line that the history's first entry names."""
        if began_after and self.has(began_after) is False:
            return (
                f"as the game was created, line {began_after.n} of the log had the hash "
                f"{began_after.hash}, and it has another"
            )
        n = self._places.get(bytes.fromhex(last))
        if n is None and game in self._games:
            return f"the log has another last hash of this game, in line {self._games[game]}"
        if n is None:
            return f"the log, up to line {self.head.n}, has no game with this last hash"
        if began_after and n <= began_after.n:
            return f"the game is in line {n}, before the line that was there as it was created"
        return None


def _check_form(line: object, n: int) -> None:
    if not isinstance(line, dict) or not NEEDED <= line.keys() <= NEEDED | OPTIONAL:
        raise BrokenLog(f"line {n} is none of the log")
    if type(line["n"]) is not int or line["n"] < 1 or not isinstance(line.get("game", ""), str):
        raise BrokenLog(f"line {n} has members of another kind")
    if not all(map(_is_hash, (line["last"], line["hash"]))) or not (
        line["previous"] == "" or _is_hash(line["previous"])
    ):
        raise BrokenLog(f"line {n} has hashes of another form")


def _is_hash(value: object) -> bool:
    return isinstance(value, str) and _HASH.fullmatch(value) is not None
