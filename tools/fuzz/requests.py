"""Bytes sent to a web process: valid and invalid requests.

If the first byte is a 1, the rest is the index of an address and a body that is posted there.
"""

from __future__ import annotations

import json

from tools.fuzz.serving import Served, request

ANN, BOB = ({"Authorization": f"Bearer TOKEN-{letter}"} for letter in "AB")
WISH = {
    "board": "usa",
    "seats": [{"player": "me"}, {"open": True}],
    "options": {"first_seat": 0, "clock": {"bank": 60, "increment": 1}, "seed": "5e" * 32},
}
BODIES = {
    "/v1/players": {"name": "Ann"},
    "/v1/games": WISH,
    "/v1/games/GAME-A/actions": {"type": "draw_card", "from": "deck"},
    "/v1/games/GAME-A/seats": {"entropy": "x"},
    "/v1/me/tokens": {"name": "x", "scopes": ["read"]},
    "/v1/me/bots": {"name": "bot"},
    "/v1/me/webhooks": {"url": "https://example.org/x", "events": ["your_turn"]},
    "/v1/tournaments": {"name": "T", "board": "usa", "format": "swiss", "rounds": 2},
}
PATHS = (
    "/",
    "/v1/boards",
    "/v1/boards/usa",
    "/v1/games?status=playing&limit=2",
    "/v1/me",
    "/v1/games/GAME-A",
    "/v1/games/GAME-A?at=2&legal_actions=grouped",
    "/v1/live",
    "/v1/games/GAME-B/events",
    "/v1/games/GAME-A/legal-actions",
    "/v1/log?after=0",
    "/v1/games/GAME-B/board.svg?at=1",
    "/v1/games/GAME-B/history",
    "/v1/histories?limit=1",
    "/v1/leaderboards/all",
    "/v1/statistics/bots",
    "/v1/tournaments",
    "/metrics",
    "/healthz",
    "/v1/me/webhooks",
    "/v1/games/GAME-A/decisions",
)


class Target:
    """A web process that reads what it is sent."""

    def __init__(self):
        self.served = Served()

    def seeds(self) -> list[bytes]:
        """Return good requests, from which bad ones are made."""
        asked = [request("GET", path, **ANN) for path in PATHS]
        made = [
            request("POST", path, json.dumps(body), Idempotency_Key="k", **ANN)
            for path, body in BODIES.items()
        ]
        chunked = (
            request(
                "POST", "/v1/players", Transfer_Encoding="chunked", Content_Type="application/json"
            )
            + b'd\r\n{"name":"Ann"}\r\n0\r\n\r\n'
        )
        others = [
            request("POST", "/v1/games/GAME-A/actions", '{"type":"resign"}', If_Match='"4"', **BOB),
            request("DELETE", "/v1/me/tokens/t_1", **ANN),
            request("OPTIONS", "/v1/games", Origin="https://example.org"),
            request("HEAD", "/v1/boards/usa", If_None_Match='"x"', Accept_Encoding="gzip"),
            request(
                "GET", "/v1/games/GAME-A/events", Accept="text/event-stream", Last_Event_ID="2"
            ),
            chunked,
            asked[0] + asked[1],
            b"GET / HTTP/1.0\r\n\r\n",
        ]
        posted = [
            bytes([1, number]) + json.dumps(body).encode()
            for number, body in enumerate(BODIES.values())
        ]
        return asked + made + others + posted

    def answers(self, data: bytes) -> list[str]:
        """Return what some bytes are answered with."""
        if data[:1] == b"\1" and len(data) > 1:
            path = [*BODIES][data[1] % len(BODIES)]
            head = request(
                "POST",
                path,
                Content_Type="application/json",
                Content_Length=str(len(data) - 2),
                **ANN,
            )
            data = head + data[2:]
        return self.served.statuses(data) or ["nothing"]
