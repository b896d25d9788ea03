"""Whose turn it is to be played: where the service puts games that wait for a built-in bot, in the
queue's Redis. Accounts take turns, and the games of each; ``service/games/workers.py`` says how it
is written down.
"""

from __future__ import annotations

from functools import cache
from itertools import count
from typing import NamedTuple

from redis import Redis
from rq import Queue

from workers import tokens

QUEUE = "bots"
JOB = "workers.play.play"
CLASSES = "guests", "bots"  # the first come first ...
NONE = "", ""
SHARE = 8  # ... but for one turn in so many, lest the others stand still

# ARGV the classes in order and, if a game that was played waits for a bot again, its class,
# account, name, and that bot's account. Puts that game behind the others of its account, and its
# account behind the others, if it was not put there meanwhile. Takes the next game; returns these
# four of it.
NEXT = """
local games = 'fogg:turns:games'
if ARGV[3] and redis.call('HSETNX', games, ARGV[5], ARGV[6]) == 1 then
  local ring = 'fogg:turns:' .. ARGV[3]
  if redis.call('RPUSH', ring .. ':' .. ARGV[4], ARGV[5]) == 1 then
    redis.call('RPUSH', ring, ARGV[4])
  end
end
for place = 1, 2 do
  local ring = 'fogg:turns:' .. ARGV[place]
  local account = redis.call('LPOP', ring)
  while account do
    local line = ring .. ':' .. account
    local game = redis.call('LPOP', line)
    if redis.call('EXISTS', line) == 1 then redis.call('RPUSH', ring, account) end
    local bot = redis.call('HGET', games, game)
    if bot then
      redis.call('HDEL', games, game)
      return {ARGV[place], account, game, bot}
    end
    account = redis.call('LPOP', ring)
  end
end
"""


class Turn(NamedTuple):
    """A game that waits for a built-in bot: for the account ``bot`` of one."""

    kind: str  # its class, one of CLASSES
    payer: str  # the account that answers for the game
    game: str
    bot: str


_taken = count(1)


def next_turn(played: Turn | None = None) -> Turn | None:
    """Take the next game, None if none waits; ``played`` is one that is to have another turn."""
    return _taken_of(CLASSES if next(_taken) % SHARE else CLASSES[::-1], played)


def next_guest() -> Turn | None:
    """Take the next game that others than built-in bots play in, None if none waits."""
    return _taken_of(CLASSES[:1] + NONE[:1])


def put_back(played: Turn | None) -> None:
    """Let a game have another turn, and take none."""
    if played:
        _taken_of(NONE, played)


def _taken_of(classes: tuple[str, ...], played: Turn | None = None) -> Turn | None:
    found = _queue().connection.eval(NEXT, 0, *classes, *(played or ()))
    return Turn(*(text.decode() for text in found)) if found else None


def ask_for_worker() -> None:
    """Let this worker, or another, take turns again."""
    _queue().enqueue(JOB, result_ttl=0, failure_ttl=86_400, job_timeout=-1)


@cache
def _queue() -> Queue:
    return Queue(QUEUE, connection=Redis.from_url(tokens.queue_url()), serializer="json")
