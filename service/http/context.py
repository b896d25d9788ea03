"""The context of the current request: data from the service, not from the client."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from service.http.limits import Standing

if TYPE_CHECKING:
    from service.feature import Services


@dataclass(slots=True)
class Context:
    """Data of one request, used for its answer and its line in the log."""

    request_id: str
    began: float  # seconds, as `time.perf_counter` counts
    services: Services  # the services of the application
    rule: str | None = None  # Flask's URL rule of the operation
    tags: str = ""  # the ETags of compressed answers that the client named
    account: str | None = None  # the caller's id
    payer: str | None = None  # the account that answers for the caller
    standing: Standing | None = None  # the state of the caller's rate limit


CONTEXT: ContextVar[Context] = ContextVar("context")


def context() -> Context:
    return CONTEXT.get()


class Authentication:
    """How callers are authenticated: accounts register it, so that operations need not know them.
    ``check`` raises NotSignedIn if a request has a wrong token, or none though it
    ``is_needed``. ``player`` returns the account of a caller who may play, or raises."""

    check: Callable[..., object]
    player: Callable[[], Any]


AUTHENTICATION = Authentication()
