"""Change and delete accounts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from redis import Redis

from domain.errors import Refused
from service.accounts import accounts, tokens
from service.accounts.accounts import EXTERNAL, Account
from service.accounts.invitations import change_rules
from service.accounts.names import proper_name
from service.redis.deleted import NAME, Deleted


def change(redis: Redis, account: Account, body: Mapping[str, Any]) -> Account:
    """Change an account's ``name``, a bot's ``version``, and which ``invitations`` it takes and
    accounts it has ``blocked``; return the account. Name and version apply from the next game or
    tournament that the account enters."""
    if "version" in body and account.bot != EXTERNAL:
        raise Refused("not-a-bot", None, "only a bot has versions, an account that was made as one "
                                         "(createBot)", "version")
    if "name" in body:
        body = {**body, "name": proper_name(body["name"])}
    change_rules(redis, account.id, body)
    if values := {name: body[name] for name in ("name", "version") if name in body}:
        account = replace(account, **values)
        accounts.keep(redis, account)
    return account


def delete(redis: Redis, account: Account, deleted: Deleted, token: str) -> list[str]:
    """Delete all data of an account, but keep a row as a sign that it existed. Return its revoked
    tokens, by their ids. The ``token`` of the request is revoked last, so that an interrupted
    request can be repeated."""
    deleted.add(account.id)
    accounts.keep(redis, replace(account, name=NAME, version=None, deleted=True))
    redis.delete(f"player:{account.id}:bots")
    if account.owner:
        redis.srem(f"player:{account.owner}:bots", account.id)
    return tokens.revoke_all(redis, account, token)
