"""What is on its way out: openapi.yaml says so, and so does every answer to who uses it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any

from flask import Response, after_this_request, request
from werkzeug.http import http_date

POLICY = '</docs/compatibility.md>; rel="deprecation"; type="text/markdown"'


@dataclass(frozen=True)
class Deprecation:
    """Since when an operation, or a parameter of its query, is deprecated, and when it goes."""

    since: date
    sunset: date | None = None
    parameter: str | None = None

    def tell(self) -> None:
        """Have the answer to the present request say so (RFC 9745 and 8594), if it is concerned,
        whether it is a problem or not."""
        if self.parameter is None or self.parameter in request.args:
            after_this_request(self._add_headers)

    def _add_headers(self, response: Response) -> Response:
        response.headers["Deprecation"] = f"@{int(_midnight(self.since).timestamp())}"
        if self.sunset:
            response.headers["Sunset"] = http_date(_midnight(self.sunset))
        response.headers.add("Link", POLICY)
        return response


def note(func: Any, deprecation: Deprecation) -> dict:
    """Let a function's answers tell of a deprecation; return what describes it."""
    func.deprecations = (*getattr(func, "deprecations", ()), deprecation)
    if deprecation.parameter is None:
        return {"deprecated": True}
    return {"x-deprecated": {deprecation.parameter: True}}


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
