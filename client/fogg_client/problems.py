"""Errors that requests raise."""

from __future__ import annotations

import json
from typing import Any

import urllib3

from fogg_client.groups import expanded


class Problem(Exception):
    """The service refused a request. ``body``: the problem document; ``code``: its code;
    ``retry_after``: seconds to wait before a retry, 0 if not given."""

    def __init__(self, status: int, body: dict[str, Any], retry_after: float = 0.0):
        super().__init__(f"{status} {body.get('code')}: {body.get('detail')}")
        if "view" in body:  # the game has moved on
            body = body | {"view": expanded(body["view"])}
        self.status, self.code, self.body = status, body.get("code"), body
        self.retry_after = retry_after

    @classmethod
    def of(cls, answer: urllib3.BaseHTTPResponse) -> Problem:
        """Return the problem in a response."""
        return cls(answer.status, _document(answer.data), _retry_after(answer))


class NoStream(Exception):
    """This path is not an event stream."""


def _retry_after(answer: urllib3.BaseHTTPResponse) -> float:
    """Return the seconds of the Retry-After header, 0 if there is none."""
    value = answer.headers.get("Retry-After", "")
    return float(value) if value.isdecimal() else 0.0


def _document(data: bytes) -> dict[str, Any]:
    """Return the problem document, or one made from the text of a proxy's error page."""
    try:
        found = json.loads(data)
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {"detail": data[:200].decode(errors="replace")}
