"""Calling the workers that play built-in bots.

A worker holds a lease on a game's bots. It keeps the lease by acting, and the lease ends if the
worker dies (``service.store.games``). A worker that is free picks its next game in the queue's
Redis, a single server. So no account waits for long behind one that asks for much: accounts take
turns, and so do the games of each. Games with people, or with bots of others, come before those
that only built-in bots play.

``fogg:turns:CLASS``          the accounts that have games to be played, in the order of their turns
``fogg:turns:CLASS:ACCOUNT``  these games of one account, in the order of theirs
``fogg:turns:games``          game -> the account of the built-in bot that it waits for

Workers take what is there (``workers/turns.py``).
"""

from __future__ import annotations

import logging

from redis import Redis
from rq import Queue

from domain.game.state import State
from service.accounts import accounts
from service.errors import UnknownThing
from service.store.guarding import UNREACHABLE
from service.store.scripts import TextScript as Script
from service.store.tournaments import TournamentStore

QUEUE = "bots"
JOB = "workers.play.play"
TAKE = "take"  # take the lease if it is free
LEASE = 5_000  # milliseconds a worker may be silent before its game's bots are called again
GAMES = "fogg:turns:games"
GUESTS, BOTS = "guests", "bots"  # classes: games that others than built-in bots play in, the rest

# KEYS all names that wait, the jobs. ARGV class, account, name, value: of a game, its id and the
# account of the bot. Puts a name into the line of an account, unless it is in one. Returns whether
# to call a worker: also if there is no job left, as a worker has died.
PUT = """
local line = 'fogg:turns:' .. ARGV[1] .. ':' .. ARGV[2]
local is_new = redis.call('HSETNX', KEYS[1], ARGV[3], ARGV[4])
if is_new == 1 and redis.call('RPUSH', line, ARGV[3]) == 1 then
  redis.call('RPUSH', 'fogg:turns:' .. ARGV[1], ARGV[2])
end
return is_new == 1 or redis.call('LLEN', KEYS[2]) == 0
"""

log = logging.getLogger(__name__)


def call(queue: Queue, state: State, account: str) -> None:
    """Enqueue a game for a worker to play its bots, in the line of the account that answers for the
    game."""
    bot = state.players[bots_to_play(state)[0]]
    assert bot
    put_in_line(queue, JOB, GAMES, GUESTS if has_guests(state) else BOTS, account, state.id, bot.id)


def put_in_line(
    queue: Queue, job: str, waiting: str, kind: str, account: str, name: str, value: str = ""
) -> None:
    """Put a name into the line of an account, once: ``waiting`` is the key of all names in lines,
    with a value each, ``kind`` the class of the line. Call a worker if one is needed. If the queue
    does not answer, the sweep repeats this within seconds."""
    try:
        if Script(queue.connection, PUT)([waiting, queue.key], [kind, account, name, value]):
            ask_for_worker(queue, job)
    except UNREACHABLE as error:
        log.warning("no worker could be called for %s: %r", name, error)


def ask_for_worker(queue: Queue, job: str = JOB) -> None:
    """Enqueue a job for a worker: a time slice in which it takes turns."""
    queue.enqueue(job, result_ttl=0, failure_ttl=86_400, job_timeout=-1)


def waiting(queue: Queue) -> set[str]:
    """Return the games that wait for a worker."""
    return {game.decode() for game in queue.connection.hkeys(GAMES)}


def first_in_lines(queue: Queue, kind: str) -> list[str]:
    """Return the next game of a class of each account: the one that has waited longest."""
    ring = f"fogg:turns:{kind}"
    pipe = queue.connection.pipeline(transaction=False)
    for account in queue.connection.lrange(ring, 0, -1):
        pipe.lindex(f"{ring}:{account.decode()}", 0)
    return [game.decode() for game in pipe.execute() if game]


def alive(queue: Redis, name: str) -> int:
    """Return the number of workers that take jobs of a queue. A killed worker counts for two more
    minutes (``HEARTBEAT_S`` in workers/__main__.py)."""
    keys = queue.smembers(f"rq:workers:{name}")
    return queue.exists(*keys) if keys else 0


def guests_waiting(queue: Queue) -> int:
    """Return how many waiting games have players who are no built-in bots."""
    ring = f"fogg:turns:{GUESTS}"
    pipe = queue.connection.pipeline(transaction=False)
    for account in queue.connection.lrange(ring, 0, -1):
        pipe.llen(f"{ring}:{account.decode()}")
    return sum(pipe.execute())


def has_guests(state: State) -> bool:
    """Return whether a game has an active player who is no built-in bot."""
    return any((player := state.players[seat]) and not player.is_built_in
               for seat in state.active)


def answering_for(redis: Redis, creator: str) -> str:
    """Return the account that answers for what an account or a tournament has created: the
    tournament's creator, the owner of a bot."""
    if TournamentStore.is_id(creator) and (head := TournamentStore(redis).heads([creator])[0]):
        creator = head["creator"]
    try:
        return accounts.get(redis, creator).answers_for or creator
    except UnknownThing:
        return creator


def bots_to_play(state: State) -> list[int]:
    """Return the seats of built-in bots that the game waits for."""
    return [seat for seat, _ in state.deciding()
            if (player := state.players[seat]) and player.is_built_in]


def lease(state: State, seat: int | None) -> tuple[str, int] | None:
    """Return how the append of this action takes the lease on the game's bots ("refresh" or TAKE),
    and for how many milliseconds; None if the game waits for no bot."""
    if not bots_to_play(state):
        return None
    player = None if seat is None else state.players[seat]
    return "refresh" if player and player.is_built_in else TAKE, LEASE
