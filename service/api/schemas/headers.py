"""By what name a request is known, so that it is done only once."""

from __future__ import annotations

from marshmallow import fields

from service.api.schemas.base import Asked, Fits, text


def key(description: str, **kwargs) -> fields.String:
    """Return a name by which what is asked is known."""
    return text(description, required=False, validate=Fits(
        "^[!-~]{1,128}$", "Should be 1 to 128 visible ASCII characters."), **kwargs)


class KeyHeadersSchema(Asked):
    """By what name a request is known."""

    idempotency_key = key(
        "A name of your own for this request, new for each. Sent again with the same key and body, "
        "after a lost answer say, it is done only once and answered as the first time.",
        data_key="Idempotency-Key")


def prefer() -> fields.String:
    """Return what the caller would rather be answered."""
    return fields.String(data_key="Prefer", required=False, metadata={
        "description": "`return=minimal` (RFC 7240) leaves the view out of the answer to an action "
                       "that is played; `Preference-Applied` says so. Other preferences are "
                       "ignored."})


class PreferHeadersSchema(Asked):
    """What the caller would rather be answered."""

    prefer = prefer()


class SecretKeyHeadersSchema(Asked):
    """By what name a request for something with a secret is known, for a day."""

    idempotency_key = text(
        "A random name of your own for this request. Sent again with the same key and body within "
        "a day, after a lost answer say, it is answered with the same token or secret: so keep it "
        "as secret as that.",
        data_key="Idempotency-Key", required=False,
        validate=Fits("^[!-~]{16,128}$", "Should be 16 to 128 visible ASCII characters."))
