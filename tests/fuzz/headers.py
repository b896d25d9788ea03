"""Headers with values that are nearly right: every header that the service reads."""

from __future__ import annotations

import atheris

from tests.fuzz import resumption
from tests.fuzz.resumption import line, one
from tests.fuzz.serving import request

NAMES = ("Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Connection",
         "Content-Encoding", "Content-Length", "Content-Type", "Expect", "Fogg-Thinking", "Host",
         "Idempotency-Key", "If-Match", "If-None-Match", "Last-Event-ID", "Origin", "Prefer",
         "Range", "Transfer-Encoding", "X-Forwarded-For", "X-Forwarded-Proto", "X-Request-Id")
PIECES = ('"', '"4"', '"4', "-gzip", '-gzip"', "-0123456789abcdef", "W/", "*", ",", ", ", ";", "=",
          "q=0", "q=", ";q=0.5", "; charset=utf-8", "text/event-stream", "application/json",
          "application/x-ndjson", "gzip", "identity", "return=minimal", "Bearer ", "TOKEN-A",
          "chunked", "100-continue", "close", "0", "4", "-1", "9" * 30, "fogg", ":8000", "[::1]",
          "127.0.0.1", "https", "\u00e9", "\u0665", " ", "bytes=0-", "")
ASKED = (("GET", "/v1/games/GAME-A", ""), ("GET", "/v1/games/GAME-A/events", ""),
         ("GET", "/v1/me/events", ""), ("GET", "/docs/bots.md", ""), ("GET", "/v1/log", ""),
         ("GET", "/games/GAME-B", ""), ("GET", "/v1/games/GAME-B/board.svg", ""),
         ("OPTIONS", "/v1/games", ""), ("POST", "/v1/games/GAME-A/actions", '{"type":"pass"}'),
         ("POST", "/v1/me/tokens", '{"scopes":["read"]}'))


class Target(resumption.Target):
    """A web process that is sent one or two such headers."""

    def answers(self, data: bytes) -> list[str]:
        """Return the answers to a request that is chosen by some bytes."""
        chosen = atheris.FuzzedDataProvider(data)
        method, path, body = one(chosen, ASKED)
        headers = {"Authorization": "Bearer TOKEN-A"}
        for _ in range(chosen.ConsumeIntInRange(1, 2)):
            value = "".join(one(chosen, PIECES) for _ in range(chosen.ConsumeIntInRange(0, 6)))
            headers[one(chosen, NAMES)] = line(value)
        return self.served.statuses(request(method, path, body, **headers)) or ["nothing"]
