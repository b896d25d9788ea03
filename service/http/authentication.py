"""How callers are authenticated: accounts register it, so that operations need not know them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Authentication:
    """``check`` raises NotSignedIn if a request has a wrong token, or none though it
    ``is_needed``. ``player`` returns the account of a caller who may play, or raises."""

    check: Callable[..., object]
    player: Callable[[], Any]


AUTHENTICATION = Authentication()
