"""Games that wait for a built-in bot, in the queue's Redis. They are taken round robin: accounts
take turns, and so do the games of each account. ``service/games/workers.py`` describes the keys.
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
GUESTS, BUILT_IN = "guests", "bots"  # classes: with other players, with built-in bots only

# KEYS: waiting games, RQ jobs, workers. ARGV: how many games of each class are wanted; then, for
# each game to put back in line: its class, account, id, and the account of the bot to play. First
# puts these games at the end of their accounts' lines, unless they are in line already. Then takes
# games; of those without guests at most this worker's share. Returns 1 if another worker should be
# called, else 0; then the same four values of each game taken.
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


class WaitingGame(NamedTuple):
    """A game that waits for a built-in bot."""

    kind: str  # its class
    payer: str  # the account that the game is charged to
    game: str
    bot: str  # the account of the bot to play


def take(
    guests: int = 0, built_in: int = 0, put_back: Iterable[WaitingGame] = ()
) -> list[WaitingGame]:
    """Take waiting games, at most so many of each class, those with guests first. ``put_back`` go
    to the end of their lines. If any games are left, enqueue a job for another worker."""
    queue = _queue()
    words = [word for waiting in put_back for word in waiting]
    is_more, *taken = queue.connection.eval(
        TAKE, 3, "fogg:turns:games", queue.key, f"rq:workers:{QUEUE}", guests, built_in, *words)
    if is_more:
        ask_for_worker()
    texts = [text.decode() for text in taken]
    return [WaitingGame(*texts[at:at + 4]) for at in range(0, len(texts), 4)]


def ask_for_worker() -> None:
    """Enqueue a job, so that this worker or another takes games again."""
    _queue().enqueue(JOB, result_ttl=0, failure_ttl=86_400, job_timeout=-1)


@cache
def _queue() -> Queue:
    return Queue(QUEUE, connection=Redis.from_url(tokens.queue_url()), serializer="json")
