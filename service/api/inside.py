"""Where the service's own workers ask whom to call."""

from __future__ import annotations

import flask
from flask import request

from service.api.answers import answer, answer_nothing
from service.api.callers import account
from service.api.webhooks import calls
from service.errors import NotYours, UnknownThing
from service.webhooks.deliveries import LANES

blueprint = flask.Blueprint("inside", __name__, url_prefix="/internal")


@blueprint.route("/webhooks/<string:webhook>/lanes/<int:lane>", methods=["POST"])
def next_call(webhook: str, lane: int):
    """Take a worker's report of the call before, if it has one; answer with the next call of the
    lane, 204 if there is none for now. ``last`` says that the worker wants no other."""
    if not account().player.is_built_in:
        raise NotYours("only the service's own workers may ask this")
    if not 0 <= lane < LANES:
        raise UnknownThing("lane", str(lane))
    report, deliveries = request.get_json(), calls()
    rest = deliveries.done(webhook, report) if "call" in report else 0
    if rest or report.get("last"):
        deliveries.rest(webhook, lane, rest)
        return answer_nothing()
    call = deliveries.next(webhook, lane)
    return answer(call, 200, {"Cache-Control": "no-store"}) if call else answer_nothing()
