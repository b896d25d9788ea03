"""Webhooks: addresses that an account wants to be called at, and how calls are signed.

``webhook:ID``             the webhook, as JSON
``webhooks``               the same of those that are switched on, by id
``player:ID:webhooks``     the ids of an account's
``{w:ID}:deliveries``      the latest attempts at calling it, the newest first, as JSON

The rest of its keys are of the calls themselves (``deliveries``). Its signing secret and its token
are kept nowhere: both are derived from the service's secret and the webhook's id. The token is one
of the account's, listed with the others; it plays what the webhook answers, and without it nothing
is called.
"""

from __future__ import annotations

import base64
import hmac
import os
from contextlib import suppress
from ipaddress import ip_address

import orjson
from redis import Redis
from urllib3.exceptions import LocationParseError
from urllib3.util import Url, parse_url

from domain.errors import Refused
from service.accounts import tokens
from service.accounts.accounts import Account
from service.accounts.tokens import PLAY
from service.errors import BadRequest, UnknownThing
from service.games.notices import NOTICES
from service.store.once import made_once
from service.store.secret import derived, new_id
from service.times import now

MOST = 5  # webhooks of one account
KEPT = 100  # attempts that can be looked at
SHOWN = ("id", "url", "events", "enabled", "disabled", "created")
LONGEST_URL = 500
LEAST_PORT = 1025  # beside 443


def register(
    redis: Redis, account: Account, url: str, events: list[str] | None, key: str | None = None
) -> tuple[dict, str]:
    """Make a webhook, only one for the same idempotency key within a day; return it and its signing
    secret."""
    new = {"id": new_id("w"), "account": account.id, "url": checked(url),
           "events": _in_order(events), "enabled": True, "created": now()}
    if key:  # whoever asked first may have died before it was there
        new = made_once(redis, f"webhook\n{account.id}\n{key}", new, _asked)
    if not redis.exists(f"webhook:{new['id']}"):
        if redis.scard(f"player:{account.id}:webhooks") >= MOST:
            raise Refused("too-many-webhooks", None, f"an account has {MOST} webhooks at most")
        tokens.issue(redis, account, token(redis, new["id"]), (PLAY,), f"webhook {new['id']}")
        redis.sadd(f"player:{account.id}:webhooks", new["id"])
        save(redis, new)
    return new, signing_secret(redis, new["id"])


def _asked(row: dict) -> list:
    return [row["url"], row["events"]]


def of(redis: Redis, account: Account) -> list[dict]:
    """Return an account's webhooks, the oldest first."""
    ids = [raw.decode() for raw in redis.smembers(f"player:{account.id}:webhooks")]
    rows = [row for row in (find(redis, webhook_id) for webhook_id in ids) if row]
    return sorted(rows, key=lambda row: (row["created"], row["id"]))


def get(redis: Redis, account: Account, webhook_id: str) -> dict:
    """Return one of an account's webhooks."""
    row = find(redis, webhook_id)
    if row is None or row["account"] != account.id:
        raise UnknownThing("webhook", webhook_id)
    return row


def find(redis: Redis, webhook_id: str) -> dict | None:
    """Return a webhook, None if there is none."""
    raw = redis.get(f"webhook:{webhook_id}")
    return orjson.loads(raw) if raw else None


def change(redis: Redis, row: dict, wish: dict) -> dict:
    """Return a webhook with another address or other events, switched on or off."""
    if "url" in wish:
        row |= {"url": checked(wish["url"])}
    if "events" in wish:
        row |= {"events": _in_order(wish["events"])}
    if wish.get("enabled") is False and row["enabled"]:
        return switch_off(redis, row, "its owner has switched it off")
    if wish.get("enabled") and not row["enabled"]:
        if not redis.exists(tokens.token_key(token(redis, row["id"]))):
            raise Refused("webhook-token-revoked", None,
                          "the webhook's token was revoked; register the address anew", "enabled")
        row = {name: value for name, value in row.items() if name != "disabled"} | {"enabled": True}
    save(redis, row)
    return row


def switch_off(redis: Redis, row: dict, why: str) -> dict:
    """Call a webhook no more; what was still to be told is forgotten."""
    row = row | {"enabled": False, "disabled": {"at": now(), "reason": why}}
    save(redis, row)
    return row


def save(redis: Redis, row: dict) -> None:
    """Keep a webhook as it is now; in an order that leaves none switched on and never called,
    should this be cut off: what is called and should not be is found out (``deliveries``)."""
    raw = orjson.dumps(row)
    if row["enabled"]:
        redis.hset("webhooks", row["id"], raw)
    redis.set(f"webhook:{row['id']}", raw)
    if not row["enabled"]:
        redis.hdel("webhooks", row["id"])


def delete(redis: Redis, account: Account, row: dict) -> None:
    """Forget a webhook, and make its token worthless."""
    redis.delete(f"webhook:{row['id']}")
    redis.delete(f"{{w:{row['id']}}}:deliveries")
    redis.hdel("webhooks", row["id"])
    redis.srem(f"player:{account.id}:webhooks", row["id"])
    with suppress(UnknownThing):  # it was revoked before
        tokens.revoke(redis, account, tokens.token_id(token(redis, row["id"])))


def deliveries(redis: Redis, row: dict) -> list[dict]:
    """Return the latest attempts at calling a webhook, the newest first."""
    return [orjson.loads(raw) for raw in redis.lrange(f"{{w:{row['id']}}}:deliveries", 0, KEPT - 1)]


def shown(row: dict) -> dict:
    """Return what its owner sees of a webhook."""
    return {name: row[name] for name in SHOWN if name in row}


def checked(url: str) -> str:
    """Return an address that may be called; refuse any other. What its name stands for is looked
    up, and judged, at each call (workers/outbound.py)."""
    try:
        parts = parse_url(url)
    except LocationParseError:
        parts = Url()
    host, is_free = (parts.host or "").strip("[]"), is_private_allowed()
    if parts.scheme != "https" and not (is_free and parts.scheme == "http"):
        raise BadRequest("the address should begin with https://", "url")
    if not host or not url.isascii() or len(url) > LONGEST_URL or parts.fragment:
        raise BadRequest(f"the address should have a host, no fragment, and at most {LONGEST_URL} "
                         "ASCII characters", "url")
    if parts.auth is not None:
        raise BadRequest("the address should have no user and no password in it", "url")
    if is_free:
        return url
    if parts.port not in (None, 443) and parts.port < LEAST_PORT:
        raise BadRequest(f"the port should be 443, or {LEAST_PORT} or more", "url")
    if not _may_be_public(host):
        raise BadRequest("the address should be one that the whole internet can reach", "url")
    return url


def is_private_allowed() -> bool:
    """Return whether the operator lets private addresses and plain http be called."""
    return os.environ.get("FOGG_WEBHOOKS_PRIVATE", "").lower() in ("1", "true", "yes")


def _may_be_public(host: str) -> bool:
    try:
        return ip_address(host).is_global
    except ValueError:
        return "." in host.strip(".") and not host[-1].isdigit()


def _in_order(events: list[str] | None) -> list[str]:
    return [name for name in NOTICES if events is None or name in events]


def signing_secret(redis: Redis, webhook_id: str) -> str:
    """Return what the calls of a webhook are signed with, as its owner is told."""
    return "whsec_" + base64.b64encode(derived(redis, f"webhook secret\n{webhook_id}")).decode()


def token(redis: Redis, webhook_id: str) -> str:
    """Return the token that plays what a webhook answers."""
    return tokens.derived_token(redis, f"webhook token\n{webhook_id}")


def signature(whsec: str, call_id: str, timestamp: int, body: str) -> str:
    """Return a call's signature by the convention of Standard Webhooks, version 1."""
    key = base64.b64decode(whsec.removeprefix("whsec_"))
    digest = hmac.digest(key, f"{call_id}.{timestamp}.{body}".encode(), "sha256")
    return "v1," + base64.b64encode(digest).decode()
