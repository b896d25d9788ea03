"""Deleting an account: it leaves every feature, then it is deleted."""

from dataclasses import replace

from service.accounts import accounts, tokens
from service.accounts.accounts import Account
from service.accounts.invitations import delete_rules
from service.errors import NotYours, UnknownThing
from service.feature import Services
from service.redis.deleted import NAME


def delete(services: Services, account: Account, token: str) -> None:
    """Delete an account and its bots. Everything is left twice: the account may still enter a game
    or tournament while it is left for the first time, but not the second."""
    if account.bot and not account.owner:
        raise NotYours("a built-in bot cannot be deleted")
    games = services.games
    for bot in accounts.bots_of(games.redis, account, None, 1_000_000)[0]:
        _delete_bot(services, bot)
    _leave(services, account)
    for revoked in _delete_data(services, account, token):
        games.news.publish(revoked)
    _leave(services, account)


def delete_bot(services: Services, owner: Account, bot: str) -> None:
    """Delete a bot of an account; another account's bot is not found."""
    account = accounts.get(services.games.redis, bot)
    if account.owner != owner.id:
        raise UnknownThing("player", bot, f"you have no bot with the id {bot}")
    _delete_bot(services, account)


def _delete_bot(services: Services, bot: Account) -> None:
    """Delete a bot, its tokens first: if that is cut off, a retry finds the bot."""
    games = services.games
    for revoked in tokens.revoke_all(games.redis, bot, ""):
        games.news.publish(revoked)
    delete(services, bot, "")


def _delete_data(services: Services, account: Account, token: str) -> list[str]:
    """Delete all data of an account, but keep a row as a sign that it existed. Return its revoked
    tokens, by their ids. The ``token`` of the request is revoked last, so that an interrupted
    request can be repeated."""
    redis = services.games.redis
    services.games.store.deleted.add(account.id)
    accounts.keep(redis, replace(account, name=NAME, version=None, deleted=True))
    redis.delete(f"player:{account.id}:bots")
    if account.owner:
        redis.srem(f"player:{account.owner}:bots", account.id)
    return tokens.revoke_all(redis, account, token)


def _leave(services: Services, account: Account) -> None:
    """Remove an account from every feature, from those that were built last first."""
    delete_rules(services.games.redis, account.id)
    for feature in reversed(services.features):
        feature.on_account_closed(services, account)
