"""How the service is."""

from __future__ import annotations

from service.api.schemas.base import Answered, one_of


class HealthSchema(Answered):
    """How the service is."""

    status = one_of(["ok"], "Always `ok`.")
