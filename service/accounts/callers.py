"""Authentication: the caller, by the token of a request."""

from collections.abc import Callable
from functools import partial

from flask import g, request

from service.accounts import accounts
from service.accounts.accounts import Account
from service.accounts.tokens import (
    PLAY,
    PREFIX,
    READ,
    Caller,
    KnownCallers,
    authenticate,
    authenticate_with_account,
    token_key,
)
from service.errors import NotSignedIn, NotYours
from service.http import counting
from service.http.context import AUTHENTICATION, context
from service.http.serving import games, services

MAX_KNOWN = 10_000  # size of a process's cache of callers


def caller(scope: str = READ) -> Caller:
    """Return the caller. Raise NotSignedIn without a token, MissingScope without the scope."""
    holder = authenticated(is_needed=True)
    assert holder
    holder.may(scope)
    return holder


def account(scope: str = READ) -> Account:
    """Return the caller's present account; raise as ``caller`` does.

    The row of a token holds the account from when the token was created; its name or version may
    have changed since. The account's id never changes, so if this process has it cached, one trip
    to Redis reads both rows."""
    redis, sent = games().redis, request.headers.get("Authorization", "")
    known = services().find(KnownCallers).get(token_key(sent))
    if known is None or "caller" in g:
        return accounts.get(redis, _keep(sent, caller(scope)).account.id)
    account_id = known.account.id
    rows: list[bytes | None] = []

    def with_account(token: str) -> Caller:
        holder, row = authenticate_with_account(redis, token, account_id)
        rows.append(row)
        return holder

    g.caller = _caller(with_account)
    caller(scope)
    return accounts.read(rows[0], account_id)


def caller_if_any(scope: str = READ) -> Caller | None:
    """Return the caller, None if no token was sent. Raise NotSignedIn if the token is not valid."""
    holder = authenticated(is_needed=False)
    if holder:
        holder.may(scope)
    return holder


def authenticated(*, is_needed: bool) -> Caller | None:
    """Return the caller, with any scope; None without a token, unless one ``is_needed``."""
    if "caller" not in g:
        g.caller = _caller(partial(authenticate, games().redis))
    if g.caller is None and is_needed:
        raise NotSignedIn("send the header Authorization: Bearer fogg_...")
    return g.caller


AUTHENTICATION.check, AUTHENTICATION.player = authenticated, partial(account, PLAY)


def check_worker() -> None:
    """Raise NotYours unless the caller is a worker of the service, which acts as a built-in bot."""
    if not account().player.is_built_in:
        raise NotYours("only the service's own workers may ask this")


def viewer() -> str | None:
    """Return the id of the caller's account, None without a token."""
    holder = caller_if_any()
    return holder.account.id if holder else None


def known_caller(scope: str) -> Caller:
    """Return the caller from this process's cache. The token may have been revoked since, so the
    code that calls this has to check it later. Only a bot's version can be outdated, which matters
    only when it takes a seat."""
    sent = request.environ.get("HTTP_AUTHORIZATION", "")
    known = services().find(KnownCallers).get(token_key(sent))
    if known is None:
        return _keep(sent, caller(scope))
    known.may(scope)
    context().account = known.account.id
    counting.count_request(known.account.answers_for)
    return known


def known_holder(token: str, scope: str) -> Caller:
    """Return the holder of a token that is part of a request's body, from the same cache."""
    sent = f"Bearer {token}"
    known = services().find(KnownCallers).get(token_key(sent))
    if known is None:
        try:
            known = _keep(sent, authenticate(games().redis, token))
        except NotSignedIn:
            counting.count_address()
            raise
    known.may(scope)
    return known


def _keep(sent: str, holder: Caller) -> Caller:
    known = services().find(KnownCallers)
    if len(known) >= MAX_KNOWN:
        known.clear()
    known[token_key(sent)] = holder
    return holder


def _caller(of_token: Callable[[str], Caller]) -> Caller | None:
    sent = request.headers.get("Authorization")
    if sent is None:
        return None
    scheme, _, token = sent.partition(" ")
    try:
        if scheme.lower() != "bearer" or not token.startswith(PREFIX):
            raise NotSignedIn("the header should be Authorization: Bearer fogg_...")
        holder = of_token(token)
    except NotSignedIn:
        counting.count_address()
        raise
    context().account = holder.account.id
    counting.count_request(holder.account.answers_for)
    return holder
