"""Whose turn it is to be played: where the service puts games that wait for a built-in bot, in the
queue's Redis. Accounts take turns, and the games of each; ``service/games/workers.py`` says how it
is written down.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from redis import Redis
from rq import Queue

from workers import tokens

QUEUE = "bots"
JOB = "workers.play.play"
GUESTS, BUILT_IN = "guests", "bots"  # classes: games that others play in, too, and the rest

# KEYS the games that wait, the jobs, the workers. ARGV how many games of each class are wanted,
# then of each game that waits for a bot again its class, account, name, and that bot's account.
# Puts these games behind the others of their accounts, and the accounts behind the others, unless
# they were put there meanwhile. Takes games, of built-in bots no more than leaves the other workers
# theirs; returns these four of each, after whether one of the others is to be called.
TAKE = """
for at = 3, #ARGV, 4 do
  if redis.call('HSETNX', KEYS[1], ARGV[at + 2], ARGV[at + 3]) == 1 then
    local ring = 'fogg:turns:' .. ARGV[at]
    if redis.call('RPUSH', ring .. ':' .. ARGV[at + 1], ARGV[at + 2]) == 1 then
      redis.call('RPUSH', ring, ARGV[at + 1])
    end
  end
end
local waiting, workers = redis.call('HLEN', KEYS[1]), redis.call('SCARD', KEYS[3])
local share = math.ceil(waiting / math.max(1, workers))
local taken = {0}
for place, class in ipairs({'guests', 'bots'}) do
  local ring, left = 'fogg:turns:' .. class, tonumber(ARGV[place])
  if class == 'bots' then left = math.min(left, share) end
  while left > 0 do
    local account = redis.call('LPOP', ring)
    if not account then break end
    local line = ring .. ':' .. account
    local game = redis.call('LPOP', line)
    if redis.call('EXISTS', line) == 1 then redis.call('RPUSH', ring, account) end
    local bot = redis.call('HGET', KEYS[1], game)
    if bot then
      redis.call('HDEL', KEYS[1], game)
      for _, word in ipairs({class, account, game, bot}) do table.insert(taken, word) end
      left, waiting = left - 1, waiting - 1
    end
  end
end
if waiting > 0 and redis.call('LLEN', KEYS[2]) == 0 then taken[1] = 1 end
return taken
"""


class Turn(NamedTuple):
    """A game that waits for a built-in bot: for the account ``bot`` of one."""

    kind: str  # its class
    payer: str  # the account that answers for the game
    game: str
    bot: str


def take(guests: int = 0, built_in: int = 0, played: Iterable[Turn] = ()) -> list[Turn]:
    """Take so many games of each class, or as many as wait, those with guests first; ``played`` are
    to have another turn. Call another worker if any are left."""
    queue = _queue()
    words = [word for turn in played for word in turn]
    is_more, *found = queue.connection.eval(
        TAKE, 3, "fogg:turns:games", queue.key, f"rq:workers:{QUEUE}", guests, built_in, *words)
    if is_more:
        ask_for_worker()
    texts = [text.decode() for text in found]
    return [Turn(*texts[at:at + 4]) for at in range(0, len(texts), 4)]


def ask_for_worker() -> None:
    """Let this worker, or another, take turns again."""
    _queue().enqueue(JOB, result_ttl=0, failure_ttl=86_400, job_timeout=-1)


@cache
def _queue() -> Queue:
    return Queue(QUEUE, connection=Redis.from_url(tokens.queue_url()), serializer="json")
