"""How what is sent to a webhook is signed, and the token that plays what it answers.

Neither the signing secret nor the token is kept anywhere: both are derived from the service's
secret and the webhook's id. The token is one of the account's, listed with the others; without it
nothing is called.
"""

from __future__ import annotations

import base64
import hmac

from redis import Redis

from service.accounts import tokens
from service.store.secret import secret_for


def signing_secret(redis: Redis, webhook_id: str) -> str:
    """Return what the deliveries of a webhook are signed with, as its owner is told."""
    return "whsec_" + base64.b64encode(secret_for(redis, f"webhook secret\n{webhook_id}")).decode()


def token(redis: Redis, webhook_id: str) -> str:
    """Return the token that plays what a webhook answers."""
    return tokens.derived_token(redis, f"webhook token\n{webhook_id}")


def signature(secret: str, delivery_id: str, timestamp: int, body: str) -> str:
    """Return a delivery's signature by the convention of Standard Webhooks, version 1."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.digest(key, f"{delivery_id}.{timestamp}.{body}".encode(), "sha256")
    return "v1," + base64.b64encode(digest).decode()
