"""What is to be told to webhooks, and how it went: at least once, in the order in which it came.

``{w:ID}:due``     the calls yet to be made, by when, in milliseconds since 1970
``{w:ID}:told``    the calls that were due once, by when what they tell of happened
``{w:ID}:since``   what happened before is not to be told any more
``{w:ID}:tries``   call -> "ATTEMPTS FIRST", of those that have failed so far
``{w:ID}:failing`` since when every call has failed; forgotten when none is tried any more
``{w:ID}:lane:N``  there while a worker makes the calls of a lane; it expires

A call is kept as what it tells of, and what is sent is worked out as it is sent: no card is kept
here, and a turn that was played meanwhile is told to nobody. A webhook has some lanes; the calls of
a game take the same one, in which one call is made after the other.

Whoever appends to a game notes what there is to tell. Should the process die first, the sweep finds
it in the histories. A worker is called by an RQ job; should the job, the worker or the whole queue
be lost, the sweep finds what is due in a lane that nobody speaks for, and calls another. The worker
asks for one call after the other over HTTP (service/api/webhooks.py), and tells how each went.
"""

from __future__ import annotations

import logging
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from zlib import crc32

import orjson
from redis import Redis, RedisError
from rq import Queue

from domain.errors import FoggError
from service.accounts.tokens import token_key
from service.games.games import Games
from service.games.notices import INVITED, YOUR_TURN, Fact, facts, invitations, notice
from service.store.once import made_once
from service.store.store import Game
from service.times import as_time, now, now_in_ms
from service.webhooks import webhooks

QUEUE = "deliveries"
JOB = "workers.deliver.deliver"
PING = "ping"
LANES = 4  # of one webhook: so many calls are under way at a time
LEASE = 15_000  # milliseconds a worker may be silent before a lane's calls are made by another
FIRST_PAUSE, LONGEST_PAUSE = 2_000, 3_600_000  # milliseconds between two attempts
DAY = 86_400_000  # milliseconds for which a call is tried, and a webhook may fail
LEAST_REST, LONGEST_REST = 1_000, 60_000  # milliseconds between a failure and a lane's next call
LATE = 60_000  # milliseconds after which something that happened has been seen for sure
PLAYED, DELIVERED, FAILED, GIVEN_UP, DROPPED = OUTCOMES = (
    "played", "delivered", "failed", "given_up", "dropped")

# KEYS told, due, lane. ARGV the call, when what it tells of happened, when it is due, the lease.
# Returns whether a worker is to be called.
TELL = """
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
if redis.call('SET', KEYS[3], 1, 'PX', ARGV[4], 'NX') then return 1 end
return 0
"""
# KEYS due, lane. ARGV now, the lane's number, the lease. Returns the lane's next call; if there is
# none, nobody speaks for the lane any more.
NEXT = """
for _, call in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])) do
  if string.sub(call, 1, 1) == ARGV[2] then
    redis.call('SET', KEYS[2], 1, 'PX', ARGV[3])
    return call
  end
end
redis.call('DEL', KEYS[2])
return false
"""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Call:
    """One thing to be told to one webhook."""

    webhook: str
    fact: Fact

    @property
    def lane(self) -> int:
        """Which of the webhook's lanes it takes."""
        return crc32(self.fact.game.encode()) % LANES

    @property
    def member(self) -> str:
        """What it is kept as: always the same for the same thing."""
        fact = self.fact
        return f"{self.lane} {fact.type} {fact.game} {fact.since} {fact.at}"

    @property
    def id(self) -> str:
        """The ``webhook-id`` of every attempt at it."""
        return "msg_" + sha256(f"{self.webhook} {self.member}".encode()).hexdigest()[:24]

    @staticmethod
    def of(webhook: str, member: str) -> Call:
        """Return what a member stands for."""
        _, kind, game, since, at = member.split(" ")
        return Call(webhook, Fact(kind, game, int(since), int(at)))


class Calls:
    """The calls of all webhooks. ``count`` is told each outcome."""

    def __init__(self, games: Games, queue: Queue, count: Callable[[str], None]):
        self._games, self._queue, self._count = games, queue, count
        self._tell = games.redis.register_script(TELL)
        self._next = games.redis.register_script(NEXT)
        self._rows: dict[str, list[dict]] = {}  # account -> its webhooks that are switched on
        self._seen: dict[str, dict[str, int]] = {}  # webhook -> game -> version looked at

    @property
    def redis(self) -> Redis:
        return self._games.redis

    def refresh(self) -> None:
        """Find out which webhooks are switched on."""
        rows = defaultdict(list)
        for raw in self.redis.hvals("webhooks"):
            row = orjson.loads(raw)
            rows[row["account"]].append(row)
        self._rows = rows

    def tell(self, game: Game) -> None:
        """Note what the last entry of a game has to tell. It costs nothing where no player has a
        webhook; should Redis not answer, the sweep does it."""
        if not self._rows:
            return
        for player in filter(None, game.state.players):
            for row in self._rows.get(player.id, ()):
                try:
                    for fact in facts(game, player.id):
                        if as_time(fact.at) == game.updated:
                            self._note(row, fact)
                except (RedisError, OSError) as error:
                    log.warning("what %s has to tell was not noted: %r", game.state.id, error)

    def begin(self, row: dict) -> None:
        """Tell a webhook that was just switched on of the games that wait for its account, and of
        what happens from now on."""
        self.refresh()
        is_on = self.redis.hexists("webhooks", row["id"])
        if not is_on or not self.redis.set(f"{{w:{row['id']}}}:since", now_in_ms(), nx=True):
            return  # it has begun before
        for raw in self.redis.zrange(f"player:{row['account']}:current", 0, -1):
            for fact in facts(self._games.get(raw.decode()), row["account"]):
                if fact.type == YOUR_TURN:
                    self._note(row, fact)

    def forget(self, webhook_id: str) -> None:
        """Call a webhook no more: it is gone, or switched off."""
        self.redis.hdel("webhooks", webhook_id)
        names = ("due", "told", "since", "tries", "failing")
        self.redis.delete(*(f"{{w:{webhook_id}}}:{name}" for name in names))
        self.refresh()

    def ping(self, row: dict, key: str) -> str:
        """Call a webhook as a test; return the call's id. With the same key it is the same call."""
        name = f"ping\n{row['id']}\n{key}"
        at = made_once(self.redis, name, now_in_ms(), lambda _: None)
        fact = Fact(PING, sha256(name.encode()).hexdigest()[:20], 0, at)
        self._put(row, fact)
        return Call(row["id"], fact).id

    def _note(self, row: dict, fact: Fact) -> None:
        if fact.type in row["events"]:
            self._put(row, fact)

    def _put(self, row: dict, fact: Fact) -> None:
        """Make a call due, once, and call a worker unless one is there."""
        call, key = Call(row["id"], fact), f"{{w:{row['id']}}}"
        if self._tell(keys=[f"{key}:told", f"{key}:due", f"{key}:lane:{call.lane}"],
                      args=[call.member, fact.at, min(fact.at, now_in_ms()), LEASE]):
            self._enqueue(row["id"], call.lane)

    def _enqueue(self, webhook_id: str, lane: int) -> None:
        try:
            self._queue.enqueue(JOB, webhook_id, lane, result_ttl=0, failure_ttl=86_400,
                                job_timeout=-1)
        except (RedisError, OSError) as error:
            log.warning("no worker could be called for %s: %r", webhook_id, error)

    # What workers ask

    def next(self, webhook_id: str, lane: int) -> dict | None:
        """Return the next call of a lane as it is to be sent, None if there is none now."""
        while member := self._next(
            keys=[f"{{w:{webhook_id}}}:due", f"{{w:{webhook_id}}}:lane:{lane}"],
            args=[now_in_ms(), str(lane), LEASE],
        ):
            call, row = Call.of(webhook_id, member.decode()), self._row(webhook_id)
            if row is None:
                self.forget(webhook_id)
                self.redis.delete(f"{{w:{webhook_id}}}:lane:{lane}")
                return None
            if (body := self._body(row, call)) is None:
                self._end(call, DROPPED)
                continue
            return self._signed(row, call, orjson.dumps(body).decode())
        return None

    def rest(self, webhook_id: str, lane: int, milliseconds: int) -> None:
        """Leave a lane alone for a while."""
        self.redis.set(f"{{w:{webhook_id}}}:lane:{lane}", 1, px=max(1, milliseconds))

    def _row(self, webhook_id: str) -> dict | None:
        """Return a webhook, None if it is not to be called any more."""
        row = webhooks.find(self.redis, webhook_id)
        if row is None or not row["enabled"]:
            return None
        if not self.redis.exists(token_key(webhooks.token(self.redis, webhook_id))):
            self._switch_off(row, "its token was revoked")
            return None
        return row

    def _body(self, row: dict, call: Call) -> dict | None:
        """Return what a call tells, None if that is not so any more."""
        fact = call.fact
        try:
            told = self._told(row, fact)
        except FoggError as error:
            log.warning("%s cannot be told of %s: %s", row["id"], fact.game, error)
            return None
        return told and {"type": told["type"], "timestamp": as_time(fact.at)} | told

    def _told(self, row: dict, fact: Fact) -> dict | None:
        if fact.type == PING:
            return {"type": PING, "webhook": row["id"]}
        if fact.type == INVITED:
            return next((told for found, told in invitations(self._games, row["account"])
                         if found == fact), None)
        game, player = self._games.get(fact.game), row["account"]
        if fact in facts(game, player):
            return notice(self._games, game, player, fact.type)
        return None

    def _signed(self, row: dict, call: Call, body: str) -> dict:
        """Return everything that the worker needs to make a call."""
        at = int(time.time())
        secret = webhooks.signing_secret(self.redis, row["id"])
        asked = {"call": call.member, "attempt": self._tries(call)[0] + 1, "url": row["url"],
                 "body": body, "headers": {
                     "webhook-id": call.id, "webhook-timestamp": str(at),
                     "webhook-signature": webhooks.signature(secret, call.id, at, body)}}
        if call.fact.type == YOUR_TURN:
            asked["play"] = {"game": call.fact.game,
                             "token": webhooks.token(self.redis, row["id"])}
        return asked

    def done(self, webhook_id: str, report: dict) -> int:
        """Keep how a call went; return for how many milliseconds the lane is to rest, 0 if its next
        call may be made at once. Who is slow to fail, or fails for long, is called less often."""
        call, row = Call.of(webhook_id, report["call"]), webhooks.find(self.redis, webhook_id)
        tries, first = self._tries(call)
        is_known = self.redis.zscore(f"{{w:{webhook_id}}}:due", call.member) is not None
        if row is None or not is_known or tries >= report["attempt"]:
            return 0  # told before, or nobody wants to know any more
        status = report.get("status", 0)
        is_good = 200 <= status < 300 and not {"failure", "refused"} & report.keys()
        then, age = None, 0
        if is_good:
            self._end(call, PLAYED if "played" in report else DELIVERED)
            self.redis.delete(f"{{w:{webhook_id}}}:failing")
        elif status == 410:
            self._end(call, FAILED)
            self._switch_off(row, "the address answered 410")
        else:
            then, age = self._again(row, call, report, first or now_in_ms())
        self._keep(call, report, then)
        if is_good or status == 410:
            return 0
        return max(LEAST_REST, 2 * report["milliseconds"], min(LONGEST_REST, age // 10))

    def _again(
        self, row: dict, call: Call, report: dict, first: int
    ) -> tuple[int | None, int]:
        """Put a call that has failed off; return until when, None if it is made no more, and for
        how long all calls of its webhook have failed."""
        key, at, attempt = f"{{w:{row['id']}}}", now_in_ms(), report["attempt"]
        if call.fact.type == PING:
            self._end(call, FAILED)
            return None, 0
        self.redis.set(f"{key}:failing", at, nx=True)
        self.redis.pexpire(f"{key}:failing", 2 * LONGEST_PAUSE)
        age = at - int(self.redis.get(f"{key}:failing") or at)
        if age > DAY or at - first > DAY:
            self._end(call, GIVEN_UP)
            if age > DAY:
                self._switch_off(row, "no call has succeeded for a day")
            return None, age
        asked = min(int(report.get("retry_after") or 0) * 1000, LONGEST_PAUSE)
        then = at + max(pause(attempt), asked)
        self.redis.hset(f"{key}:tries", call.member, f"{attempt} {first}")
        self.redis.zadd(f"{key}:due", {call.member: then}, xx=True)
        self._count(FAILED)
        return then, age

    def _end(self, call: Call, outcome: str) -> None:
        self.redis.zrem(f"{{w:{call.webhook}}}:due", call.member)
        self.redis.hdel(f"{{w:{call.webhook}}}:tries", call.member)
        self._count(outcome)

    def _switch_off(self, row: dict, why: str) -> None:
        webhooks.switch_off(self.redis, row, why)
        self.forget(row["id"])
        log.info("webhook %s is switched off: %s", row["id"], why)

    def _tries(self, call: Call) -> tuple[int, int]:
        """Return (how often a call was tried, when at first), zeros if it never was."""
        raw = self.redis.hget(f"{{w:{call.webhook}}}:tries", call.member) or b"0 0"
        attempts, first = map(int, raw.split())
        return attempts, first

    def _keep(self, call: Call, report: dict, then: int | None) -> None:
        """Add an attempt to those that the owner can look at."""
        fact = call.fact
        row = {"id": call.id, "event": fact.type, "at": now(), "attempt": report["attempt"],
               "milliseconds": report["milliseconds"]}
        if fact.type != PING:
            row["game"] = fact.game
        row |= {name: report[name] for name in ("status", "failure", "played", "refused")
                if name in report}
        if then:
            row["next"] = as_time(then)
        key = f"{{w:{call.webhook}}}:deliveries"
        pipe = self.redis.pipeline(transaction=False)
        pipe.lpush(key, orjson.dumps(row))
        pipe.ltrim(key, 0, webhooks.KEPT - 1)
        pipe.execute()

    # What a crash left undone

    def sweep(self) -> None:
        """Note whatever is to be told and was not, and call workers for what is due."""
        start = now_in_ms()
        self.refresh()
        rows = [row for of_account in self._rows.values() for row in of_account]
        pipe = self.redis.pipeline(transaction=False)
        for row in rows:
            pipe.get(f"{{w:{row['id']}}}:since")
            pipe.zrangebyscore(f"{{w:{row['id']}}}:due", "-inf", start)
            pipe.zrange(f"player:{row['account']}:current", 0, -1)
            pipe.exists(f"player:{row['account']}:invited")
        found = iter(pipe.execute())
        looks = []
        for row, since, due, current, is_invited in zip(rows, *[found] * 4, strict=True):
            for lane in sorted({int(call[:1]) for call in due}):
                if self.redis.set(f"{{w:{row['id']}}}:lane:{lane}", 1, px=LEASE, nx=True):
                    self._enqueue(row["id"], lane)
            if since is None:  # whoever switched it on died before it had begun
                self.begin(row)
            else:
                looks.append(_Look(row, int(since), {raw.decode() for raw in current}, is_invited))
        self._look(looks)
        for look in looks:
            self._move_on(look, start)

    def _look(self, looks: list[_Look]) -> None:
        """Note everything that has happened since webhooks were last seen to."""
        pipe = self.redis.pipeline(transaction=False)
        for look in looks:
            pipe.zrangebyscore(f"player:{look.row['account']}:over", look.since, "+inf")
        for look, over in zip(looks, pipe.execute(), strict=True):
            look.games |= {raw.decode() for raw in over}
        ids = sorted(set().union(*(look.games for look in looks)))
        heads = dict(zip(ids, self._games.store.heads(ids), strict=True))
        before, self._seen = self._seen, {}
        for look in looks:
            versions = {game: heads[game] and heads[game]["version"] for game in look.games}
            known = before.get(look.row["id"], {})
            changed = {game for game, version in versions.items() if known.get(game) != version}
            for fact in self._news(look, changed):
                if fact.at > look.since:
                    self._note(look.row, fact)
            self._seen[look.row["id"]] = versions

    def _news(self, look: _Look, changed: set[str]) -> Iterator[Fact]:
        player = look.row["account"]
        for game_id in changed:
            try:
                yield from facts(self._games.get(game_id), player)
            except FoggError as error:  # whatever is wrong with one, the others are told
                log.warning("%s has nothing to tell: %s", game_id, error)
        if look.is_invited:
            yield from (fact for fact, _ in invitations(self._games, player))

    def _move_on(self, look: _Look, start: int) -> None:
        """Forget, now and then, what was told of a past that is not looked at any more."""
        if start - look.since > 2 * LATE:
            key = f"{{w:{look.row['id']}}}"
            pipe = self.redis.pipeline(transaction=False)
            pipe.set(f"{key}:since", start - LATE, xx=True)
            pipe.zremrangebyscore(f"{key}:told", "-inf", start - LATE)
            pipe.execute()


@dataclass
class _Look:
    """What is looked at for a webhook: its account's games, and invitations if it has any."""

    row: dict
    since: int
    games: set[str]
    is_invited: int


def pause(attempt: int) -> int:
    """Return the milliseconds to wait after so many attempts: twice as long each time, and not for
    all the same."""
    return int(min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(attempt - 1, 20))
               * random.uniform(0.8, 1.2))


def waiting(redis: Redis) -> int:
    """Return how many calls are yet to be made."""
    pipe = redis.pipeline(transaction=False)
    for webhook_id in redis.hkeys("webhooks"):
        pipe.zcard(f"{{w:{webhook_id.decode()}}}:due")
    return sum(pipe.execute())
