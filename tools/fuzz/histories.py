"""Histories as ``fogg verify`` and ``fogg import`` read them: any bytes, and real games of which a
thing or two are changed while all hashes are made to fit, so that more than the chain is checked.
"""

from __future__ import annotations

import copy
import gzip
import io
import json
from collections.abc import Iterable

import atheris

from cli.recorded.games import games_in
from domain.boards import boards_by_digest
from domain.entry import with_hash
from domain.game.proof import Wrong, check
from service.games import importing
from service.games.importing import NotImported
from service.http.serving import services
from tools.fuzz.serving import Served
from tools.histories.kept import HERE

GAMES = ("aborted", "expired", "demo", "europe")
FIRST = 10  # entries of a long game that are looked at
VALUES = (
    None,
    True,
    False,
    -1,
    0,
    1,
    2**63,
    1e308,
    0.5,
    "",
    "0",
    "a" * 300,
    "\u0000",
    "\ud7ff",
    [],
    [[]],
    {},
    {"type": "pass"},
    "usa",
    "card_drawn",
    "wild",
)


class Target:
    """A service into which games are put that it has not made."""

    def __init__(self):
        self.served = Served()
        self.boards = boards_by_digest(())
        self.store = services(self.served.app).games.store
        self.games = [_kept(name) for name in GAMES]
        over = self.served.players[0].get(f"/v1/games/{self.served.over}/events").json["items"]
        self.games.append(over)

    def seeds(self) -> list[bytes]:
        """Return bytes to choose by, and short histories as they stand in files."""
        files = ["\n".join(map(json.dumps, game[:3])).encode() for game in self.games]
        chosen = [
            bytes([0, number, *range(start, start + 30)])
            for number in range(len(self.games))
            for start in (0, 60, 120)
        ]
        return [b"\1" + file for file in (*files, *map(gzip.compress, files))] + chosen

    def answers(self, data: bytes) -> list[str]:
        """Return how a history is judged that some bytes are, or choose."""
        if data[:1] != b"\1":
            entries = self._changed(atheris.FuzzedDataProvider(data[1:]))
            return [self._judged(entries)]
        return [
            self._judged(game.entries())
            for game in games_in("fuzz", io.BufferedReader(io.BytesIO(data[1:])))
        ]

    def _judged(self, entries: Iterable[dict]) -> str:
        entries, unread = _read(entries)
        wrong = check(self.boards, entries).wrong
        try:
            importing.put(self.store, self.boards, entries)
        except (Wrong, NotImported) as refused:
            return (unread or wrong or refused).code
        return "imported"

    def _changed(self, chosen: atheris.FuzzedDataProvider) -> list[dict]:
        """Return a game, or its beginning, one thing of which is another."""
        game = self.games[chosen.ConsumeIntInRange(0, len(self.games) - 1)]
        entries = copy.deepcopy(game if len(game) < FIRST else game[:FIRST])
        for _ in range(chosen.ConsumeIntInRange(1, 2)):
            _change(entries[chosen.ConsumeIntInRange(0, len(entries) - 1)], chosen)
        return _chained(entries)


def _kept(name: str) -> list[dict]:
    with gzip.open(HERE / f"{name}.ndjson.gz", "rt") as file:
        return [json.loads(line) for line in file]


def _read(entries: Iterable[dict]) -> tuple[list[dict], Wrong | None]:
    """Return the entries of a game up to the first that cannot be read, and why it cannot."""
    read: list[dict] = []
    try:
        read.extend(entries)
    except Wrong as wrong:
        return read, wrong
    return read, None


def _change(value, chosen: atheris.FuzzedDataProvider) -> None:
    """Change one thing somewhere within an object or an array."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = keys[chosen.ConsumeIntInRange(0, len(keys) - 1)] if keys else None
    inner = value[key] if keys else None
    if isinstance(inner, dict | list) and inner and chosen.ConsumeIntInRange(0, 5):
        _change(inner, chosen)
    elif keys and chosen.ConsumeIntInRange(0, 3) == 0:
        del value[key]
    else:
        new = VALUES[chosen.ConsumeIntInRange(0, len(VALUES) - 1)]
        if isinstance(value, dict):
            value[key if keys and chosen.ConsumeBool() else "new"] = new
        else:
            value[slice(key or 0, (key or 0) + chosen.ConsumeIntInRange(0, 1))] = [new]


def _chained(entries: list[dict]) -> list[dict]:
    """Return entries with hashes that fit, as far as they can have any."""
    previous, chained = "", []
    for entry in entries:
        entry = {name: value for name, value in entry.items() if name != "hash"}
        try:
            entry = with_hash(entry, previous)
        except (ValueError, TypeError, KeyError, AttributeError, IndexError):
            entry["hash"] = previous  # so that this entry is the one that is wrong
        previous = entry["hash"]
        chained.append(entry)
    return chained
