"""Deprecated operations and parameters: marked in openapi.yaml and in the headers of each answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any

from flask import Response, after_this_request, request
from werkzeug.http import http_date

POLICY = '</docs/compatibility.md>; rel="deprecation"; type="text/markdown"'


@dataclass(frozen=True)
class Deprecation:
    """The deprecation of an operation, or of a query parameter: since when, and its removal date if
    known."""

    since: date
    sunset: date | None = None
    parameter: str | None = None

    def add_headers(self) -> None:
        """Add the Deprecation and Sunset headers (RFC 9745 and 8594) to the answer, errors
        included, if the current request uses the deprecated operation or parameter."""
        if self.parameter is None or self.parameter in request.args:
            after_this_request(self._add_headers)

    def _add_headers(self, response: Response) -> Response:
        response.headers["Deprecation"] = f"@{int(_midnight(self.since).timestamp())}"
        if self.sunset:
            response.headers["Sunset"] = http_date(_midnight(self.sunset))
        response.headers.add("Link", POLICY)
        return response


def note(func: Any, deprecation: Deprecation) -> dict:
    """Mark a view function as deprecated; return the part of its description that says so."""
    func.deprecations = (*getattr(func, "deprecations", ()), deprecation)
    if deprecation.parameter is None:
        return {"deprecated": True}
    return {"x-deprecated": {deprecation.parameter: True}}


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
