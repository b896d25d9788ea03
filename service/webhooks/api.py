"""Webhooks: registering, changing, testing, and listing their deliveries; for workers, the
deliveries to make."""

import secrets
from typing import Annotated, TypedDict

import flask
from flask import request
from marshmallow import fields, validate

from domain.described import as_json
from domain.errors import Refused
from service.accounts.callers import account, caller, check_worker
from service.accounts.tokens import ADMIN, PLAY
from service.games.notices import NOTICES
from service.http.answers import answer, answer_created, answer_nothing, answer_page
from service.http.blueprint import Blueprint
from service.http.caching import NEVER
from service.http.counting import count
from service.http.descriptions import SIGNED_IN, location
from service.http.schemas.base import Asked, EmptyRequestSchema, Fits, Truth, distinct, one_of, text
from service.http.schemas.headers import KeyHeadersSchema, SecretKeyHeadersSchema
from service.http.serving import games, services
from service.webhooks import attempts, webhooks
from service.webhooks.deliveries import Deliveries
from service.webhooks.webhooks import MAX_URL_LENGTH, CreatedWebhook, Webhook, Webhooks

blueprint = Blueprint(
    "webhooks",
    __name__,
    url_prefix="/v1/me/webhooks",
    description="Be called by the service instead of listening to `listMyEvents`.",
)
internal = flask.Blueprint("internal_webhooks", __name__, url_prefix="/internal")


def _url(**kwargs) -> fields.String:
    return text(
        "The address to call: `https`, without user, password or fragment, on port 443 or "
        "above 1024, on a publicly reachable host.",
        validate=Fits(
            f"^https?://[!-~]{{1,{MAX_URL_LENGTH - 8}}}$",
            f"Should be an https address of at most {MAX_URL_LENGTH} characters.",
        ),
        **kwargs,
    )


def _events(**kwargs) -> fields.List:
    return fields.List(
        one_of(NOTICES, "A type of notice, as in `listMyEvents`."),
        validate=[validate.Length(1, len(NOTICES)), distinct],
        metadata={
            "description": "The types of notices to send, as in `listMyEvents`; all by default.",
            "uniqueItems": True,
        },
        **kwargs,
    )


class WebhookRequestSchema(Asked):
    """A new webhook."""

    url = _url()
    events = _events()


class WebhookChangeRequestSchema(Asked):
    """Changes to a webhook; missing members stay as they are."""

    url = _url(required=False)
    events = _events()
    enabled = Truth(
        metadata={
            "description": "Whether to call. When enabled again, it gets the games that wait for "
            "you now and all later notices."
        }
    )


class Ping(TypedDict):
    """A queued test call."""

    id: Annotated[str, "The call's `webhook-id`."]


@blueprint.operation(
    "POST",
    "createWebhook",
    SIGNED_IN,
    409,
    503,
    headers=SecretKeyHeadersSchema,
    body=WebhookRequestSchema,
)
@blueprint.response(
    201,
    CreatedWebhook,
    description="The webhook and its signing secret.",
    headers=location("The webhook.", "/v1/me/webhooks/w_1"),
)
def create_webhook(headers: dict, body: dict):
    """Create a webhook

    The service will send the notices of `listMyEvents` to the address, signed by the convention of
    Standard Webhooks, beginning with every game that waits for you now. The response to `your_turn`
    may hold the action to play. The signing secret is shown only in this answer. The service also
    creates a token for the webhook, which can only play; revoking it stops the calls. So the
    request requires the scope `play`, too. See docs/webhooks.md."""
    caller(PLAY)
    made, secret = webhooks.register(
        games().redis,
        account(ADMIN),
        body["url"],
        body.get("events"),
        headers.get("idempotency_key"),
    )
    deliveries().begin(made)
    return answer_created(as_json(made) | {"secret": secret}, f"/v1/me/webhooks/{made.id}", NEVER)


@blueprint.operation("GET", "listWebhooks", SIGNED_IN, 503)
@blueprint.response(200, Webhooks, description="The account's webhooks.")
def list_webhooks():
    """List your webhooks

    Oldest first."""
    return answer_page([*map(as_json, webhooks.webhooks_of(games().redis, account(ADMIN)))])


@blueprint.operation("GET /<string:webhook>", "getWebhook", SIGNED_IN, 404, 503)
@blueprint.response(200, Webhook, description="The webhook.")
def get_webhook(webhook: str):
    """Get a webhook

    The webhook, with the reason if it is disabled."""
    return answer(as_json(_own(webhook)))


@blueprint.operation(
    "PATCH /<string:webhook>",
    "changeWebhook",
    SIGNED_IN,
    404,
    409,
    503,
    body=WebhookChangeRequestSchema,
)
@blueprint.response(200, Webhook, description="The changed webhook.")
def change_webhook(body: dict, webhook: str):
    """Change a webhook

    Change its address or its types of notices, or enable or disable it. The secret stays the same.
    """
    before = _own(webhook)
    changed = webhooks.change(games().redis, before, body)
    if changed.enabled and not before.enabled:
        deliveries().begin(changed)
    elif before.enabled and not changed.enabled:
        deliveries().forget(changed.id)
    deliveries().refresh()
    return answer(as_json(changed))


@blueprint.operation("DELETE /<string:webhook>", "deleteWebhook", SIGNED_IN, 404, 503)
@blueprint.response(204, description="The webhook is deleted.")
def delete_webhook(webhook: str):
    """Delete a webhook

    Calls stop, and its token is revoked."""
    webhooks.delete(games().redis, account(ADMIN), _own(webhook))
    deliveries().forget(webhook)
    return answer_nothing()


@blueprint.operation(
    "POST /<string:webhook>/pings",
    "pingWebhook",
    SIGNED_IN,
    404,
    409,
    503,
    headers=KeyHeadersSchema,
    body=EmptyRequestSchema,
)
@blueprint.response(202, Ping, description="The call is queued.")
def ping_webhook(headers: dict, _nothing: dict, webhook: str):
    """Test a webhook

    Sends one call of the type `ping`, without retries. `listDeliveries` has its result."""
    hook = _own(webhook)
    if not hook.enabled:
        raise Refused("webhook-off", None, "the webhook is switched off")
    count("pings", hook.account)
    key = headers.get("idempotency_key") or secrets.token_hex(16)
    return answer(Ping(id=deliveries().ping(hook, key)), 202)


@blueprint.operation("GET /<string:webhook>/deliveries", "listDeliveries", SIGNED_IN, 404, 503)
@blueprint.response(200, attempts.DeliveriesJson, description="The latest deliveries.")
def list_deliveries(webhook: str):
    """List the latest deliveries of a webhook

    The last hundred attempts, newest first. Only the status of a response is stored, and the result
    of its action."""
    return answer_page(attempts.latest(games().redis, _own(webhook).id))


@internal.route("/webhooks/<string:webhook>/lanes/<string:lane>", methods=["POST"])
def next_delivery(webhook: str, lane: str):
    """Record the worker's report of its last delivery, if it sends one, and return the next
    delivery of the lane; 204 if there is none now. ``worker`` names the worker: it holds the lane
    alone. ``last`` says that it wants no further delivery."""
    check_worker()
    report = request.get_json()
    worker = str(report.get("worker", ""))
    rest = deliveries().record(webhook, report) if "call" in report else 0
    if rest or report.get("last"):
        deliveries().leave(webhook, lane, worker, rest)
        return answer_nothing()
    asked = deliveries().next_request(webhook, lane, worker)
    return answer(asked, 200, NEVER) if asked else answer_nothing()


def deliveries() -> Deliveries:
    return services().find(Deliveries)


def _own(webhook: str) -> Webhook:
    return webhooks.get(games().redis, account(ADMIN), webhook)
