"""Request headers: idempotency keys, preferences, and the versions that a request is meant for."""

import re

from marshmallow import fields

from service.http.schemas.base import Asked, Fits, text

TAG = '(W/)?"[!#-~]*"'
# A version in a strong tag: alone, or as in an ETag, with the content's hash and the coding.
VERSION = re.compile('(?<!W/)"(0|[1-9][0-9]{0,8})(?:-[0-9a-f]{16})?(?:-gzip)?"')


def key(description: str, **kwargs) -> fields.String:
    return text(
        description,
        required=False,
        validate=Fits("^[!-~]{1,128}$", "Should be 1 to 128 visible ASCII characters."),
        **kwargs,
    )


class KeyHeadersSchema(Asked):
    """By what name a request is known."""

    idempotency_key = key(
        "A unique key that you choose for this request. If you repeat the request with the same "
        "key and body, for example after a lost response, it is executed only once, and the answer "
        "is the same as the first time.",
        data_key="Idempotency-Key",
    )


def if_match(description: str) -> fields.String:
    return text(
        description,
        data_key="If-Match",
        required=False,
        validate=Fits(
            rf"^(\*|{TAG}( *, *{TAG})*)$",
            'Should be a version in quotes, such as "42", the ETag of an answer, several of these '
            "with commas between, or *.",
        ),
    )


def versions_in(tags: str | None) -> tuple[int, ...] | None:
    """Return the versions that If-Match names (RFC 9110, 13.1.1), None if any will do. A weak tag,
    or one of something else, matches none."""
    if tags is None or tags == "*":
        return None
    return tuple(map(int, VERSION.findall(tags)))


def prefer() -> fields.String:
    return fields.String(
        data_key="Prefer",
        required=False,
        metadata={
            "description": "`return=minimal` (RFC 7240): the answer to an action has no view, and "
            "`Preference-Applied` confirms it. Other preferences are ignored."
        },
    )


class PreferHeadersSchema(Asked):
    """The Prefer header."""

    prefer = prefer()


class SecretKeyHeadersSchema(Asked):
    """The idempotency key of a request that creates a secret; it is kept for a day."""

    idempotency_key = text(
        "A random key that you choose for this request. If you repeat the request with the same "
        "key and body within a day, for example after a lost response, the answer has the same "
        "token or secret. So keep the key as secret as the token.",
        data_key="Idempotency-Key",
        required=False,
        validate=Fits("^[!-~]{16,128}$", "Should be 16 to 128 visible ASCII characters."),
    )
