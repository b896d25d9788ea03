"""Errors that requests raise."""

from __future__ import annotations

import json
import re
import time
from datetime import UTC
from email.utils import parsedate_to_datetime
from http.client import HTTPResponse
from typing import Any
from urllib.parse import urljoin

import urllib3

from fogg_client.groups import expanded

BUSY = (429, 502, 503, 504)  # statuses
TOO_BUSY = "too-busy"  # the code where others were quicker again and again
NO_SERVICE = "what answers at {} is no Fogg service"


def is_busy(status: int, code: str | None) -> bool:
    """Return whether to repeat a request that was refused with this status or code."""
    return status in BUSY or code == TOO_BUSY


class Problem(Exception):
    """The service refused a request, or the server is no Fogg service. ``body``: the problem
    document, or only a ``detail`` about it; ``code``: its code, None if it is no service's;
    ``retry_after``: seconds to wait before a retry, 0 if not given."""

    def __init__(self, status: int, body: dict[str, Any], retry_after: float = 0.0):
        super().__init__(f"{status} {body.get('code')}: {body.get('detail')}")
        if "view" in body:  # the game has moved on
            body = body | {"view": expanded(body["view"])}
        self.status, self.code, self.body = status, body.get("code"), body
        self.retry_after = retry_after

    @classmethod
    def of(cls, answer: urllib3.BaseHTTPResponse, server: str, path: str) -> Problem:
        """Return the problem in the response of a server to a request for a path."""
        body = _document(answer.data) or {"detail": _no_service(answer, server, path)}
        return cls(answer.status, body, retry_after(answer))


class NoStream(Exception):
    """This path is not an event stream."""


def retry_after(answer: urllib3.BaseHTTPResponse | HTTPResponse) -> float:
    """Return the seconds of the Retry-After header, 0 if there is none. It holds seconds, from some
    with a fraction, or from proxies a date (RFC 9110, 10.2.3), which is compared with the date of
    the answer."""
    value = answer.headers.get("Retry-After", "")
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", value):
        return float(value)
    until, here = _seconds(value), _seconds(answer.headers.get("Date", ""))
    return max(0.0, until - (here or time.time()))


def _seconds(date: str) -> float:
    """Return the seconds since 1970 of an HTTP date, 0 if it is none."""
    try:
        return parsedate_to_datetime(date).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return 0.0


def _document(data: bytes) -> dict[str, Any] | None:
    try:
        body = json.loads(data)
    except ValueError:
        return None
    return body if isinstance(body, dict) and "code" in body else None


def _no_service(answer: urllib3.BaseHTTPResponse, server: str, path: str) -> str:
    """Return a sentence about a response that cannot come from a Fogg service."""
    if place := answer.headers.get("Location"):
        address = urljoin(server + path, place).removesuffix(path)
        return f"{server} redirects to {address}: use that address"
    status = f": {answer.status} {answer.reason}" if answer.status >= 300 else ""
    return NO_SERVICE.format(server) + status
