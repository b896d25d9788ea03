"""Open seats that an account has taken in games of others and does not play: they keep the others
waiting, so there is a limit.

``player:ID:held``  the games of others in which an account has taken an open seat, by time; in some
                    it has decided something since, or they are over, or another has got the seat
"""

import time

from domain.game.state import LOBBY, SETUP, State
from service.accounts.accounts import Account
from service.errors import TooManyUnplayed
from service.eventlog import quotas
from service.eventlog.steps import Steps
from service.games.games import Games
from service.games.store import has_seat, waits_for

MAX_UNPLAYED = 10  # games in which an account has not decided anything yet
TAKING_S = 60  # a seat that was counted and is still not taken was given to nobody


def hold(games: Games, account: Account, state: State) -> None:
    """Count the open seat that an account is about to take, and mark the game for the sweep in the
    same round trip; ``state`` is the one after. Raise TooManyUnplayed if the account does not play
    too many others."""
    counted: list[int] = []
    steps = Steps(games.redis)
    games.marks.mark_in(steps, state.id, state.version)
    quotas.count_in(steps, _held(account.id), state.id, counted.extend)
    steps.execute()
    is_new, count = counted
    if count > MAX_UNPLAYED:
        others = [game for game in unplayed(games, account) if game != state.id]
        if len(others) >= MAX_UNPLAYED:
            if is_new:
                release(games, account.id, state.id)
            raise TooManyUnplayed(others)


def release(games: Games, account_id: str, game_id: str) -> None:
    """Do not count a seat any more: it is free again."""
    games.redis.zrem(_held(account_id), game_id)


def may_hold(games: Games, account: Account) -> bool:
    """Return whether an account may take one more open seat of others."""
    if games.redis.zcard(_held(account.id)) < MAX_UNPLAYED:
        return True
    return len(unplayed(games, account)) < MAX_UNPLAYED


def unplayed(games: Games, account: Account) -> list[str]:
    """Return the counted games in which an account has not decided anything yet: they wait for
    players, or for its first tickets. Count the others no more."""
    held = _held(account.id)
    times = {raw.decode(): at for raw, at in games.redis.zrange(held, 0, -1, withscores=True)}
    recent = time.time() - TAKING_S
    idle, begun = [], []
    for (game, at), head in zip(times.items(), games.store.live_heads(times), strict=True):
        if not head:
            continue
        if head["status"] == LOBBY:
            if at > recent or has_seat(head, account.id):
                idle.append(game)
        elif waits_for(head, account.id):
            begun.append(game)
    idle += [state.id for state in games.readable(begun) if state.step == SETUP]
    if played := times.keys() - {*idle}:
        games.redis.zrem(held, *played)
    return idle


def _held(account_id: str) -> str:
    return f"player:{account_id}:held"
