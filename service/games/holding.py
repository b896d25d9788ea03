"""Open seats that an account has taken in games of others and does not play: they keep the others
waiting, so there is a limit.

``player:ID:held``  the games of others in which an account has taken an open seat, by time; in some
                    it has decided something since, or they are over
"""

import time

from domain.game.state import LOBBY, SETUP
from service.accounts.accounts import Account
from service.errors import TooManyUnplayed
from service.eventlog import quotas
from service.games.games import Games
from service.games.store import GameHead, waits_for

MAX_UNPLAYED = 10  # games of others in which an account has a seat and has not decided anything
TAKING_S = 60  # for which a seat counts that is being taken; one that was not taken by then is free


def hold(games: Games, account: Account, game_id: str) -> bool:
    """Count an open seat that an account is about to take; return whether it did not count before.
    Raise TooManyUnplayed if the account does not play too many others."""
    is_new, count = quotas.count(games.redis, _held(account.id), game_id)
    if count > MAX_UNPLAYED:
        others = [game for game in unplayed(games, account) if game != game_id]
        if len(others) >= MAX_UNPLAYED:
            if is_new:
                release(games, account.id, game_id)
            raise TooManyUnplayed(others)
    return is_new


def release(games: Games, account_id: str, game_id: str) -> None:
    """Do not count a seat any more: it was not taken, or is free again."""
    games.redis.zrem(_held(account_id), game_id)


def is_free(games: Games, account: Account) -> bool:
    """Return whether an account may take a further open seat of others."""
    if games.redis.zcard(_held(account.id)) < MAX_UNPLAYED:
        return True
    return len(unplayed(games, account)) < MAX_UNPLAYED


def unplayed(games: Games, account: Account) -> list[str]:
    """Return the counted games in which an account has not decided anything yet: they wait for
    players, or for its first tickets. Count the others no more."""
    held = _held(account.id)
    times = {raw.decode(): at for raw, at in games.redis.zrange(held, 0, -1, withscores=True)}
    recent = time.time() - TAKING_S
    taking, waiting = [], []
    for head, (game, at) in zip(games.store.live_heads(times), times.items(), strict=True):
        if not head or not _has_seat(head, account.id):
            if at > recent:
                taking.append(game)
        elif head["status"] == LOBBY or waits_for(head, account.id):
            waiting.append(game)
    idle = [
        state.id
        for state in games.readable(waiting)
        if state.status == LOBBY or state.step == SETUP
    ]
    if played := times.keys() - {*idle, *taking}:
        games.redis.zrem(held, *played)
    return [*idle, *taking]


def _has_seat(head: GameHead, account_id: str) -> bool:
    return any(seat.get("player", {}).get("id") == account_id for seat in head["seats"])


def _held(account_id: str) -> str:
    return f"player:{account_id}:held"
