"""The Prefer header (RFC 7240)."""

from __future__ import annotations

from collections.abc import Mapping

from werkzeug.http import parse_list_header, unquote_header_value

MINIMAL = "return=minimal"


def is_minimal(headers: Mapping) -> bool:
    """Return whether the caller prefers an answer without a view (``return=minimal``). The first
    ``return`` preference counts."""
    for each in parse_list_header(headers["prefer"]) if "prefer" in headers else ():
        name, _, value = each.partition(";")[0].partition("=")
        if name.strip().lower() == "return":
            return unquote_header_value(value.strip()).lower() == "minimal"
    return False


def applied(headers: Mapping) -> dict[str, str]:
    """Return the Preference-Applied header, if the preference was honoured."""
    return {"Preference-Applied": MINIMAL} if is_minimal(headers) else {}
