"""Webhooks, their deliveries, and the calls that they receive."""

from __future__ import annotations

from marshmallow import fields, validate

from service.api.schemas import pages
from service.api.schemas.base import (
    Answered,
    Asked,
    Fits,
    Truth,
    distinct,
    flag,
    one,
    one_of,
    text,
    time,
    whole,
)
from service.api.schemas.tagged import ActionSchema
from service.api.schemas.views import NoticeSchema
from service.games.notices import NOTICES
from service.webhooks.addresses import MAX_URL_LENGTH
from service.webhooks.attempts import PING


def url(**kwargs) -> fields.String:
    """Return the field for a webhook's address."""
    return text("The address to call: `https`, without user, password or fragment, on port 443 or "
                "above 1024, on a publicly reachable host.",
                validate=Fits(f"^https?://[!-~]{{1,{MAX_URL_LENGTH - 8}}}$",
                              "Should be an https address of at most "
                              f"{MAX_URL_LENGTH} characters."),
                **kwargs)


def events(**kwargs) -> fields.List:
    """Return the field for the types of notices to send."""
    return fields.List(
        one_of(NOTICES, "A type of notice, as in `listMyEvents`."),
        validate=[validate.Length(1, len(NOTICES)), distinct],
        metadata={"description": "The types of notices to send, as in `listMyEvents`; all by "
                                 "default.", "uniqueItems": True}, **kwargs)


class WebhookRequestSchema(Asked):
    """A new webhook."""

    url = url()
    events = events()


class WebhookChangeRequestSchema(Asked):
    """Changes to a webhook; missing members stay as they are."""

    url = url(required=False)
    events = events()
    enabled = Truth(metadata={
        "description": "Whether to call. When enabled again, it gets the games that wait for you "
                       "now and all later notices."})


class DisabledSchema(Answered):
    """Why a webhook is disabled."""

    at = time("When it was disabled.")
    reason = text("The reason, for people.")


class WebhookSchema(Answered):
    """A webhook: an address that the service calls with notices."""

    id = text("The webhook's id.")
    url = text("The address.")
    events = fields.List(one_of(NOTICES, "A type of notice, as in "
                                         "`listMyEvents`."), required=True, metadata={
        "description": "The types of notices to send."})
    enabled = flag("Whether it is called.")
    disabled = one(DisabledSchema, "The reason, if it is disabled.", required=False)
    created = time("When it was created.")


class CreatedWebhookSchema(WebhookSchema):
    """A new webhook with its signing secret, which is shown only here."""

    secret = text("The secret that signs calls, `whsec_...`, as in Standard Webhooks. It cannot be "
                  "shown again.")


WebhooksSchema = pages.page_of(WebhookSchema, "WebhooksSchema",
                               "The account's webhooks, oldest first.")


class PingSchema(Answered):
    """A queued test call."""

    id = text("The call's `webhook-id`.")


class RefusedActionSchema(Answered):
    """Why an action in a webhook's response was not played."""

    type = text("The problem's type.")
    detail = text("The reason, for people.")


class DeliverySchema(Answered):
    """One attempt to deliver a call."""

    id = text("The call's `webhook-id`, the same in every attempt.")
    event = one_of([*NOTICES, PING], "The type of notice.")
    game = text("As in `Notice`; missing from `ping`.", required=False)
    tournament = text("The tournament's id, with `tournament`.", required=False)
    at = time("When the attempt ended.")
    attempt = whole("The number of the attempt, from 1.", 1)
    milliseconds = whole("The duration in milliseconds.")
    status = whole("The HTTP status of the response, if there was one.", 100, 999, required=False)
    failure = text("The error, if the attempt failed.", required=False)
    retry_at = time("When the next attempt is due, if there is one.", required=False)
    version = whole("The game's version after the response's action was played.", 1, required=False)
    refused = one(RefusedActionSchema, "Why the response's action was not played.",
                  required=False)


DeliveriesSchema = pages.page_of(DeliverySchema, "DeliveriesSchema",
                                 "The latest attempts, newest first.")


class CallSchema(NoticeSchema):
    """A call to a webhook: a `Notice` with a time, or a test."""

    class Meta(NoticeSchema.Meta):
        exclude = ("cursor",)

    type = one_of([*NOTICES, PING], "As in `Notice`; `ping` is a test.")
    timestamp = time("When the situation arose.")
    game = text("As in `Notice`; missing from `ping`.", required=False)
    webhook = text("The webhook's id, with `ping`.", required=False)


class CallAnswerSchema(Answered):
    """The optional response to `your_turn`: the action to play."""

    action = one(ActionSchema, "One of the view's `legal_actions`. It is played as if you had "
                               "posted it.", required=False)
    version = whole("The version of the view that it was chosen from. If the game has a later "
                    "version, it is not played.", 1, required=False)
