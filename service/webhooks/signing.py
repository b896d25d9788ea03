"""Sign deliveries to webhooks, and derive the token that plays the actions in their answers.

Neither the signing secret nor the token is stored: both are derived from the service's secret and
the webhook's id. The token is listed with the account's other tokens. If it is revoked, the webhook
is disabled.
"""

import base64
import hmac

from redis import Redis

from service.accounts import tokens
from service.redis.secret import secret_for


def signing_secret(redis: Redis, webhook_id: str) -> str:
    """Return the signing secret of a webhook, in the form that its owner is given."""
    return "whsec_" + base64.b64encode(secret_for(redis, f"webhook secret\n{webhook_id}")).decode()


def token(redis: Redis, webhook_id: str) -> str:
    """Return the token that plays the actions in a webhook's answers."""
    return tokens.derived_token(redis, f"webhook token\n{webhook_id}")


def signature(secret: str, delivery_id: str, timestamp: int, body: str) -> str:
    """Return a delivery's signature by the convention of Standard Webhooks, version 1."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.digest(key, f"{delivery_id}.{timestamp}.{body}".encode(), "sha256")
    return "v1," + base64.b64encode(digest).decode()
