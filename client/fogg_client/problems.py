"""What may be answered instead of what was asked for."""

from __future__ import annotations

import json
from typing import Any

import urllib3

from fogg_client.groups import expanded


class Problem(Exception):
    """The service said no: ``status``, ``code`` and the whole document as ``body``; where it asks
    to wait, for ``retry_after`` seconds."""

    def __init__(self, status: int, body: dict[str, Any], retry_after: float = 0.0):
        super().__init__(f"{status} {body.get('code')}: {body.get('detail')}")
        if "view" in body:  # the game has moved on
            body = body | {"view": expanded(body["view"])}
        self.status, self.code, self.body = status, body.get("code"), body
        self.retry_after = retry_after

    @classmethod
    def of(cls, answer: urllib3.BaseHTTPResponse) -> Problem:
        """Return what an answer says."""
        return cls(answer.status, _document(answer.data), _retry_after(answer))


class NoStream(Exception):
    """What is at this path is no event stream."""


def _retry_after(answer: urllib3.BaseHTTPResponse) -> float:
    """Return the seconds that the service asks to wait."""
    value = answer.headers.get("Retry-After", "")
    return float(value) if value.isdecimal() else 0.0


def _document(data: bytes) -> dict[str, Any]:
    """Return a problem document, also where something between here and the service wrote none."""
    try:
        found = json.loads(data)
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {"detail": data[:200].decode(errors="replace")}
