"""The clients' memory: their requests, the responses, and the data that they were shown."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from dataclasses import dataclass, field

LONG_HEX = re.compile(r"[0-9a-f]{32,}")
TOKEN = re.compile(r"fogg_[A-Za-z0-9_-]{16,}")

# error codes for a game that was rolled back; the second if the whole game was lost
SAID = {"history-lost", "version-ahead", "unknown-game"}
ACKNOWLEDGED, UNKNOWN, REFUSED = "acknowledged", "unknown", "refused"


@dataclass
class Attempt:
    """An action that a client asked for once, however often it had to send it."""

    client: int
    game: str
    seat: int
    action: str  # as JSON, members sorted
    known: int  # the version that the client knew of
    key: str | None
    sent: float  # monotonic, as all times here
    answered: float = 0.0
    outcome: str = UNKNOWN
    version: int = 0
    hash: str = ""
    why: str = ""  # the status and code of a refusal
    repeats: Attempt | None = None  # acknowledged under the same key before
    is_lost: bool = False  # acknowledged, but not stored any more
    has_version: bool = True  # sent with If-Match

    def __str__(self) -> str:
        asked = f"{self.action} on {self.known}{' with a key' if self.key else ''}"
        return (
            f"client {self.client}, seat {self.seat} of {self.game}: {asked}: {self.outcome} "
            f"{self.why or self.version} {self.hash[:8]}"
        )


@dataclass
class Heard:
    """Entries that a client received of a game on successive streams."""

    game: str
    entries: list[tuple[int, str]] = field(default_factory=list)  # version and hash
    problems: list[str] = field(default_factory=list)  # gaps and repeats


@dataclass
class Ledger:
    """Everything that all clients remember; many threads add to it."""

    tokens: dict[str, int] = field(default_factory=dict)  # a token -> whose it is
    attempts: list[Attempt] = field(default_factory=list)
    failures: list[tuple[float, int, str, str]] = field(default_factory=list)  # answers 5xx
    games: dict[str, float] = field(default_factory=dict)  # game -> since when
    finished: set[str] = field(default_factory=set)  # games that were said to be over
    gone: set[str] = field(default_factory=set)  # games of which not even the creation is left
    stuck: dict[str, str] = field(default_factory=dict)  # games given up, and why
    # game -> number of reports that it was rolled back
    said: Counter = field(default_factory=Counter)
    heard: list[Heard] = field(default_factory=list)
    # long hex text in a response -> when it was first sent, and the receiving account
    hexes: dict[str, tuple[float, int]] = field(default_factory=dict)
    # (game, seat or None, entry) as a client was shown it
    shown: list[tuple[str, int | None, dict]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)  # faults that a client noticed at once

    def note_text(self, client: int, text: str) -> None:
        """Remember what could be a secret in what was sent to a client."""
        now = time.monotonic()
        for digits in LONG_HEX.findall(text):
            self.hexes.setdefault(digits, (now, client))
        for token in TOKEN.findall(text):
            if self.tokens.get(token, client) != client:
                self.wrong.append(
                    f"client {client} was sent a token of client {self.tokens[token]}: {text[:300]}"
                )

    def note_failure(self, status: int, body: str) -> str:
        """Remember an answer that is no success; return its code."""
        code = code_of(body)
        if status >= 500:
            self.failures.append((time.monotonic(), status, code, body[:500]))
        return code

    def note_entries(self, game: str, seat: int | None, entries: list[dict]) -> None:
        self.shown += [(game, seat, entry) for entry in entries]

    def acknowledged(self) -> list[Attempt]:
        return [one for one in tuple(self.attempts) if one.outcome == ACKNOWLEDGED]


def code_of(body: str) -> str:
    """Return the code of a problem document, or how else a body begins."""
    try:
        return json.loads(body)["code"]
    except (ValueError, KeyError, TypeError):
        return body[:40]
