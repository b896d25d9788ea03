"""Requests about webhooks."""

from marshmallow import fields, validate

from service.games.notices import NOTICES
from service.http.schemas.base import Asked, Fits, Truth, distinct, one_of, text
from service.webhooks.webhooks import MAX_URL_LENGTH


def url(**kwargs) -> fields.String:
    return text("The address to call: `https`, without user, password or fragment, on port 443 or "
                "above 1024, on a publicly reachable host.",
                validate=Fits(f"^https?://[!-~]{{1,{MAX_URL_LENGTH - 8}}}$",
                              "Should be an https address of at most "
                              f"{MAX_URL_LENGTH} characters."),
                **kwargs)


def events(**kwargs) -> fields.List:
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
