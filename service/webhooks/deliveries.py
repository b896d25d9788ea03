"""What is to be told to webhooks, and how it went: at least once, in the order in which it came.

``{w:ID}:since``  what happened before is not to be told any more

A delivery is kept as what it tells of; what is sent is worked out as it is sent (``contents``).
Whoever appends to a game notes what there is to tell. Should the process die first, the sweep finds
it in the histories; should a job, a worker or the whole queue be lost, the sweep finds what is due
in a lane that nobody speaks for, and calls another worker. The worker asks for one delivery after
the other over HTTP (service/api/inside.py), and reports how each went.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from hashlib import sha256

from redis import Redis, RedisError
from rq import Queue

from service.games.games import Games
from service.games.notices import YOUR_TURN, Fact, facts, lost_games
from service.store.games import KnownGame, waits_for
from service.store.known import Loss
from service.store.once import made_once
from service.store.side_by_side import side_by_side
from service.times import as_time, now_in_ms
from service.webhooks import attempts, webhooks
from service.webhooks.attempts import DROPPED, PING
from service.webhooks.contents import content, request
from service.webhooks.lanes import Delivery, Lanes, key
from service.webhooks.webhooks import Webhook

log = logging.getLogger(__name__)


class Deliveries:
    """The deliveries to all webhooks. ``count`` is told each outcome."""

    def __init__(self, games: Games, queue: Queue, count: Callable[[str], None]):
        self.games, self.lanes, self._count = games, Lanes(games.redis, queue), count
        self._enabled: dict[str, list[Webhook]] = {}  # account -> its webhooks that are switched on

    @property
    def redis(self) -> Redis:
        return self.games.redis

    @property
    def enabled(self) -> list[Webhook]:
        """The webhooks that are switched on, as they were last found out."""
        return [webhook for of_account in self._enabled.values() for webhook in of_account]

    def refresh(self) -> None:
        """Find out which webhooks are switched on."""
        enabled = defaultdict(list)
        for webhook in webhooks.all_enabled(self.redis):
            enabled[webhook.account].append(webhook)
        self._enabled = enabled

    def note_last_entry(self, game: KnownGame) -> None:
        """Note what the last entry of a game has to tell. It costs nothing where no player has a
        webhook; should Redis not answer, the sweep does it."""
        if not self._enabled:
            return
        for player in filter(None, game.state.players):
            for webhook in self._enabled.get(player.id, ()):
                try:
                    for fact in facts(game, player.id):
                        if as_time(fact.at) == game.updated:
                            self.note(webhook, fact)
                except (RedisError, OSError) as error:
                    log.warning("what %s has to tell was not noted: %r", game.state.id, error)

    def note_loss(self, loss: Loss[KnownGame]) -> None:
        """Tell of a game that has gone back, and again of the turns that it waits for now."""
        game = loss.now or loss.was
        for player in filter(None, game.state.players):
            for webhook in self._enabled.get(player.id, ()):
                for fact, _ in lost_games(self.games, player.id):
                    if fact.game == game.state.id:
                        self.note(webhook, fact)
                for fact in facts(loss.now, player.id) if loss.now else ():
                    if fact.type == YOUR_TURN:
                        self.lanes.forget(Delivery(webhook.id, fact))
                        self.note(webhook, fact)

    def note(self, webhook: Webhook, fact: Fact) -> None:
        """Let a webhook be told of something, if it is called for that."""
        if fact.type in webhook.events:
            self.lanes.put(Delivery(webhook.id, fact), self._payer(webhook))

    def begin(self, webhook: Webhook) -> None:
        """Tell a webhook that was just switched on of the games that wait for its account, and of
        what happens from now on."""
        self.refresh()
        is_on = self.redis.hexists("webhooks", webhook.id)
        if not is_on or not self.redis.set(key(webhook.id, "since"), now_in_ms(), nx=True):
            return  # it has begun before
        current = self.redis.zrange(f"player:{webhook.account}:current", 0, -1)
        side_by_side([partial(self._note_turn, webhook, head["id"])
                      for head in self.games.store.heads(raw.decode() for raw in current)
                      if head and waits_for(head, webhook.account)])

    def _note_turn(self, webhook: Webhook, game_id: str) -> None:
        for fact in facts(self.games.get(game_id), webhook.account):
            if fact.type == YOUR_TURN:
                self.note(webhook, fact)

    def forget(self, webhook_id: str) -> None:
        """Call a webhook no more: it is gone, or switched off."""
        self.redis.hdel("webhooks", webhook_id)
        names = ("due", "told", "since", "tries", "failing")
        self.redis.delete(*(key(webhook_id, name) for name in names))
        self.refresh()

    def ping(self, webhook: Webhook, idempotency_key: str) -> str:
        """Call a webhook as a test; return the delivery's id. With the same key it is the same
        delivery."""
        name = f"ping\n{webhook.id}\n{idempotency_key}"
        at = made_once(self.redis, name, now_in_ms(), lambda _: None)
        delivery = Delivery(webhook.id, Fact(PING, sha256(name.encode()).hexdigest()[:20], 0, at))
        self.lanes.put(delivery, self._payer(webhook))
        return delivery.id

    def call_worker_if_free(self, webhook: Webhook, lane: int) -> None:
        """Call a worker for a lane that nobody speaks for."""
        self.lanes.call_worker_if_free(webhook.id, lane, self._payer(webhook))

    def leave(self, webhook_id: str, lane: int, worker: str, rest: int) -> None:
        """Let a worker leave a lane that is to rest for so many milliseconds, or that others are
        to go on with."""
        if webhook := webhooks.find(self.redis, webhook_id):
            self.lanes.leave(webhook_id, lane, worker, self._payer(webhook), rest)

    def _payer(self, webhook: Webhook) -> str:
        """Return the account in whose line the webhook's lanes wait: a bot's is its owner's."""
        return self.games.answering_for(webhook.account)

    def next_request(self, webhook_id: str, lane: int, worker: str) -> dict | None:
        """Return the next delivery of a lane as a worker is to send it, None if there is none for
        it now."""
        while delivery := self.lanes.next(webhook_id, lane, worker):
            webhook = self._callable(webhook_id)
            if webhook is None:
                self.forget(webhook_id)
                self.lanes.free(webhook_id, lane)
                return None
            if told := content(self.games, webhook, delivery):
                attempt = attempts.tries_so_far(self.redis, delivery)[0] + 1
                return request(self.games, webhook, delivery, attempt, told)
            self._end(delivery, DROPPED)
        return None

    def _callable(self, webhook_id: str) -> Webhook | None:
        """Return a webhook, None if it is not to be called any more."""
        webhook = webhooks.find(self.redis, webhook_id)
        if webhook is None or not webhook.enabled:
            return None
        if not webhooks.has_token(self.redis, webhook):
            self._switch_off(webhook, "its token was revoked")
            return None
        return webhook

    def record(self, webhook_id: str, report: dict) -> int:
        """Keep how an attempt went; return for how many milliseconds the lane is to rest, 0 if its
        next delivery may be made at once."""
        redis, at = self.redis, now_in_ms()
        delivery = Delivery.of(webhook_id, report["call"])
        webhook = webhooks.find(redis, webhook_id)
        tries, first = attempts.tries_so_far(redis, delivery)
        if webhook is None or not self.lanes.has(delivery) or tries >= report["attempt"]:
            return 0  # told before, or nobody wants to know any more
        first, is_test = first or at, delivery.fact.type == PING
        is_failure = not (attempts.is_good(report) or is_test or report.get("status") == 410)
        failing = attempts.failing_since(redis, webhook_id, at) if is_failure else at
        verdict = attempts.verdict(report, is_test, at, first, failing)
        if verdict.then is None:
            self._end(delivery, verdict.outcome)
        else:
            attempts.note_failure(redis, delivery, report["attempt"], first)
            self.lanes.put_off(delivery, verdict.then)
            self._count(verdict.outcome)
        if attempts.is_good(report):
            redis.delete(key(webhook_id, "failing"))
        if verdict.switch_off:
            self._switch_off(webhook, verdict.switch_off)
        attempts.keep(redis, delivery, report, verdict.then)
        return verdict.rest

    def _end(self, delivery: Delivery, outcome: str) -> None:
        self.lanes.drop(delivery)
        attempts.forget_failures(self.redis, delivery)
        self._count(outcome)

    def _switch_off(self, webhook: Webhook, why: str) -> None:
        webhooks.switch_off(self.redis, webhook, why)
        self.forget(webhook.id)
        log.info("webhook %s is switched off: %s", webhook.id, why)
