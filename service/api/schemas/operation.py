"""The health of the service."""

from __future__ import annotations

from marshmallow import fields

from service.api.schemas.base import Answered, one, one_of, text, whole


class HealthSchema(Answered):
    """The health of the service."""

    status = one_of(["ok"], "Always `ok`.")


class WorkersSchema(Answered):
    """The number of live workers. A killed worker is counted for two more minutes."""

    bots = whole("Workers that play for built-in bots.")
    deliveries = whole("Workers that call webhooks.")


class ReadinessSchema(HealthSchema):
    """Whether the service is ready, and what is limited at the moment."""

    workers = one(WorkersSchema, "Workers seen in the last ten seconds; missing until the process "
                                 "has checked, and for up to 20 seconds after its start while "
                                 "workers may be starting.", required=False)
    warnings = fields.List(text("The problem, for people."), metadata={
        "description": "Problems that operators should look at. Empty if there are none; missing "
                       "if `workers` is."})
