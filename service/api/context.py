"""What is known of the request under way, beside what the client has sent."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

from service.operation.limits import Standing

if TYPE_CHECKING:
    from service.api.wiring import Services


@dataclass(slots=True)
class Context:
    """What is noted of a request for its answer and for its line in the log."""

    request_id: str
    began: float  # seconds, as `time.perf_counter` counts
    services: Services  # what it is served with
    rule: str | None = None  # Flask's, of the operation that is asked for
    tags: str = ""  # the ETags of compressed answers that the client named
    account: str | None = None  # who calls
    standing: Standing | None = None  # what is left to the caller of the limit that was counted


CONTEXT: ContextVar[Context] = ContextVar("context")


def context() -> Context:
    """Return what is known of the request under way."""
    return CONTEXT.get()
