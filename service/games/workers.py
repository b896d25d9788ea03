"""Calling the workers that play built-in bots.

A worker holds a lease on a game's bots. It keeps the lease by acting, and the lease ends if the
worker dies (``service.games.store``). Games wait in two queues (``service.redis.queue``): workers
take games with people, or with bots of others, before those that only built-in bots play.
"""

from domain.game.state import State
from service.redis.queue import Queues, Work

JOB = "workers.play.play"
GUESTS, BOTS = Work("guests", JOB), Work("bots", JOB)
TAKE = "take"  # take the lease if it is free
LEASE = 5_000  # milliseconds a worker may be silent before its game's bots are called again


def call(queues: Queues, state: State, account: str) -> None:
    """Have a worker play a game's bots. ``account`` answers for the game."""
    bot = state.players[bots_to_play(state)[0]]
    assert bot
    has_guests = any(
        (player := state.players[seat]) and not player.is_built_in for seat in state.active
    )
    queues.put(GUESTS if has_guests else BOTS, account, state.id, bot.id)


def bots_to_play(state: State) -> list[int]:
    """Return the seats of built-in bots that the game waits for."""
    return [
        seat
        for seat, _ in state.deciding()
        if (player := state.players[seat]) and player.is_built_in
    ]


def lease(state: State, seat: int | None) -> tuple[str, int] | None:
    """Return how the append of this action takes the lease on the game's bots ("refresh" or TAKE),
    and for how many milliseconds; None if the game waits for no bot."""
    if not bots_to_play(state):
        return None
    player = None if seat is None else state.players[seat]
    return "refresh" if player and player.is_built_in else TAKE, LEASE
