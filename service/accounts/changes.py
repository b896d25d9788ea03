"""Accounts that change, and that are deleted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from redis import Redis

from domain.errors import Refused
from service.accounts import accounts, tokens
from service.accounts.accounts import EXTERNAL, Account
from service.accounts.names import proper_name
from service.store.deleted import NAME, Deleted


def change(redis: Redis, account: Account, wish: Mapping[str, str]) -> Account:
    """Give an account another ``name``, or let a bot be another ``version``, from now on, where it
    sits down and enters; return it."""
    if "version" in wish and account.bot != EXTERNAL:
        raise Refused("not-a-bot", None, "only a bot has versions, an account that was made as one "
                                         "(createBot)", "version")
    if "name" in wish:
        wish = {**wish, "name": proper_name(wish["name"])}
    values: dict[str, Any] = {**wish}
    changed = replace(account, **values)
    accounts.keep(redis, changed)
    return changed


def delete(redis: Redis, account: Account, deleted: Deleted, token: str) -> list[str]:
    """Leave of an account nothing but that it was there; return the tokens that it had, by their
    ids. The ``token`` by which that was asked for is good to the last: if this is cut off, it can
    be asked for again."""
    deleted.add(account.id)
    accounts.keep(redis, replace(account, name=NAME, version=None, deleted=True))
    redis.delete(f"player:{account.id}:bots")
    if account.owner:
        redis.srem(f"player:{account.owner}:bots", account.id)
    return tokens.revoke_all(redis, account, token)
