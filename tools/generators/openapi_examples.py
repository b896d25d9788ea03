"""The examples in openapi.yaml: a scripted game, played against the application over Redis.

The examples of an operation stand next to its tests. The game's seed fixes chance, other random
values are counted, and ids, tokens, times and hashes are replaced by plain ones. So recording twice
gives the same.
"""

from __future__ import annotations

import os
import re
import tempfile
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import count
from math import ceil
from pathlib import Path
from unittest.mock import patch

import orjson

from service.app import create_app
from service.records.database import Database, sqlite_url
from service.redis.connection import EmbeddedRedis, connect
from tests.service.accounts import test_deleting, test_players
from tests.service.analyses import test_analyses
from tests.service.boards import test_boards
from tests.service.games import test_batches, test_games, test_invitations, test_live, test_playing
from tests.service.histories import test_histories, test_log
from tests.service.http import test_small_answers
from tests.service.operation import test_operation
from tests.service.pool import test_pool
from tests.service.ratings import test_leaderboards as test_ratings
from tests.service.ratings import test_opponents
from tests.service.statistics import test_board_statistics as test_statistics
from tests.service.tournaments import test_tournaments
from tests.service.webhooks import test_webhooks
from tools.generators.openapi_tape import Tape

EPOCH = datetime(2026, 1, 1, 12)
STEP = timedelta(seconds=7)
ID = re.compile(r"\b([cgmptw])_[0-9a-f]{20}\b")
CALL = re.compile(r"\bmsg_[0-9a-f]{24}\b")
TIMES = (
    "at",
    "starts_at",
    "created",
    "updated",
    "finished",
    "deadline",
    "available",
    "arrived",
    "last_played",
    "ready_until",
    "since",
    "expires",
    "last_seen",
)
CURSOR = re.compile(r"\b[0-9]{13}(:|[.](?=g_))")
TOLD = re.compile(r"(?<=\b[0-9]{13}:)(?:[a-z][A-Za-z0-9_-]{12})+")  # the parts of a cursor
FEED = re.compile(r"\b[0-9a-f]{8}[.](?=[0-9]+\b)")  # a cursor of it
TOOK = re.compile(r'"milliseconds":[0-9]+')
BANK = re.compile(r'(?<="bank":)[0-9]+[.][0-9]+')
MEASURED = {"median": 40, "p95": 251}
RANDOM = (
    "hash",
    "salt",
    "command",
    "invitation",
    "commitment",
    "lots",
    "last",
    "previous",
    "request_id",
)
SECONDS = re.compile(r"in [0-9]+ seconds")
FIRST = 18  # number: another one draws other lots in the tournament
CHAPTERS = (
    test_players.show_players,
    test_webhooks.show_webhooks,
    test_operation.show_operation,
    test_boards.show_boards,
    test_games.show_games,
    test_playing.show_turns,
    test_batches.show_batch,
    test_small_answers.show_small_answers,
    test_playing.show_end,
    test_games.show_fork,
    test_histories.show_histories,
    test_analyses.show_analyses,
    test_statistics.show_statistics,
    test_games.show_rematch,
    test_tournaments.show_tournaments,
    test_ratings.show_ratings,
    test_log.show_log,
    test_live.show_live,
    test_opponents.show_opponents,
    test_pool.show_pool,
    test_invitations.show_invitations,
    test_deleting.show_leaving_for_good,
)


class Counted:
    """A replacement for ``secrets``: numbers, one after the other."""

    def __init__(self):
        self._numbers = count(FIRST)

    def token_hex(self, size: int) -> str:
        return self.token_bytes(size).hex()

    def token_bytes(self, size: int) -> bytes:
        return next(self._numbers).to_bytes(size)


def record() -> dict[str, list[dict]]:
    """Return the examples of every operation, by operationId."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(folder) as redis:
        records = sqlite_url(Path(folder) / "records.sqlite3")
        Database(records).migrate()
        with patch.dict(os.environ, FOGG_LIMITS="accounts=4/60", FOGG_DATABASE=records):
            tape = Tape(create_app(connect(redis.url, retry=False)))
        with patch("service.redis.secret.secrets", Counted()):
            for chapter in CHAPTERS:
                chapter(tape)
        redis.stop()
        test_operation.show_absent_store(tape)
    return _plain(tape.rows)


def _plain(rows: dict) -> dict:
    """Return the examples with plain ids, tokens, times and hashes in place of the real ones."""
    times = sorted(_values(rows, TIMES))
    names = {
        at: (EPOCH + i * STEP).isoformat(timespec="milliseconds") + "Z"
        for i, at in enumerate(times)
    }
    names |= {
        h: sha256(f"example {i}".encode()).hexdigest()[: len(h)]
        for i, h in enumerate(_values(rows, RANDOM))
    }
    names |= {
        t: f"fogg_an-example-not-a-token-{i}" for i, t in enumerate(_values(rows, ("token",)), 1)
    }
    names |= {
        s: f"whsec_an-example-not-a-secret-{i}" for i, s in enumerate(_values(rows, ("secret",)), 1)
    }
    names |= {
        at: f"2026-{number:02d}-01T00:00:00.000Z"
        for number, at in enumerate(sorted(_values(rows, ("since", "until"))), 1)
    }
    ids: dict[str, str] = {}

    def plain(value):
        if isinstance(value, dict):
            return {
                name: MEASURED.get(name)
                or (tens(inner) if name == "bank" and isinstance(inner, float) else plain(inner))
                for name, inner in value.items()
            }
        if isinstance(value, list):
            return [plain(inner) for inner in value]
        if isinstance(value, str):
            if "\n" in value:  # a stream, which holds what other examples hold
                for known, name in names.items():
                    value = value.replace(known, name)
            value = TOLD.sub(
                lambda told: "".join(f"{letter}Zm9nZ2ZvZ2dm" for letter in told[0][::13]), value
            )
            value = TOOK.sub('"milliseconds":7000', value)
            value = BANK.sub(lambda left: str(tens(float(left[0]))), value)
            value = CALL.sub("msg_f00dcafe0123456789abcdef", value)
            value = FEED.sub("5f1c0a42.", value)
            value = SECONDS.sub("in 17 seconds", CURSOR.sub(r"1767268800000\1", value))
            return names.get(value) or ID.sub(plain_id, value)
        return value

    def plain_id(match: re.Match) -> str:
        count = sum(known.startswith(match[1]) for known in ids)
        return ids.setdefault(match[0], f"{match[1]}_{count + 1:020}")

    return plain(rows)


def tens(seconds: float) -> float:
    """Return the time left in a bank, rounded up: how fast the examples were played is left out."""
    return 10.0 * ceil(seconds / 10)


def _values(value, members: tuple[str, ...]) -> list[str]:
    """Return the distinct strings under these members, in the order in which they are found."""
    strings: dict[str, None] = {}
    if isinstance(value, str) and value.startswith('{"'):  # lines of JSON
        for line in filter(None, value.splitlines()):
            strings |= dict.fromkeys(_values(orjson.loads(line), members))
    elif isinstance(value, dict):
        for name, inner in value.items():
            if name in members and isinstance(inner, str):
                strings[inner] = None
            else:
                strings |= dict.fromkeys(_values(inner, members))
    elif isinstance(value, list):
        for inner in value:
            strings |= dict.fromkeys(_values(inner, members))
    return list(strings)
