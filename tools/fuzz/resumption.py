"""Where streams, pages and lists are taken up again: ids, versions and cursors of every kind."""

from __future__ import annotations

from urllib.parse import quote

import atheris

from tools.fuzz.serving import Served, request

PATHS = (
    "/v1/games/GAME-A/events",
    "/v1/games/GAME-B/events",
    "/v1/me/events",
    "/v1/games",
    "/v1/histories",
    "/v1/decisions",
    "/v1/games/GAME-B/decisions",
    "/v1/live",
    "/v1/log",
    "/v1/leaderboards/all",
    "/v1/tournaments",
    "/v1/games/GAME-A",
    "/v1/games/GAME-B",
)
NAMES = ("after", "limit", "wait", "at", "status", "board", "player", "legal_actions")
FORMS = ("text/event-stream", "application/x-ndjson", "application/json", "*/*", "")
VALUES = (
    "0",
    "1",
    "4",
    "99999",
    "-1",
    "2147483648",
    "9" * 30,
    "1e3",
    "null",
    "GAME-A.4",
    "GAME-B",
    "GAME-A.4-GAME-B.1",
    "0-0",
    "0-1",
    "%00",
    "true",
    "grouped",
    "",
)


class Target:
    """A web process that is asked to go on from somewhere."""

    def __init__(self):
        self.served = Served()

    def seeds(self) -> list[bytes]:
        """Return some bytes to choose by."""
        return [bytes(range(start, start + 24)) for start in range(0, 200, 8)]

    def answers(self, data: bytes) -> list[str]:
        """Return what a request is answered with that is chosen by some bytes."""
        chosen = atheris.FuzzedDataProvider(data)
        path = PATHS[chosen.ConsumeIntInRange(0, len(PATHS) - 1)]
        query = [
            f"{_one(chosen, NAMES)}={quote(_value(chosen), safe='-.')}"
            for _ in range(chosen.ConsumeIntInRange(0, 3))
        ]
        headers = {"Accept": _one(chosen, FORMS)}
        if chosen.ConsumeBool():
            headers["Authorization"] = "Bearer TOKEN-A"
        if chosen.ConsumeBool():
            headers["Last_Event_ID"] = _line(_value(chosen))
        if chosen.ConsumeBool():
            headers["If_None_Match"] = _line(_value(chosen))
        asked = request("GET", path + ("?" + "&".join(query) if query else ""), **headers)
        return self.served.statuses(asked) or ["nothing"]


def _one(chosen: atheris.FuzzedDataProvider, values: tuple[str, ...]) -> str:
    return values[chosen.ConsumeIntInRange(0, len(values) - 1)]


def _value(chosen: atheris.FuzzedDataProvider) -> str:
    if chosen.ConsumeBool():
        return _one(chosen, VALUES)
    return chosen.ConsumeUnicodeNoSurrogates(chosen.ConsumeIntInRange(0, 24))


def _line(text: str) -> str:
    """Return what a header can hold of a text."""
    return "".join(sign for sign in text if sign not in "\r\n\0")
