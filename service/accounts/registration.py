"""Create accounts, each with its first token, which can never be read again, and change them.

Creation is idempotent under a key for a day: the account and the token are the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from redis import Redis

from domain.errors import Refused
from service.accounts import accounts, tokens
from service.accounts.accounts import EXTERNAL, Account
from service.accounts.invitations import change_rules
from service.accounts.names import proper_name
from service.accounts.tokens import SCOPES
from service.errors import NotYours
from service.eventlog.idempotency import create_once
from service.eventlog.quotas import refuse_more
from service.redis.secret import new_id
from service.times import now


def register(redis: Redis, name: str, key: str | None = None) -> tuple[Account, str]:
    """Create an account; return it and its token, which is derived from the key, if any."""
    account = Account(new_id("p"), proper_name(name), now())
    return _account_of(redis, f"player\n{key}" if key else None, account)


def register_bot(
    redis: Redis,
    owner: Account,
    name: str,
    key: str | None = None,
    version: str | None = None,
    scopes: Sequence[str] = SCOPES,
) -> tuple[Account, str]:
    """Create an account that is marked for ever as a bot of its owner; return it and its token,
    which has these scopes. Raise Refused if the owner has too many."""
    if owner.bot:
        raise NotYours("a bot cannot own bots")
    account = Account(new_id("p"), proper_name(name), now(), EXTERNAL, owner.id, version)
    made, token = _account_of(redis, f"bot\n{owner.id}\n{key}" if key else None, account, scopes)
    redis.sadd(f"player:{owner.id}:bots", made.id)
    return made, token


def _account_of(
    redis: Redis, key: str | None, new: Account, scopes: Sequence[str] = SCOPES
) -> tuple[Account, str]:
    token = tokens.derived_token(redis, key) if key else tokens.new_token()
    if key:
        new = Account(**create_once(redis, key, new.as_json(), _what_was_asked))
    if not key or not accounts.is_there(redis, new.id):
        if new.owner:
            refuse_more(
                "bots",
                redis.scard(f"player:{new.owner}:bots"),
                "each of them may play many games at once",
            )
        tokens.issue(redis, new, token, scopes)
        accounts.keep(redis, new)
    return new, token


def _what_was_asked(row: dict) -> dict:
    return row | {"id": "", "created": ""}


def change(redis: Redis, account: Account, body: Mapping[str, Any]) -> Account:
    """Change an account's ``name``, a bot's ``version``, and which ``invitations`` it takes and
    accounts it has ``blocked``; return the account. Name and version apply from the next game or
    tournament that the account enters."""
    if "version" in body and account.bot != EXTERNAL:
        raise Refused(
            "not-a-bot",
            None,
            "only a bot has versions, an account that was made as one (createBot)",
            "version",
        )
    if "name" in body:
        body = {**body, "name": proper_name(body["name"])}
    change_rules(redis, account.id, body)
    if values := {name: body[name] for name in ("name", "version") if name in body}:
        account = replace(account, **values)
        accounts.keep(redis, account)
    return account
