"""Webhooks, and what is sent to them."""

from __future__ import annotations

from marshmallow import fields, validate

from service.api.schemas import pages
from service.api.schemas.base import (
    Answered,
    Asked,
    Fits,
    Truth,
    distinct,
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
    """Return an address to be called."""
    return text("Where to call: `https`, without user, password and fragment, on port 443 or above "
                "1024, on a host that the whole internet can reach.",
                validate=Fits(f"^https?://[!-~]{{1,{MAX_URL_LENGTH - 8}}}$",
                              "Should be an https address of at most "
                              f"{MAX_URL_LENGTH} characters."),
                **kwargs)


def events(**kwargs) -> fields.List:
    """Return what to call for."""
    return fields.List(
        one_of(NOTICES, "As `listMyEvents` tells it."),
        validate=[validate.Length(1, len(NOTICES)), distinct],
        metadata={"description": "What to call for, by the names of `listMyEvents`; everything "
                                 "unless you say.", "uniqueItems": True}, **kwargs)


class WebhookRequestSchema(Asked):
    """An address that is to be called."""

    url = url()
    events = events()


class WebhookChangeRequestSchema(Asked):
    """What is to be otherwise; what is left out stays."""

    url = url(required=False)
    events = events()
    enabled = Truth(metadata={
        "description": "Whether to call. Switched on, it is told of every game that waits for you, "
                       "and of what happens from then on."})


class DisabledSchema(Answered):
    """Why a webhook is switched off."""

    at = time("Since when.")
    reason = text("Why, in words.")


class WebhookSchema(Answered):
    """An address that is called when there is something to tell."""

    id = text("The webhook's id.")
    url = text("Where it is.")
    events = fields.List(one_of(NOTICES, "As `listMyEvents` tells it."), required=True, metadata={
        "description": "What it is called for."})
    enabled = fields.Boolean(required=True, metadata={"description": "Whether it is called."})
    disabled = one(DisabledSchema, "Why it is not called, if it is not.", required=False)
    created = time("When it was made.")


class CreatedWebhookSchema(WebhookSchema):
    """A new webhook with its signing secret, which is shown this once."""

    secret = text("What calls are signed with, `whsec_...`, as Standard Webhooks has it. It cannot "
                  "be shown again.")


WebhooksSchema = pages.page_of(WebhookSchema, "WebhooksSchema",
                               "The account's webhooks, the oldest first.")


class PingSchema(Answered):
    """A test call that will be made."""

    id = text("The call's `webhook-id`.")


class RefusedActionSchema(Answered):
    """Why an action that a webhook answered was not played."""

    type = text("The problem's type.")
    detail = text("What was wrong, for people.")


class DeliverySchema(Answered):
    """An attempt at a call."""

    id = text("The call's `webhook-id`, the same at every attempt.")
    event = one_of([*NOTICES, PING], "What it told.")
    game = text("The game's id; missing from `ping`.", required=False)
    at = time("When it was over.")
    attempt = whole("Which attempt it was, from 1.", 1)
    milliseconds = whole("How long it took.")
    status = whole("The status that was answered, if one was.", 100, 999, required=False)
    failure = text("What went wrong, in words, if something did.", required=False)
    next = time("When it will be tried again, if it will.", required=False)
    played = whole("The game's version after the action that was answered.", 1, required=False)
    refused = one(RefusedActionSchema, "Why the action that was answered was not played.",
                  required=False)


DeliveriesSchema = pages.page_of(DeliverySchema, "DeliveriesSchema",
                                 "The latest attempts, the newest first.")


class CallSchema(NoticeSchema):
    """What is sent to a webhook: a `Notice` and when it was so, or a test."""

    class Meta(NoticeSchema.Meta):
        exclude = ("cursor",)

    type = one_of([*NOTICES, PING], "As in a `Notice`; `ping` is a test.")
    timestamp = time("Since when it is so.")
    game = text("The game's id; missing from `ping`.", required=False)
    webhook = text("The webhook's id, with `ping`.", required=False)


class CallAnswerSchema(Answered):
    """What may be answered to `your_turn`: the action to play."""

    action = one(ActionSchema, "One of the view's `legal_actions`; it is played as if you had "
                               "posted it.", required=False)
    version = whole("The version of the view that it was chosen on: should the game have moved on, "
                    "it is not played.", 1, required=False)
