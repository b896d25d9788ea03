"""Removing a closed account from its games."""

from __future__ import annotations

from domain.game.state import LOBBY
from service.accounts.accounts import Account
from service.feature import Services
from service.games import inviting, lobby, playing, visibility
from service.games.games import Games
from service.redis.guarding import log_errors


def leave_games(services: Services, account: Account) -> None:
    """Decline an account's invitations and leave its games. Log those that it cannot leave, as they
    have ended in between or are broken."""
    games = services.games
    for which, leave in (("invited", _decline), ("current", _leave)):
        for raw in games.redis.zrange(f"player:{account.id}:{which}", 0, -1):
            with log_errors(f"{raw.decode()} was not left"):
                leave(games, account, raw.decode())


def _decline(games: Games, account: Account, game: str) -> None:
    inviting.close(games, account, game, account.id, "generic")


def _leave(games: Games, account: Account, game: str) -> None:
    """Resign a game under way. Before its start free the seat, or abort the account's own
    game."""
    state = games.get(game).state
    if state.status != LOBBY:
        playing.resign(games, account, game)
    elif state.terms.creator == account.id:
        lobby.abort(games, account, game)
    elif (seat := visibility.seat_of(state, account.id)) is not None:
        lobby.leave(games, account, game, seat)
