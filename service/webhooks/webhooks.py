"""Webhooks: URLs that the service calls for an account.

``webhook:ID``          the webhook, as JSON
``webhooks``            hash: id -> the same, for the enabled ones
``player:ID:webhooks``  the ids of an account's webhooks

A webhook's other keys belong to its deliveries (``lanes``, ``attempts``, ``deliveries``).

Neither its signing secret nor its token, which plays the actions in answers, is stored: both are
derived from the service's secret and its id. The token is listed with the account's other tokens.
If it is revoked, the webhook is disabled.
"""

import base64
import hmac
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from ipaddress import ip_address
from typing import Annotated, TypedDict

import orjson
from redis import Redis
from urllib3.exceptions import LocationParseError
from urllib3.util import Url, parse_url

from domain.described import AllOf, Page, Time, choice
from domain.errors import Refused
from service import settings
from service.accounts import tokens
from service.accounts.accounts import Account
from service.errors import BadRequest, UnknownThing
from service.eventlog.idempotency import create_once
from service.eventlog.quotas import refuse_more
from service.games.notices import LOST, NOTICES
from service.redis.secret import new_id, secret_for
from service.times import now
from service.webhooks.lanes import key

MAX_URL_LENGTH = 500  # characters
MIN_PORT = 1025  # and 443


class Disabled(TypedDict):
    """Why a webhook is disabled."""

    at: Annotated[Time, "When it was disabled."]
    reason: Annotated[str, "The reason, for people."]


@dataclass(frozen=True)
class Webhook:
    """A webhook: an address that the service calls with notices."""

    id: Annotated[str, "The webhook's id."]
    account: str
    url: Annotated[str, "The address."]
    events: Annotated[
        tuple[Annotated[str, choice(NOTICES), "A type of notice, as in `listMyEvents`."], ...],
        "The types of notices to send.",
    ]
    enabled: Annotated[bool, "Whether it is called."]
    created: Annotated[Time, "When it was created."]
    disabled: Annotated[Disabled | None, "The reason, if it is disabled."] = None

    @staticmethod
    def of_row(row: Mapping) -> "Webhook":
        return Webhook(
            row["id"],
            row["account"],
            row["url"],
            tuple(row["events"]),
            row["enabled"],
            row["created"],
            row.get("disabled"),
        )

    def as_row(self) -> dict:
        return {name: value for name, value in asdict(self).items() if value is not None}


class SigningSecret(TypedDict):
    """The secret of a new webhook."""

    secret: Annotated[
        str,
        "The secret that signs calls, `whsec_...`, as in Standard Webhooks. It cannot be "
        "shown again.",
    ]


CreatedWebhook = AllOf(
    "CreatedWebhook",
    "A new webhook with its signing secret, which is shown only here.",
    (Webhook, SigningSecret),
)
Webhooks = Page("Webhooks", Webhook, "The account's webhooks, oldest first.")


def register(
    redis: Redis, account: Account, url: str, events: Iterable[str] | None, key: str | None = None
) -> tuple[Webhook, str]:
    """Create a webhook; return it and its signing secret. It is idempotent under the key for a day.
    Raise Refused if the account has too many."""
    new = Webhook(new_id("w"), account.id, callable_address(url), _in_order(events), True, now())
    if key:  # an earlier request may have died before it created the webhook
        name = f"webhook\n{account.id}\n{key}"
        new = Webhook.of_row(create_once(redis, name, new.as_row(), _what_was_asked))
    if not redis.exists(f"webhook:{new.id}"):
        refuse_more("webhooks", redis.scard(f"player:{account.id}:webhooks"), "delete one of them")
        tokens.issue(redis, account, token(redis, new.id), (tokens.PLAY,), f"webhook {new.id}")
        redis.sadd(f"player:{account.id}:webhooks", new.id)
        save(redis, new)
    return new, signing_secret(redis, new.id)


def _what_was_asked(row: Mapping) -> list:
    return [row["url"], [*row["events"]]]


def webhooks_of(redis: Redis, account: Account) -> list[Webhook]:
    """Return an account's webhooks, the oldest first."""
    ids = [raw.decode() for raw in redis.smembers(f"player:{account.id}:webhooks")]
    known = [webhook for webhook in (find(redis, webhook_id) for webhook_id in ids) if webhook]
    return sorted(known, key=lambda webhook: (webhook.created, webhook.id))


def get(redis: Redis, account: Account, webhook_id: str) -> Webhook:
    webhook = find(redis, webhook_id)
    if webhook is None or webhook.account != account.id:
        raise UnknownThing("webhook", webhook_id)
    return webhook


def find(redis: Redis, webhook_id: str) -> Webhook | None:
    raw = redis.get(f"webhook:{webhook_id}")
    return Webhook.of_row(orjson.loads(raw)) if raw else None


def change(redis: Redis, webhook: Webhook, body: Mapping) -> Webhook:
    """Return a copy of a webhook with another URL or other events, enabled or disabled."""
    if "url" in body:
        webhook = replace(webhook, url=callable_address(body["url"]))
    if "events" in body:
        webhook = replace(webhook, events=_in_order(body["events"]))
    if body.get("enabled") is False and webhook.enabled:
        return switch_off(redis, webhook, "its owner has switched it off")
    if body.get("enabled") and not webhook.enabled:
        if not has_token(redis, webhook):
            raise Refused(
                "webhook-token-revoked",
                None,
                "the webhook's token was revoked; register the address again",
                "enabled",
            )
        webhook = replace(webhook, enabled=True, disabled=None)
    save(redis, webhook)
    return webhook


def has_token(redis: Redis, webhook: Webhook) -> bool:
    """Return whether a webhook's token still exists: it was not revoked."""
    return bool(redis.exists(tokens.token_key(token(redis, webhook.id))))


def switch_off(redis: Redis, webhook: Webhook, why: str) -> Webhook:
    """Disable a webhook and drop its pending deliveries."""
    webhook = replace(webhook, enabled=False, disabled={"at": now(), "reason": why})
    save(redis, webhook)
    return webhook


def save(redis: Redis, webhook: Webhook) -> None:
    """Store a webhook. The order of the writes matters: if a crash interrupts it, no webhook is
    enabled and never called. The opposite, one that is called and should not be, is noticed before
    a call (``deliveries``)."""
    raw = orjson.dumps(webhook.as_row())
    if webhook.enabled:
        redis.hset("webhooks", webhook.id, raw)
    redis.set(f"webhook:{webhook.id}", raw)
    if not webhook.enabled:
        redis.hdel("webhooks", webhook.id)


def delete(redis: Redis, account: Account, webhook: Webhook) -> None:
    redis.delete(f"webhook:{webhook.id}")
    redis.delete(key(webhook.id, "deliveries"))
    redis.hdel("webhooks", webhook.id)
    redis.srem(f"player:{account.id}:webhooks", webhook.id)
    with suppress(UnknownThing):  # it was already revoked
        tokens.revoke(redis, account, tokens.token_id(token(redis, webhook.id)))


def _in_order(events: Iterable[str] | None) -> tuple[str, ...]:
    wanted = events or [name for name in NOTICES if name != LOST]
    return tuple(name for name in NOTICES if name in wanted)


def callable_address(url: str) -> str:
    """Return a URL that a webhook may have. Each call checks the host (workers/outbound.py)."""
    try:
        parts = parse_url(url)
    except LocationParseError:
        parts = Url()
    host, is_free = (parts.host or "").strip("[]"), settings.WEBHOOKS_PRIVATE.value()
    if parts.scheme != "https" and not (is_free and parts.scheme == "http"):
        raise BadRequest("the address should begin with https://", "url")
    if not host or not url.isascii() or len(url) > MAX_URL_LENGTH or parts.fragment:
        raise BadRequest(
            "the address should have a host, no fragment, and at most "
            f"{MAX_URL_LENGTH} ASCII characters",
            "url",
        )
    if parts.auth is not None:
        raise BadRequest("the address should have no user and no password in it", "url")
    if is_free:
        return url
    if parts.port not in (None, 443) and parts.port < MIN_PORT:
        raise BadRequest(f"the port should be 443, or {MIN_PORT} or more", "url")
    if not _may_be_public(host):
        raise BadRequest("the address should be one that the whole internet can reach", "url")
    return url


def _may_be_public(host: str) -> bool:
    try:
        address = ip_address(host)
        return address.is_global and not address.is_multicast
    except ValueError:
        return "." in host.strip(".") and not host[-1].isdigit()


def signing_secret(redis: Redis, webhook_id: str) -> str:
    return "whsec_" + base64.b64encode(secret_for(redis, f"webhook secret\n{webhook_id}")).decode()


def token(redis: Redis, webhook_id: str) -> str:
    """Return the token that plays the actions in a webhook's answers."""
    return tokens.derived_token(redis, f"webhook token\n{webhook_id}")


def signature(secret: str, delivery_id: str, timestamp: int, body: str) -> str:
    """Return a delivery's signature by the convention of Standard Webhooks, version 1."""
    secret_key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.digest(secret_key, f"{delivery_id}.{timestamp}.{body}".encode(), "sha256")
    return "v1," + base64.b64encode(digest).decode()
