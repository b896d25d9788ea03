"""How the service is."""

from __future__ import annotations

from marshmallow import fields

from service.api.schemas.base import Answered, one, one_of, text, whole


class HealthSchema(Answered):
    """How the service is."""

    status = one_of(["ok"], "Always `ok`.")


class WorkersSchema(Answered):
    """How many workers live. One that is killed counts for two minutes."""

    bots = whole("Workers that play built-in bots.")
    deliveries = whole("Workers that call webhooks.")


class ReadinessSchema(HealthSchema):
    """Whether requests can be served, and what cannot be done meanwhile."""

    workers = one(WorkersSchema, "Workers that live, as seen in the last ten seconds; missing "
                                 "until the process has looked, and for up to 20 seconds after "
                                 "its start while workers may be starting.", required=False)
    warnings = fields.List(text("What is wrong, in words."), metadata={
        "description": "What those who run the service should look at. Empty if all is well; "
                       "missing with `workers`."})
