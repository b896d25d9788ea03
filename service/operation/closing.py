"""Deleting an account: it leaves games, tournaments and the pool, then it is deleted."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from domain.errors import FoggError
from domain.game.state import LOBBY
from domain.tournament.state import OPEN
from service.accounts import accounts, changes, tokens
from service.accounts.accounts import Account
from service.accounts.invitations import delete_rules
from service.errors import NotYours, UnknownThing
from service.games import inviting, lobby, playing, visibility
from service.games.games import Games
from service.matching.pool import Pool
from service.tournaments import entering, index
from service.tournaments.tournaments import Tournaments
from service.webhooks import webhooks

log = logging.getLogger(__name__)


def delete(pool: Pool, tournaments: Tournaments, account: Account, token: str) -> None:
    """Delete an account and its bots. Everything is left twice: the account may still enter a game
    or tournament while it is left for the first time, but not the second."""
    if account.bot and not account.owner:
        raise NotYours("a built-in bot cannot be deleted")
    redis, news = pool.redis, pool.games.news
    for bot in accounts.bots_of(redis, account, None, 1_000_000)[0]:
        _delete_bot(pool, tournaments, bot)
    _leave(pool, tournaments, account)
    for revoked in changes.delete(redis, account, pool.games.store.deleted, token):
        news.publish(revoked)
    _leave(pool, tournaments, account)


def delete_bot(pool: Pool, tournaments: Tournaments, owner: Account, bot: str) -> None:
    """Delete a bot of an account; another account's bot is not found."""
    account = accounts.get(pool.redis, bot)
    if account.owner != owner.id:
        raise UnknownThing("player", bot, f"you have no bot with the id {bot}")
    _delete_bot(pool, tournaments, account)


def _delete_bot(pool: Pool, tournaments: Tournaments, bot: Account) -> None:
    """Delete a bot, its tokens first. If that is cut off, the bot still exists, so a retry
    works."""
    for revoked in tokens.revoke_all(pool.redis, bot, ""):
        pool.games.news.publish(revoked)
    delete(pool, tournaments, bot, "")


def _leave(pool: Pool, tournaments: Tournaments, account: Account) -> None:
    """Remove an account from the pool, tournaments and games; delete its webhooks. Log
    what it cannot leave, and go on."""
    games, redis = pool.games, pool.redis
    pool.leave(account)
    delete_rules(redis, account.id)
    for webhook in webhooks.webhooks_of(redis, account):
        webhooks.delete(redis, account, webhook)
    for raw in redis.zrange(f"player:{account.id}:invited", 0, -1):
        _try(_decline, games, account, raw.decode())
    for some_id in index.under_way(tournaments.store):
        _try(_leave_tournament, tournaments, account, some_id)
    for raw in redis.zrange(f"player:{account.id}:current", 0, -1):
        _try(_leave_game, games, account, raw.decode())


def _try(leave: Callable[[Any, Account, Any], object], *what: Any) -> None:
    try:
        leave(*what)
    except FoggError as error:  # it has ended in between, or its history is broken
        log.info("%s was not left: %s", what[2], error)


def _decline(games: Games, account: Account, game: str) -> None:
    inviting.close(games, account, game, account.id, "generic")


def _leave_tournament(tournaments: Tournaments, account: Account, tournament: str) -> None:
    """Withdraw; end a tournament that would wait for its creator for ever."""
    state = tournaments.get(tournament).state
    if account.id in state.active:
        entering.withdraw(tournaments, account, tournament, account.id)
    if state.settings.creator == account.id and state.status == OPEN:
        entering.end(tournaments, account, tournament)


def _leave_game(games: Games, account: Account, game: str) -> None:
    """Resign a game under way. Before its start free the seat, or abort the account's own
    game."""
    state = games.get(game).state
    if state.status != LOBBY:
        playing.resign(games, account, game)
    elif state.terms.creator == account.id:
        lobby.abort(games, account, game)
    elif (seat := visibility.seat_of(state, account.id)) is not None:
        lobby.leave(games, account, game, seat)
